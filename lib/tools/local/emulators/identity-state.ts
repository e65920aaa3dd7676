import type { IncomingMessage } from 'node:http';
import { generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { readJson, writePrivateJson } from '../json-file.ts';

/** A client of the identity provider, with the scopes that it may request. */
export type Client = {
  readonly clientId: string;
  clientSecret: string;
  /** The secret before, while a rotation leaves it valid. */
  formerSecret?: string;
  readonly scopes: string[];
};

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

/** Returns a new secret. */
const randomSecret = (): string => randomBytes(32).toString('base64url');

/** Creates new keys, and new secrets for all clients. */
export const createIdentityState = (): IdentityState => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = {
    ...privateKey.export({ format: 'jwk' }),
    kid: randomBytes(8).toString('hex'),
    use: 'sig',
    alg: 'RS256',
  };
  const clients = Object.entries(grants).map(([clientId, scopes]) => ({
    clientId,
    clientSecret: randomSecret(),
    scopes,
  }));
  return { jwks: { keys: [key] }, cookieKey: randomSecret(), clients };
};

/** Opens the identity provider's keys and clients, created once for a data directory. */
export const openIdentityState = async (file: string): Promise<IdentityState> => {
  const known = await readJson<IdentityState>(file);
  if (known !== undefined) return known;
  const state = createIdentityState();
  await writePrivateJson(file, state);
  return state;
};

/*
 * The secrets of clients, as issuers manage them: during a rotation a client has two. It changes its own ones at
 * `/clients/<id>/secrets`, with a valid secret as the password of Basic: POST adds one, DELETE removes the one before.
 */

/** Returns whether a client may use this secret. */
export const acceptsSecret = ({ clientSecret, formerSecret }: Client, secret: string): boolean =>
  secret !== '' && [clientSecret, formerSecret].includes(secret);

/** Returns the password of Basic (RFC 7617); empty without one. */
const passwordOf = ({ authorization = '' }: IncomingMessage['headers']): string => {
  const [, encoded = ''] = /^Basic ([\w+/=]+)$/i.exec(authorization) ?? [];
  return Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
};

type Changes = Readonly<Record<string, (client: Client, used: string) => object>>;

const changes: Changes = {
  POST: (client, used) => {
    // The secret in use stays valid, also after a rotation that ended halfway.
    client.formerSecret = used;
    client.clientSecret = randomSecret();
    return { clientSecret: client.clientSecret };
  },
  DELETE: (client) => {
    delete client.formerSecret;
    return {};
  },
};

/** A request to the provider, and its answer. */
type Exchange = Pick<IncomingMessage, 'headers'> & {
  readonly path: string;
  readonly method: string;
  status: number;
  body: unknown;
};

/**
 * Serves the secrets of clients.
 *
 * @param onChange stores the changed clients, before the answer
 * @returns whether the request was one for it
 */
export const serveSecrets = async (
  { clients }: Pick<IdentityState, 'clients'>,
  exchange: Exchange,
  onChange: () => Promise<void>,
): Promise<boolean> => {
  const [, id] = /^\/clients\/([\w-]+)\/secrets$/.exec(exchange.path) ?? [];
  if (id === undefined) return false;
  const client = clients.find(({ clientId }) => clientId === id);
  const change = changes[exchange.method];
  const used = passwordOf(exchange.headers);
  if (client === undefined || !acceptsSecret(client, used)) {
    Object.assign(exchange, { status: 401, body: { error: 'invalid_client' } });
  } else if (change === undefined) {
    Object.assign(exchange, { status: 405, body: { error: 'invalid_request' } });
  } else {
    const body = change(client, used);
    await onChange();
    Object.assign(exchange, { status: 200, body });
  }
  return true;
};
