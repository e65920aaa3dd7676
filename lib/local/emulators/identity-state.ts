import { generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { readJson, writePrivateJson } from '../json-file.ts';

/** A client of the identity provider, with the scopes it may ask for. */
export type Client = { readonly clientId: string; readonly clientSecret: string; readonly scopes: string[] };

/** What the identity provider keeps: written to identity-provider.json, so that a test can sign a token of its own. */
export type IdentityState = {
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
  readonly cookieKey: string;
  readonly clients: readonly Client[];
};

const read = 'returns:read';
const write = 'returns:write';
const admin = 'returns:admin';

/** The client that the connected mode is towards the service. */
export const integrationClient = 'returns-integration';

const grants: Readonly<Record<string, string[]>> = {
  'returns-admin': [read, write, admin],
  'returns-reader': [read],
  'returns-writer': [write],
  'returns-partner': [read, write],
  [integrationClient]: [read, write, admin],
};

const random = () => randomBytes(32).toString('base64url');

/** New keys, and new secrets for all clients. */
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

/** The identity provider's keys and clients, made once for a data directory. */
export const openIdentityState = async (file: string): Promise<IdentityState> => {
  const known = await readJson<IdentityState>(file);
  if (known !== undefined) return known;
  const state = createIdentityState();
  await writePrivateJson(file, state);
  return state;
};
