import { ok, type Result } from '../../contract/result.ts';
import { parseObject } from '../../runtime/json.ts';
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

/** What a Saleor's webhooks are believed by: where its keys are, and secrets that webhooks with a `secretKey` are signed with. */
export type WebhookCredentials = { readonly keyOrigin: string; readonly webhookSecrets: readonly string[] };

/** What a Saleor is asked with: the address and the token of its API. */
type ApiCredentials = {
  /** The GraphQL endpoint, with the slash at its end that Saleor asks for. */
  readonly endpoint: string;
  readonly accessToken: string;
};

/** An address for a source that is named by its host; any other source has to give its own. */
const defaultAddress = (source: string, path = ''): string | undefined =>
  source.includes('.') ? `https://${source}${path}` : undefined;

const endpointOf = (apiUrl: string): string => `${apiUrl}${URL.parse(apiUrl)?.pathname === '/' ? '/graphql/' : '/'}`;

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readWebhookCredentials =
  (source: string) =>
  ({ optionalTexts, address }: SourceEntry): WebhookCredentials => ({
    keyOrigin: address('keyOrigin', defaultAddress(source)),
    webhookSecrets: optionalTexts('webhookSecrets'),
  });

/** Reads the entry of one source. @throws an error that names the faulty field and quotes nothing */
export const readApiCredentials =
  (source: string) =>
  ({ text, address }: SourceEntry): ApiCredentials => ({
    endpoint: endpointOf(address('apiUrl', defaultAddress(source, '/graphql'))),
    accessToken: text('accessToken'),
  });

/**
 * What the Saleor `source` is believed by, or undefined for one that is not ours; its entry is
 * `{ keyOrigin?, webhookSecrets? }`. A source that is named by its host needs no `keyOrigin`.
 */
export const findWebhookCredentials = async (
  source: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> =>
  findSource('webhooks/saleor', source, readWebhookCredentials(source), options);

/**
 * What the Saleor `source` is asked with; its entry is `{ accessToken, apiUrl? }`. A source that is named by its host needs
 * no `apiUrl`.
 */
const findApiCredentials = async (source: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/saleor', source, readApiCredentials(source), options);

/** What a query answered. `denied`: the token may not read some of it, and those fields are null. */
export type ApiResponse<Data> = { readonly data: Data; readonly denied: boolean };

type GraphqlError = { readonly extensions?: { readonly exception?: { readonly code?: string } } };
type Reply = { readonly data?: unknown; readonly errors?: readonly GraphqlError[] };

/** What somebody has to mend: the token is of no use any more, or may not read this. */
const accessErrors: ReadonlySet<string> = new Set([
  'PermissionDenied',
  'InvalidTokenError',
  'InvalidSignatureError',
  'ExpiredSignatureError',
  'DecodeError',
]);

/** What no repetition mends: Saleor does not understand the question, or finds it too dear. */
const permanentErrors: ReadonlySet<string> = new Set(['GraphQLError', 'ValidationError', 'QueryCostError']);

/**
 * Reads a 200: GraphQL tells its errors in the body, Saleor by the name of its exception. One that is neither a denial
 * nor a refusal is a trouble of its own.
 * https://docs.saleor.io/api-usage/error-handling
 */
const readReply = <Data>(body: string): Result<ApiResponse<Data>, AttemptFailure> => {
  const reply: Reply | undefined = parseObject(body);
  if (reply === undefined) return attemptFailure('retryable', 'shop_reply_unreadable');
  const errors = Array.isArray(reply.errors) ? (reply.errors as readonly (GraphqlError | null)[]) : [];
  const codes = errors.map((error) => error?.extensions?.exception?.code ?? 'unknown');
  const refusal = codes.find((code) => permanentErrors.has(code));
  if (refusal !== undefined) return attemptFailure('permanent', `shop_refused_query:${refusal}`);
  if (codes.some((code) => !accessErrors.has(code))) return attemptFailure('retryable', 'shop_error');
  const denied = codes.length > 0;
  if (typeof reply.data !== 'object' || reply.data === null)
    return denied ? forbidden('shop_denied_access') : attemptFailure('retryable', 'shop_reply_unreadable');
  return ok({ data: reply.data as Data, denied });
};

const requestFor = ({ endpoint, accessToken }: ApiCredentials, query: string, variables: object): ApiRequest => ({
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
