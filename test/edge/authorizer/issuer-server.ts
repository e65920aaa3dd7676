import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';
import { startServer, type Answer, type TestServer } from '../../support/http-server.ts';

/** The algorithms of the keys that an issuer publishes. The id of a key is its algorithm. */
export const keyAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;
export type KeyAlgorithm = (typeof keyAlgorithms)[number];

type Pair = { readonly privateKey: CryptoKey; readonly jwk: JWK };

const createPair = async (alg: KeyAlgorithm, kid: string): Promise<Pair> => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
};

let shared: Promise<ReadonlyMap<string, Pair>> | undefined;

/** Creates the key pairs once for a process, because RSA keys cost much. `unpublished` is in no key set. */
const pairs = (): Promise<ReadonlyMap<string, Pair>> =>
  (shared ??= Promise.all(
    [...keyAlgorithms.map((alg) => [alg, alg] as const), ['unpublished', 'RS256'] as const].map(
      async ([kid, alg]): Promise<[string, Pair]> => [kid, await createPair(alg, kid)],
    ),
  ).then((entries) => new Map(entries)));

export type SignOptions = {
  readonly alg?: KeyAlgorithm;
  /** The key, by its id. @default the algorithm */
  readonly key?: string;
  /** Members of the header besides `alg` and `kid`, or instead of them. */
  readonly header?: Readonly<Record<string, unknown>>;
};

export type TestIssuer = AsyncDisposable & {
  /** Exactly as tokens name it. */
  readonly issuer: string;
  readonly server: TestServer;
  /** Signs claims. `iss`, `iat` and `exp` are of a valid token unless the claims have them. Undefined removes one. */
  readonly sign: (claims: Readonly<Record<string, unknown>>, options?: SignOptions) => Promise<string>;
  /** Returns the number of reads of the key set. */
  readonly keyReads: () => number;
  /** The keys that it publishes. A test may change them. */
  readonly published: JWK[];
  /** Responses to use instead of a document: `discovery` or `keys`. */
  readonly instead: { discovery?: Answer; keys?: Answer };
};

const json = (body: unknown): Answer => ({ status: 200, body: JSON.stringify(body) });

/**
 * Starts an issuer of access tokens: its metadata (OpenID Connect Discovery 1.0), and its keys (RFC 7517).
 *
 * @param path the part of the issuer after the origin, such as `/realms/shop`
 */
export const startIssuer = async (path = ''): Promise<TestIssuer> => {
  const all = await pairs();
  const published = keyAlgorithms.flatMap((alg) => all.get(alg)?.jwk ?? []);
  const instead: TestIssuer['instead'] = {};
  const base = path.replace(/\/$/, '');
  const server = await startServer((request) => {
    if (request.path === `${base}/.well-known/openid-configuration`)
      return instead.discovery ?? json({ issuer, jwks_uri: `${server.origin}${base}/keys` });
    if (request.path === `${base}/keys`) return instead.keys ?? json({ keys: published });
    return { status: 404 };
  });
  const issuer = `${server.origin}${path}`;
  return {
    issuer,
    server,
    published,
    instead,
    keyReads: () => server.requests.filter((request) => request.path === `${base}/keys`).length,
    sign: (claims, { alg = 'RS256', key = alg, header = {} } = {}) => {
      const pair = all.get(key);
      if (pair === undefined) throw new Error(`there is no key ${key}`);
      const now = Math.floor(Date.now() / 1000);
      const present = Object.entries({ iss: issuer, iat: now, exp: now + 600, ...claims });
      return new SignJWT(Object.fromEntries(present.filter(([, value]) => value !== undefined)))
        .setProtectedHeader({ alg, kid: key, ...header })
        .sign(pair.privateKey);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
