import { ok, type Result } from '../../../runtime/result.ts';
import { isObject, parseObject } from '../../../runtime/json.ts';
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
import type { Connection } from './queries.ts';
import { isGid } from './words.ts';

/** The credentials that verify a shop's webhooks: the secrets that may sign them. */
type WebhookCredentials = { readonly webhookSecrets: readonly string[] };

/** The credentials for a shop's Admin API: its address and token. */
type ApiCredentials = {
  readonly accessToken: string;
  readonly apiUrl: string;
  /** Whether Shopify refunds the payments of an order that we cancel. */
  readonly refundsOnCancellation: boolean;
  /** The global id of the location where write-back restocks units. Without one, people restock them. */
  readonly restockLocation?: string;
};

const locationIn = (entry: SourceEntry): Pick<ApiCredentials, 'restockLocation'> => {
  const location = entry.optionalText('restockLocation');
  if (location === undefined) return {};
  if (!isGid(location, 'Location')) throw entry.fieldError('restockLocation', 'the global id of a location');
  return { restockLocation: location };
};

const refundOnCancellation = (entry: SourceEntry): boolean => {
  const word = entry.optionalText('cancellationRefund') ?? 'none';
  if (word !== 'none' && word !== 'original') throw entry.fieldError('cancellationRefund', 'none or original');
  return word === 'original';
};

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readWebhookCredentials = ({ texts }: SourceEntry): WebhookCredentials => ({
  webhookSecrets: texts('webhookSecrets'),
});

/** Reads the entry of one source. @throws an error that names the invalid field and quotes nothing */
export const readApiCredentials =
  (domain: string) =>
  (entry: SourceEntry): ApiCredentials => ({
    accessToken: entry.text('accessToken'),
    apiUrl: entry.address('apiUrl', `https://${domain}`),
    refundsOnCancellation: refundOnCancellation(entry),
    ...locationIn(entry),
  });

/**
 * Returns the webhook credentials of the shop `domain`, or undefined if it is not ours.
 * Its entry is `{ webhookSecrets }`.
 */
export const findWebhookCredentials = async (
  domain: string,
  options?: FindOptions,
): Promise<WebhookCredentials | undefined> => findSource('webhooks/shopify', domain, readWebhookCredentials, options);

/**
 * Returns the API credentials of the shop `domain`. Its entry has `accessToken`, `apiUrl`,
 * `cancellationRefund` and `restockLocation`; only the first is needed.
 */
export const findApiCredentials = async (domain: string, options?: FindOptions): Promise<ApiCredentials | undefined> =>
  findSource('api/shopify', domain, readApiCredentials(domain), options);

/** The maximum number of pages. An order's 500 lines need nine. The limit ends a listing whose cursor never ends. */
const maxPages = 20;

/** Reads the pages after the first; `next` returns undefined for an object that no longer exists. */
export const readPages = async <Node>(
  first: Connection<Node>,
  next: (after: string) => Promise<Result<Connection<Node> | undefined, ShopFailure>>,
): Promise<Result<{ nodes: readonly Node[]; whole: boolean }, ShopFailure>> => {
  const nodes = [...first.nodes];
  let { hasNextPage, endCursor } = first.pageInfo;
  for (let count = 1; hasNextPage && endCursor !== null && count < maxPages; count += 1) {
    const page = await next(endCursor);
    if (!page.ok) return page;
    nodes.push(...(page.value?.nodes ?? []));
    ({ hasNextPage, endCursor } = page.value?.pageInfo ?? { hasNextPage: false, endCursor: null });
  }
  return ok({ nodes, whole: !hasNextPage });
};

/**
 * Supported until 2027-10: a version works for at least a year.
 * https://shopify.dev/docs/api/usage/versioning
 */
export const apiVersion = '2026-10';

/** The response to a query. `denied`: the scopes that the token lacks for some fields, which are null. */
export type ApiResponse<Data> = { readonly data: Data; readonly denied: readonly string[] };

type Throttle = { readonly currentlyAvailable?: number; readonly restoreRate?: number };
type Reply = {
  readonly data?: unknown;
  readonly errors?: unknown;
  readonly extensions?: {
    readonly cost?: { readonly requestedQueryCost?: number; readonly throttleStatus?: Throttle };
  };
};

/**
 * Returns the time until the bucket has enough points for the query.
 * https://shopify.dev/docs/api/usage/limits
 */
const msUntilRestored = ({ extensions }: Reply): number => {
  const { requestedQueryCost = 500, throttleStatus = {} } = extensions?.cost ?? {};
  const { currentlyAvailable = 0, restoreRate = 50 } = throttleStatus;
  return Math.max(0, ((requestedQueryCost - currentlyAvailable) / Math.max(1, restoreRate)) * 1000);
};

/** An error without a code is internal to the shop ("max error limit reached"). An invalid query has a code. */
const noCode = 'UNKNOWN';
const transientCodes: ReadonlySet<string> = new Set([
  'INTERNAL_SERVER_ERROR',
  'TIMEOUT',
  'SERVICE_UNAVAILABLE',
  noCode,
]);
const accessDenied = 'ACCESS_DENIED';

const messageOf = (error: unknown): string => {
  const message = isObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? message : '';
};

/** Whether an error says that the list of errors is cut: "Too many execution errors, max error limit reached". */
const isTruncationNotice = (error: unknown): boolean => /\bmax error limit\b/i.test(messageOf(error));

/**
 * Returns the codes of errors.
 * Free text instead of a code may be about a customer, and a reason is stored and shown.
 */
const codesOf = (errors: unknown): readonly string[] => {
  if (errors === undefined || errors === null) return [];
  const list: readonly unknown[] = Array.isArray(errors) ? errors : [errors];
  return list.map((error) => {
    const extensions = isObject(error) ? error['extensions'] : undefined;
    const code = isObject(extensions) ? extensions['code'] : undefined;
    return typeof code === 'string' && /^[A-Za-z_]{1,60}$/.test(code) ? code : noCode;
  });
};

/** The fields that need their own scope, if the shop does not name it. */
const scopesByField: ReadonlyMap<unknown, string> = new Map([
  ['customer', 'read_customers'],
  ['product', 'read_products'],
  ['return', 'read_returns'],
  ['returns', 'read_returns'],
  ['reverseFulfillmentOrder', 'read_returns'],
  ['order', 'read_orders'],
  ['orders', 'read_orders'],
]);

/** Returns the scope that an error reports as missing, by its text or by the denied field. */
const scopeIn = (error: unknown): string => {
  const { message, path, extensions } = isObject(error) ? error : {};
  const messages = [isObject(extensions) ? extensions['requiredAccess'] : undefined, message];
  const named = messages.flatMap(
    (text) => /\b(read_[a-z_]{1,60})\b/.exec(typeof text === 'string' ? text : '')?.[1] ?? [],
  );
  const fields: readonly unknown[] = Array.isArray(path) ? path : [];
  return named[0] ?? scopesByField.get(fields.findLast((step) => scopesByField.has(step))) ?? 'unknown';
};

const scopesIn = (errors: unknown): readonly string[] =>
  Array.isArray(errors)
    ? [...new Set(errors.filter((error) => codesOf([error])[0] === accessDenied).map(scopeIn))]
    : [];

/** Returns errors without the notice that there are more, if a denied scope is among them: each denied field is one. */
const withoutNotice = (errors: unknown): unknown =>
  Array.isArray(errors) && codesOf(errors).includes(accessDenied)
    ? errors.filter((error) => codesOf([error])[0] !== noCode || !isTruncationNotice(error))
    : errors;

/** Reads a response with status 200. GraphQL reports errors in the body. */
const readReply = <Data>(body: string): Result<ApiResponse<Data>, AttemptFailure> => {
  const reply: Reply | undefined = parseObject(body);
  if (reply === undefined) return attemptFailure('retryable', 'shop_reply_unreadable');
  const codes = codesOf(withoutNotice(reply.errors));
  if (codes.includes('THROTTLED')) return attemptFailure('retryable', 'shop_throttled', msUntilRestored(reply));
  if (codes.some((code) => transientCodes.has(code))) return attemptFailure('retryable', 'shop_error');
  const queryError = codes.find((code) => code !== accessDenied);
  if (queryError !== undefined) return attemptFailure('permanent', `shop_refused_query:${queryError}`);
  if (typeof reply.data !== 'object' || reply.data === null) {
    return codes.length > 0 ? forbidden('shop_denied_access') : attemptFailure('retryable', 'shop_reply_unreadable');
  }
  return ok({ data: reply.data as Data, denied: scopesIn(reply.errors) });
};

const requestFor = (
  { apiUrl, accessToken }: ApiCredentials,
  query: string,
  variables: Record<string, unknown>,
): ApiRequest => ({
  method: 'POST',
  url: `${apiUrl}/admin/api/${apiVersion}/graphql.json`,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-shopify-access-token': accessToken,
  },
  body: JSON.stringify({ query, variables }),
});

/**
 * Calls a shop's Admin GraphQL API.
 * https://shopify.dev/docs/api/admin-graphql
 *
 * @param options `once` for a mutation
 */
export const callApi = async <Data>(
  shop: Shop,
  query: string,
  variables: Record<string, unknown>,
  options: Pick<ApiRequest, 'once'> = {},
): Promise<Result<ApiResponse<Data>, ShopFailure>> =>
  callShop(
    shop,
    findApiCredentials,
    (access) => ({ ...requestFor(access, query, variables), ...options }),
    ({ body }) => readReply<Data>(body.toString()),
  );

const scopesQuery = 'query Scopes { currentAppInstallation { accessScopes { handle } } }';

type Scopes = { readonly currentAppInstallation: { readonly accessScopes: readonly { readonly handle: string }[] } };

/** Returns the scopes that the token of a shop lacks. A write scope includes the read scope. */
export const missingScopes = async (
  shop: Shop,
  needed: readonly string[],
): Promise<Result<readonly string[], ShopFailure>> => {
  const answer = await callApi<Scopes>(shop, scopesQuery, {});
  if (!answer.ok) return answer;
  const granted = new Set(answer.value.data.currentAppInstallation.accessScopes.map(({ handle }) => handle));
  return ok(needed.filter((scope) => !granted.has(scope) && !granted.has(scope.replace(/^read_/, 'write_'))));
};
