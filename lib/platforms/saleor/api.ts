import { ok, type Result } from '../../contract/result.ts';
import { parseObject } from '../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import { askShop, forbidden, type Question, refused, type Refused, type Shop } from '../shared/http/api.ts';
import { type Entry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** What a Saleor's webhooks are believed by: where its keys are, and secrets that webhooks with a `secretKey` are signed with. */
export type Proof = { readonly keyOrigin: string; readonly webhookSecrets: readonly string[] };

/** What a Saleor is asked with: the address and the token of its API. */
type Access = {
  /** The GraphQL endpoint, with the slash at its end that Saleor asks for. */
  readonly endpoint: string;
  readonly accessToken: string;
};

/** An address for a source that is named by its host; any other source has to give its own. */
const defaultAddress = (source: string, path = ''): string | undefined =>
  source.includes('.') ? `https://${source}${path}` : undefined;

const endpointOf = (apiUrl: string): string => `${apiUrl}${URL.parse(apiUrl)?.pathname === '/' ? '/graphql/' : '/'}`;

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readProof =
  (source: string) =>
  ({ optionalTexts, address }: Entry): Proof => ({
    keyOrigin: address('keyOrigin', defaultAddress(source)),
    webhookSecrets: optionalTexts('webhookSecrets'),
  });

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readAccess =
  (source: string) =>
  ({ text, address }: Entry): Access => ({
    endpoint: endpointOf(address('apiUrl', defaultAddress(source, '/graphql'))),
    accessToken: text('accessToken'),
  });

/**
 * What the Saleor `source` is believed by, or undefined for one that is not ours; its entry is
 * `{ keyOrigin?, webhookSecrets? }`. A source that is named by its host needs no `keyOrigin`.
 */
export const findProof = async (source: string, options?: FindOptions): Promise<Proof | undefined> =>
  findSource('webhooks/saleor', source, readProof(source), options);

/**
 * What the Saleor `source` is asked with; its entry is `{ accessToken, apiUrl? }`. A source that is named by its host needs
 * no `apiUrl`.
 */
const findAccess = async (source: string, options?: FindOptions): Promise<Access | undefined> =>
  findSource('api/saleor', source, readAccess(source), options);

/** What a query answered. `denied`: the token may not read some of it, and those fields are null. */
export type Answer<Data> = { readonly data: Data; readonly denied: boolean };

type GraphqlError = { readonly extensions?: { readonly exception?: { readonly code?: string } } };
type Reply = { readonly data?: unknown; readonly errors?: readonly GraphqlError[] };

/** What somebody has to mend: the token is of no use any more, or may not read this. */
const denials: ReadonlySet<string> = new Set([
  'PermissionDenied',
  'InvalidTokenError',
  'InvalidSignatureError',
  'ExpiredSignatureError',
  'DecodeError',
]);

/** What no repetition mends: Saleor does not understand the question, or finds it too dear. */
const refusals: ReadonlySet<string> = new Set(['GraphQLError', 'ValidationError', 'QueryCostError']);

/**
 * Reads a 200: GraphQL tells its errors in the body, Saleor by the name of its exception. One that is neither a denial
 * nor a refusal is a trouble of its own.
 * https://docs.saleor.io/api-usage/error-handling
 */
const readReply = <Data>(body: string): Result<Answer<Data>, Refused> => {
  const reply: Reply | undefined = parseObject(body);
  if (reply === undefined) return refused('retryable', 'shop_reply_unreadable');
  const errors = Array.isArray(reply.errors) ? (reply.errors as readonly (GraphqlError | null)[]) : [];
  const codes = errors.map((error) => error?.extensions?.exception?.code ?? 'unknown');
  const refusal = codes.find((code) => refusals.has(code));
  if (refusal !== undefined) return refused('permanent', `shop_refused_query:${refusal}`);
  if (codes.some((code) => !denials.has(code))) return refused('retryable', 'shop_error');
  const denied = codes.length > 0;
  if (typeof reply.data !== 'object' || reply.data === null)
    return denied ? forbidden('shop_denied_access') : refused('retryable', 'shop_reply_unreadable');
  return ok({ data: reply.data as Data, denied });
};

const questionOf = ({ endpoint, accessToken }: Access, query: string, variables: object): Question => ({
  method: 'POST',
  url: endpoint,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    authorization: `Bearer ${accessToken}`,
  },
  body: JSON.stringify({ query, variables }),
});

/**
 * Asks a Saleor's GraphQL API, by the token of an app. Saleor answers 400 to a query with a field that it does not have.
 * https://docs.saleor.io/api-usage/overview
 */
export const ask = async <Data>(
  shop: Shop,
  query: string,
  variables: object,
): Promise<Result<Answer<Data>, ShopFailure>> =>
  askShop(
    shop,
    findAccess,
    (access) => questionOf(access, query, variables),
    ({ body }) => readReply<Data>(body.toString()),
  );
