import { setTimeout as sleep } from 'node:timers/promises';
import { fail, ok, type Result } from '../../../contract/result.ts';
import { defaultAgent } from '../../../net/agent.ts';
import { backOff } from '../../../net/back-off.ts';
import { type Incoming, type Outgoing, send } from '../../../net/request.ts';
import { retryAfterMs } from '../../../net/retry-after.ts';
import { TransportError } from '../../../net/transport-error.ts';
import { isObject, type JsonObject, parseJson } from '../../../runtime/json.ts';
import type { ShopFailure } from '../../platform.ts';
import { parseExactJson } from '../fields/decimal.ts';
import { findShop } from './find-shop.ts';
import type { FindOptions } from './sources.ts';

const attempts = 4;
const firstPause = 250;
const maxPause = 4_000;
const attemptTimeout = 8_000;
const maxBytes = 8 * 1024 * 1024;

/** The shop that is asked: a source of the platform's api secret, and until when, in epoch milliseconds. */
export type Shop = { readonly source: string; readonly deadline: number };

/** A question to a platform's API: it reads only, so it may be asked again. */
export type ApiRequest = Pick<Outgoing, 'method' | 'url' | 'headers'> & { readonly body?: string };

/** Why one attempt failed, and how long the platform asks us to wait; for ever where somebody has to mend something. */
export type AttemptFailure = ShopFailure & { readonly waitMs?: number };

/** The failure of one attempt; `waitMs` as the platform told it. */
export const attemptFailure = (
  kind: ShopFailure['kind'],
  reason: string,
  waitMs?: number,
): Result<never, AttemptFailure> => fail({ kind, reason, ...(waitMs !== undefined && { waitMs }) });

/** A token or a scope that somebody has to mend: no use in asking again now, but every delivery can wait for it. */
export const forbidden = (reason: string): Result<never, AttemptFailure> =>
  attemptFailure('retryable', reason, Number.POSITIVE_INFINITY);

/** BigCommerce says in milliseconds when its window ends. https://docs.bigcommerce.com/developer/docs/overview/api-fundamentals/rate-limits */
const rateLimitResetMs = (value: string | undefined): number | undefined =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;

/** What an answer other than 200 comes to. */
const readStatus = ({ status, headers }: Incoming): Result<never, AttemptFailure> => {
  const asked =
    retryAfterMs(headers['retry-after'], Date.now()) ?? rateLimitResetMs(headers['x-rate-limit-time-reset-ms']);
  if (status === 429) return attemptFailure('retryable', 'shop_throttled', asked ?? 1_000);
  if (status >= 500 || status === 408) return attemptFailure('retryable', `shop_status_${status}`, asked);
  return status === 401 || status === 403
    ? forbidden(`shop_status_${status}`)
    : attemptFailure('permanent', `shop_status_${status}`);
};

type ReadReply<Value> = (reply: Incoming) => Result<Value, AttemptFailure>;

const attempt = async <Value>(
  question: ApiRequest,
  read: ReadReply<Value>,
  deadline: number,
): Promise<Result<Value, AttemptFailure>> => {
  const timeoutMs = Math.min(attemptTimeout, deadline - Date.now());
  try {
    const reply = await send({ ...question, agent: defaultAgent(), timeoutMs, maxBytes });
    return reply.status === 200 ? read(reply) : readStatus(reply);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return attemptFailure(
      'retryable',
      error.reason === 'timeout' ? 'shop_timeout' : `shop_unreachable:${error.code ?? error.reason}`,
    );
  }
};

const withoutWait = ({ kind, reason }: AttemptFailure): ShopFailure => ({ kind, reason });

/**
 * Asks a platform's API. Throttling, 5xx and transport faults are tried again while the deadline allows; a 401 once more
 * with credentials read again, because they may have been rotated. A refusal of our credentials is left for later, any
 * other refusal is final.
 *
 * @param question what to ask, by the credentials at hand or, where `fresh`, by newer ones; a failure where there are none
 * @param read what a 200 comes to
 * @param deadline epoch milliseconds after which nothing more is asked
 */
export const callWithRetry = async <Value>(
  question: (fresh: boolean) => Promise<Result<ApiRequest, ShopFailure>>,
  read: ReadReply<Value>,
  deadline: number,
): Promise<Result<Value, ShopFailure>> => {
  let asked = await question(false);
  if (!asked.ok) return asked;
  let renewed = false;
  for (let count = 0; ; count += 1) {
    const answer = await attempt(asked.value, read, deadline);
    if (answer.ok) return answer;
    const { failure } = answer;
    if (failure.reason === 'shop_status_401' && !renewed) {
      renewed = true;
      const fresh = await question(true);
      if (!fresh.ok) return fresh;
      if (JSON.stringify(fresh.value) === JSON.stringify(asked.value)) return fail(withoutWait(failure));
      asked = fresh;
      continue;
    }
    const wait = Math.max(failure.waitMs ?? 0, backOff(firstPause, maxPause, count + 1, Math.random()));
    if (failure.kind === 'permanent' || count + 1 >= attempts || Date.now() + wait >= deadline)
      return fail(withoutWait(failure));
    await sleep(wait);
  }
};

/**
 * As `callWithRetry`, of a shop whose entry of the secret has all that a question needs.
 *
 * @param find reads the entry, anew where `fresh`
 * @param question what to ask, by what the entry holds
 */
export const callShop = async <Access, Value>(
  { source, deadline }: Shop,
  find: (source: string, options: FindOptions) => Promise<Access | undefined>,
  question: (access: Access) => ApiRequest,
  read: ReadReply<Value>,
): Promise<Result<Value, ShopFailure>> =>
  callWithRetry(
    async (fresh) => {
      const access = await findShop(find, source, fresh);
      return access.ok ? ok(question(access.value)) : access;
    },
    read,
    deadline,
  );

const unreadable = attemptFailure('retryable', 'shop_reply_unreadable');

/** The JSON of a 200. */
export const readJson: ReadReply<unknown> = ({ body }) => {
  const value = parseJson(body.toString());
  return value === undefined ? unreadable : ok(value);
};

/** The JSON of a 200, each number in it as the text that it was written in: no amount passes through a float. */
export const readExactJson: ReadReply<unknown> = ({ body }) => {
  const value = parseExactJson(body.toString());
  return value === undefined ? unreadable : ok(value);
};

/** What `read` makes of a 200, where nothing but an object is an answer. */
export const readObjectBy =
  (read: ReadReply<unknown>): ReadReply<JsonObject> =>
  (reply) => {
    const value = read(reply);
    if (!value.ok) return value;
    return isObject(value.value) ? ok(value.value) : unreadable;
  };
