import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyConfig } from '../../config.ts';
import { parseObject } from '../../json.ts';
import { defaultAgent } from '../../net/agent.ts';
import { backOff } from '../../net/back-off.ts';
import { send } from '../../net/request.ts';
import { retryAfterMs } from '../../net/retry-after.ts';
import { TransportError } from '../../net/transport-error.ts';
import type { ShopFailure } from '../platform.ts';
import { findShop } from './shops.ts';

/** Supported until 2027-07; a version answers at least a year. https://shopify.dev/docs/api/usage/versioning */
const apiVersion = '2026-07';
const { apiUrl } = shopifyConfig();
const attempts = 4;
const firstPause = 250;
const longestPause = 4_000;
const attemptTimeout = 8_000;
const maxBytes = 8 * 1024 * 1024;

/** What a query answered. `denied`: the token may not read some of it, and those fields are null. */
export type Answer<Data> =
  | { readonly ok: true; readonly data: Data; readonly denied: boolean }
  | { readonly ok: false; readonly failure: ShopFailure };

type GraphqlError = { readonly message?: string; readonly extensions?: { readonly code?: string } };
type Throttle = { readonly currentlyAvailable?: number; readonly restoreRate?: number };
type Reply = {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[] | string;
  readonly extensions?: {
    readonly cost?: { readonly requestedQueryCost?: number; readonly throttleStatus?: Throttle };
  };
};

/** The outcome of one attempt: an answer, or a failure and how long the shop asks us to wait. */
type Attempt<Data> = Answer<Data> & { readonly waitMs?: number };

const failed = (kind: ShopFailure['kind'], reason: string, waitMs?: number) =>
  ({ ok: false, failure: { kind, reason }, ...(waitMs !== undefined && { waitMs }) }) as const;

/** A token or a scope that somebody has to mend: no use in asking again now, but every delivery can wait for it. */
const forbidden = (reason: string) => failed('retryable', reason, Number.POSITIVE_INFINITY);

/** How long until the bucket holds what the query costs. https://shopify.dev/docs/api/usage/limits */
const untilRestored = ({ extensions }: Reply): number => {
  const { requestedQueryCost = 500, throttleStatus = {} } = extensions?.cost ?? {};
  const { currentlyAvailable = 0, restoreRate = 50 } = throttleStatus;
  return Math.max(0, ((requestedQueryCost - currentlyAvailable) / Math.max(1, restoreRate)) * 1000);
};

const passing: ReadonlySet<string> = new Set(['INTERNAL_SERVER_ERROR', 'TIMEOUT', 'SERVICE_UNAVAILABLE']);

/** Reads a 200: GraphQL tells its errors in the body. */
const readReply = <Data>(body: string): Attempt<Data> => {
  const reply: Reply | undefined = parseObject(body);
  if (reply === undefined) return failed('retryable', 'shop_reply_unreadable');
  const errors = typeof reply.errors === 'string' ? [{ message: reply.errors }] : (reply.errors ?? []);
  const codes = errors.map(({ extensions }) => extensions?.code ?? 'UNKNOWN');
  if (codes.includes('THROTTLED')) return failed('retryable', 'shop_throttled', untilRestored(reply));
  if (codes.some((code) => passing.has(code))) return failed('retryable', 'shop_error');
  const refusal = codes.find((code) => code !== 'ACCESS_DENIED');
  if (refusal !== undefined) return failed('permanent', `shop_refused_query:${refusal.slice(0, 60)}`);
  if (typeof reply.data !== 'object' || reply.data === null) {
    return codes.length > 0 ? forbidden('shop_denied_access') : failed('retryable', 'shop_reply_unreadable');
  }
  return { ok: true, data: reply.data as Data, denied: codes.length > 0 };
};

const readStatus = (status: number, retryAfter: string | undefined) => {
  if (status === 429) return failed('retryable', 'shop_throttled', retryAfterMs(retryAfter, Date.now()) ?? 1000);
  if (status >= 500 || status === 408)
    return failed('retryable', `shop_status_${status}`, retryAfterMs(retryAfter, Date.now()));
  return status === 401 || status === 403
    ? forbidden(`shop_status_${status}`)
    : failed('permanent', `shop_status_${status}`);
};

const attempt = async <Data>(
  url: string,
  accessToken: string,
  body: string,
  deadline: number,
): Promise<Attempt<Data>> => {
  const timeoutMs = Math.min(attemptTimeout, deadline - Date.now());
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-shopify-access-token': accessToken,
  };
  try {
    const response = await send({ agent: defaultAgent(), method: 'POST', url, headers, body, timeoutMs, maxBytes });
    if (response.status !== 200) return readStatus(response.status, response.headers['retry-after']);
    return readReply<Data>(response.body.toString());
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    // Nothing was changed by asking, so it can be asked again.
    return failed(
      'retryable',
      error.reason === 'timeout' ? 'shop_timeout' : `shop_unreachable:${error.code ?? error.reason}`,
    );
  }
};

/**
 * Asks a shop's Admin GraphQL API. Throttling, 5xx and transport faults are tried again while the deadline allows; a
 * 401 once more with a token read again, because it may have been rotated. A refusal of our token is left for later,
 * any other refusal is final.
 * https://shopify.dev/docs/api/admin-graphql
 */
export const ask = async <Data>(
  domain: string,
  query: string,
  variables: Record<string, unknown>,
  deadline: number,
): Promise<Answer<Data>> => {
  const url = `${apiUrl.replace('{shop}', domain)}/admin/api/${apiVersion}/graphql.json`;
  const body = JSON.stringify({ query, variables });
  let shop = await findShop(domain);
  if (shop === undefined) return failed('permanent', 'unknown_shop');
  let renewed = false;
  for (let count = 0; ; count += 1) {
    const answer: Attempt<Data> = await attempt<Data>(url, shop.accessToken, body, deadline);
    if (answer.ok) return answer;
    if (answer.failure.reason === 'shop_status_401' && !renewed) {
      renewed = true;
      const fresh = await findShop(domain, { fresh: true });
      if (fresh === undefined || fresh.accessToken === shop.accessToken) return answer;
      shop = fresh;
      continue;
    }
    const wait = Math.max(answer.waitMs ?? 0, backOff(firstPause, longestPause, count + 1, Math.random()));
    if (answer.failure.kind === 'permanent' || count + 1 >= attempts || Date.now() + wait >= deadline) return answer;
    await sleep(wait);
  }
};
