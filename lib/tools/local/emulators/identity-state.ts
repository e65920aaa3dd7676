import { generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { readJson, writePrivateJson } from '../json-file.ts';

/** A client of the identity provider, with the scopes that it may request. */
export type Client = { readonly clientId: string; readonly clientSecret: string; readonly scopes: string[] };

/** The state of the identity provider, in identity-provider.json. A test can sign a token of its own with it. */
export type IdentityState = {
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
  readonly cookieKey: string;
  readonly clients: readonly Client[];
};

const read = 'returns:read';
const write = 'returns:write';
const admin = 'returns:admin';
const search = 'returns:search';

/** The client of the connected mode at the service. */
export const integrationClient = 'returns-integration';

/** The client with which users sign in. It is public: it has no secret. */
export const consoleClient = 'returns-console';

/** A person who can sign in on this machine, with the scopes of the tokens. */
export type DemoUser = { readonly id: string; readonly name: string; readonly role: string; readonly scopes: string[] };

/** The people of the local stack. */
export const demoUsers: readonly DemoUser[] = [
  { id: 'user-operator', name: 'Ana Silva', role: 'operator', scopes: [read, write, search] },
  { id: 'user-author', name: 'Bruno Costa', role: 'author of policies', scopes: [read, write, admin] },
  { id: 'user-second-author', name: 'Diana Rocha', role: 'author of policies', scopes: [read, write, admin, search] },
  { id: 'user-auditor', name: 'Carla Dias', role: 'auditor', scopes: [read] },
];

const grants: Readonly<Record<string, string[]>> = {
  'returns-admin': [read, write, admin, search],
  'returns-reader': [read],
  'returns-writer': [write],
  'returns-partner': [read, write],
  [integrationClient]: [read, write, admin, search],
};

const random = () => randomBytes(32).toString('base64url');

/** Creates new keys, and new secrets for all clients. */
export const createIdentityState = (): IdentityState => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(8).toString('hex'),
    use: 'sig',
    alg: 'RS256',
  };
  const clients = Object.entries(grants).map(([clientId, scopes]) => ({ clientId, clientSecret: random(), scopes }));
  return { jwks: { keys: [key] }, cookieKey: random(), clients };
};

/** Opens the identity provider's keys and clients, created once for a data directory. */
export const openIdentityState = async (file: string): Promise<IdentityState> => {
  const known = await readJson<IdentityState>(file);
  if (known !== undefined) return known;
  const state = createIdentityState();
  await writePrivateJson(file, state);
  return state;
};
