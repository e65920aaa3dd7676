import { ok, type Result } from '../../../runtime/result.ts';
import { parseObject } from '../../../runtime/json.ts';
import type { ShopFailure } from '../platform.ts';
import {
  callShop,
  forbidden,
  type ApiRequest,
  attemptFailure,
  type AttemptFailure,
  type Shop,
} from '../shared/http/api.ts';
import { type SourceEntry, type FindOptions, findSource } from '../shared/http/sources.ts';

/** The credentials that verify a Saleor's webhooks: the origin of its keys, and `secretKey` secrets. */
export type WebhookCredentials = { readonly keyOrigin: string; readonly webhookSecrets: readonly string[] };

/** The credentials for a Saleor's API: its address and token. */
type ApiCredentials = {
  /** The GraphQL endpoint, with the trailing slash that Saleor requires. */
  readonly endpoint: string;
  readonly accessToken: string;
};

/** Returns an address for a source that is named by its host. Any other source must have its own. */
const defaultAddress = (source: string, path = ''): string | undefined =>
  source.includes('.') ? `https://${source}${path}` : undefined;

const endpointOf = (apiUrl: string): string => `${apiUrl}${URL.parse(apiUrl)?.pathname === '/' ? '/graphql/' : '/'}`;

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials =
  (source: string) =>
  ({ optionalTexts, address }: SourceEntry): WebhookCredentials => ({
    keyOrigin: address('keyOrigin', defaultAddress(source)),
    webhookSecrets: optionalTexts('webhookSecrets'),
  });

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials =
  (source: string) =>
  ({ text, address }: SourceEntry): ApiCredentials => ({
    endpoint: endpointOf(address('apiUrl', defaultAddress(source, '/graphql'))),
    accessToken: text('accessToken'),
  });

/**
 * Returns the webhook credentials of `source`, or undefined if it is not ours.
 * Its entry is `{ keyOrigin?, webhookSecrets? }`. A source that is named by its host needs no `keyOrigin`.
 */
export const findWebhookCredentials = async (
  source: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> =>
  findSource('webhooks/saleor', source, readWebhookCredentials(source), options);

/**
 * Returns the API credentials of `source`.
 * Its entry is `{ accessToken, apiUrl? }`. A source that is named by its host needs no `apiUrl`.
 */
const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/saleor', source, readApiCredentials(source), options);

/** The response to a query. `denied`: the token may not read some fields, which are null. */
export type ApiResponse<Data> = { readonly data: Data; readonly denied: boolean };

type GraphqlError = { readonly extensions?: { readonly exception?: { readonly code?: string } } };
type Reply = { readonly data?: unknown; readonly errors?: readonly GraphqlError[] };

/** Errors that an operator must fix: the token is no longer valid, or may not read the data. */
const accessErrors: ReadonlySet<string> = new Set([
  'PermissionDenied',
  'InvalidTokenError',
  'InvalidSignatureError',
  'ExpiredSignatureError',
  'DecodeError',
]);

/** Permanent errors: Saleor does not support the query, or finds it too expensive. */
const permanentErrors: ReadonlySet<string> = new Set(['GraphQLError', 'ValidationError', 'QueryCostError']);

/**
 * Reads a response with status 200.
 * GraphQL reports errors in the body, Saleor by the name of its exception. All errors that are not known as denials or
 * permanent ones are temporary.
 * https://docs.saleor.io/api-usage/error-handling
 */
const readReply = <Data>(body: string): Result<ApiResponse<Data>, AttemptFailure> => {
  const reply: Reply | undefined = parseObject(body);
  if (reply === undefined) return attemptFailure('retryable', 'shop_reply_unreadable');
  const errors = Array.isArray(reply.errors) ? (reply.errors as readonly (GraphqlError | null)[]) : [];
  const codes = errors.map((error) => error?.extensions?.exception?.code ?? 'unknown');
  const queryError = codes.find((code) => permanentErrors.has(code));
  if (queryError !== undefined) return attemptFailure('permanent', `shop_refused_query:${queryError}`);
  if (codes.some((code) => !accessErrors.has(code))) return attemptFailure('retryable', 'shop_error');
  const denied = codes.length > 0;
  if (typeof reply.data !== 'object' || reply.data === null)
    return denied ? forbidden('shop_denied_access') : attemptFailure('retryable', 'shop_reply_unreadable');
  return ok({ data: reply.data as Data, denied });
};

/** A query only reads, so it may be repeated. A mutation may not. */
const requestFor = ({ endpoint, accessToken }: ApiCredentials, query: string, variables: object): ApiRequest => ({
  ...(query.startsWith('mutation') && { once: true }),
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
 * Calls a Saleor's GraphQL API with the token of an app.
 * Saleor answers 400 to a query with an unknown field.
 * https://docs.saleor.io/api-usage/overview
 */
export const callApi = async <Data>(
  shop: Shop,
  query: string,
  variables: object,
): Promise<Result<ApiResponse<Data>, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    (access) => requestFor(access, query, variables),
    ({ body }) => readReply<Data>(body.toString()),
  );
