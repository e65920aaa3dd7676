import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../../runtime/result.ts';
import { defaultAgent } from '../../../../access/net/agent.ts';
import { backOff } from '../../../../access/net/back-off.ts';
import { type Incoming, type Outgoing, send } from '../../../../access/net/request.ts';
import { retryAfterMs } from '../../../../access/net/retry-after.ts';
import { TransportError } from '../../../../access/net/transport-error.ts';
import { perContainer } from '../../../../runtime/container.ts';
import { isObject, type JsonObject, parseJson } from '../../../../runtime/json.ts';
import { type ShopFailure, permanentFailure } from '../../platform.ts';
import { parseExactJson } from '../../../../runtime/exact-json.ts';
import type { FindOptions } from './sources.ts';

const attempts = 4;
const firstPause = 250;
const maxPause = 4_000;
const attemptTimeout = 8_000;
const maxBytes = 8 * 1024 * 1024;

/** The shop to call: a source of the platform's api secret, and the deadline in epoch milliseconds. */
export type Shop = { readonly source: string; readonly deadline: number };

/** A request to a platform's API. It only reads, so it may be repeated, unless it has `once`. */
export type ApiRequest = Pick<Outgoing, 'method' | 'url' | 'headers'> & {
  readonly body?: string;
  /** The request changes the shop. It is repeated only where the shop has not processed it. */
  readonly once?: true;
};

/** Returns a request that stores the fields at an address, once. */
export const putOnce = (url: string, headers: ApiRequest['headers'], fields: JsonObject): ApiRequest => ({
  method: 'PUT',
  url,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(fields),
  once: true,
});

/**
 * Why one attempt failed, and the wait that the platform requests.
 * The wait is infinite if an operator must fix something.
 */
export type AttemptFailure = Omit<ShopFailure, 'mayHaveEffect'> & {
  readonly waitMs?: number;
  /** The connection was not made, so the shop has not received the request. */
  readonly isUnsent?: true;
};

/** Returns the failure of one attempt, with `waitMs` as the platform reports it. */
export const attemptFailure = (
  kind: ShopFailure['kind'],
  reason: string,
  waitMs?: number,
): Result<never, AttemptFailure> => fail({ kind, reason, ...(waitMs !== undefined && { waitMs }) });

/**
 * Returns the failure of a token or scope that an operator must fix.
 * A retry now is no use, but every delivery can wait for the fix.
 */
export const forbidden = (reason: string): Result<never, AttemptFailure> =>
  attemptFailure('retryable', reason, Number.POSITIVE_INFINITY);

/**
 * Parses the end of a rate limit window in milliseconds, as BigCommerce reports it.
 * https://docs.bigcommerce.com/developer/docs/overview/api-fundamentals/rate-limits
 */
const rateLimitResetMs = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;

/** Converts a response other than 200 and 201 to a failure. */
const readStatus = ({ status, headers }: Incoming): Result<never, AttemptFailure> => {
  const requestedMs =
    retryAfterMs(headers['retry-after'], Date.now()) ?? rateLimitResetMs(headers['x-rate-limit-time-reset-ms']);
  if (status === 429) return attemptFailure('retryable', 'shop_throttled', requestedMs ?? 1_000);
  if (status >= 500 || status === 408) return attemptFailure('retryable', `shop_status_${status}`, requestedMs);
  return status === 401 || status === 403
    ? forbidden(`shop_status_${status}`)
    : attemptFailure('permanent', `shop_status_${status}`);
};

type ReadReply<Value> = (reply: Incoming) => Result<Value, AttemptFailure>;

const attempt = async <Value>(
  { method, url, headers, body }: ApiRequest,
  read: ReadReply<Value>,
  deadline: number,
): Promise<Result<Value, AttemptFailure>> => {
  const timeoutMs = Math.min(attemptTimeout, deadline - Date.now());
  try {
    const reply = await send({
      method,
      url,
      headers,
      ...(body !== undefined && { body }),
      agent: defaultAgent(),
      timeoutMs,
      maxBytes,
    });
    return reply.status === 200 || reply.status === 201 ? read(reply) : readStatus(reply);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const reason = error.reason === 'timeout' ? 'shop_timeout' : `shop_unreachable:${error.code ?? error.reason}`;
    return fail({ kind: 'retryable', reason, ...(error.reason === 'connect' && { isUnsent: true as const }) });
  }
};

/** Whether the shop may have processed a request that failed: not without a connection, and not when it rejects it. */
const mayHaveEffect = ({ kind, reason, isUnsent, waitMs }: AttemptFailure): boolean =>
  kind === 'retryable' && isUnsent !== true && reason !== 'shop_throttled' && waitMs !== Number.POSITIVE_INFINITY;

/** Returns the failure of a call, with what it means for a request that changes the shop. */
const failureOf = (request: ApiRequest, failure: AttemptFailure): ShopFailure => ({
  kind: failure.kind,
  reason: failure.reason,
  ...(request.once === true && mayHaveEffect(failure) && { mayHaveEffect: true as const }),
});

/**
 * Calls a platform's API with retries.
 * Throttling, 5xx and transport failures are retried until the deadline. A 401 is retried once with credentials that
 * are read again, because they may have been rotated. Rejected credentials are a temporary failure. Any other rejection
 * is final. A request with `once` is repeated only where the shop has not processed it.
 *
 * @param requestFor returns the request for the current credentials or, if `fresh`, for newer ones; a failure without
 * credentials
 * @param read reads a response with status 200 or 201
 * @param deadline epoch milliseconds after which no request starts
 */
export const callWithRetry = async <Value>(
  requestFor: (fresh: boolean) => Promise<Result<ApiRequest, ShopFailure>>,
  read: ReadReply<Value>,
  deadline: number,
): Promise<Result<Value, ShopFailure>> => {
  let request = await requestFor(false);
  if (!request.ok) return request;
  let renewed = false;
  for (let count = 0; ; count += 1) {
    const answer = await attempt(request.value, read, deadline);
    if (answer.ok) return answer;
    const { failure } = answer;
    if (failure.reason === 'shop_status_401' && !renewed) {
      renewed = true;
      const fresh = await requestFor(true);
      if (!fresh.ok) return fresh;
      if (JSON.stringify(fresh.value) === JSON.stringify(request.value)) return fail(failureOf(request.value, failure));
      request = fresh;
      continue;
    }
    if (request.value.once === true && failure.reason !== 'shop_throttled')
      return fail(failureOf(request.value, failure));
    const wait = Math.max(failure.waitMs ?? 0, backOff(firstPause, maxPause, count + 1, Math.random()));
    if (failure.kind === 'permanent' || count + 1 >= attempts || Date.now() + wait >= deadline)
      return fail(failureOf(request.value, failure));
    await sleep(wait);
  }
};

/** Reads the entry of one source; undefined for a source that the cached secret does not have. */
type Find<Access> = (source: string, options: FindOptions) => Promise<Access | undefined>;

/** The minimum interval between reads of a platform's secret for unknown sources. */
const intervalMs = 60_000;
const rereads = perContainer(() => new WeakMap<Find<unknown>, number>());

/**
 * Returns the entry of a shop that a verified delivery or a reconciliation names.
 * The cached secret may be 18 minutes old and the shop new. So the secret is read again before the source counts as
 * unknown. Within a minute of that read, the caller must retry later.
 */
export const findShop = async <Access>(
  find: Find<Access>,
  source: string,
  fresh = false,
): Promise<Result<Access, ShopFailure>> => {
  const known = await find(source, { fresh });
  if (known !== undefined) return ok(known);
  const now = Date.now();
  const rereadAt = rereads();
  if (!fresh && now - (rereadAt.get(find) ?? -Infinity) < intervalMs)
    return fail({ kind: 'retryable', reason: 'unknown_source' });
  rereadAt.set(find, now);
  const found = fresh ? undefined : await find(source, { fresh: true });
  return found === undefined ? permanentFailure('unknown_source') : ok(found);
};

/**
 * Calls a shop like `callWithRetry`, with a secret entry that has all that a request needs.
 *
 * @param find reads the entry, again if `fresh`
 * @param requestFor returns the request for an entry
 */
export const callShop = async <Access, Value>(
  { source, deadline }: Shop,
  find: (source: string, options: FindOptions) => Promise<Access | undefined>,
  requestFor: (access: Access) => ApiRequest,
  read: ReadReply<Value>,
): Promise<Result<Value, ShopFailure>> =>
  callWithRetry(
    async (fresh) => {
      const access = await findShop(find, source, fresh);
      return access.ok ? ok(requestFor(access.value)) : access;
    },
    read,
    deadline,
  );

const unreadable = attemptFailure('retryable', 'shop_reply_unreadable');

/** Reads the JSON of a 200. */
export const readJson: ReadReply<unknown> = ({ body }) => {
  const value = parseJson(body.toString());
  return value === undefined ? unreadable : ok(value);
};

/** Reads the JSON of a 200 with each number as its original text. So no amount passes through a float. */
export const readExactJson: ReadReply<unknown> = ({ body }) => {
  const value = parseExactJson(body.toString());
  return value === undefined ? unreadable : ok(value);
};

/** Returns a reader of a 200 that accepts only an object. */
export const readObjectBy =
  (read: ReadReply<unknown>): ReadReply<JsonObject> =>
  (reply) => {
    const value = read(reply);
    if (!value.ok) return value;
    return isObject(value.value) ? ok(value.value) : unreadable;
  };
