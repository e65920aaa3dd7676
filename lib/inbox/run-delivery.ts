import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { Backend, Call } from '../backend/port.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { Failure } from '../contract/result.ts';
import { parseJson } from '../json.ts';
import type { Prepared, Translator } from '../platforms/platform.ts';
import type { InboxRow, Settlement } from '../store/inbox.ts';

/** How an attempt at a delivery ended: settled for good, or to be tried again. */
export type Conclusion = Settlement | { readonly status: 'retry'; readonly reason: string };

/** Troubles of ours or of the service, not of the delivery: the same commands may succeed later. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'dependency_unavailable',
  'timeout',
  'rate_limited',
  'internal_error',
  'idempotency_key_in_progress',
  // Credentials or scopes that someone has to mend: every delivery would be parked meanwhile.
  'invalid_token',
  'insufficient_scope',
]);

const fromFailure = ({ code, returnId, errors }: Failure): Conclusion => {
  // The return exists: a twin of this delivery made it, or this one did and the answer was lost.
  if (code === 'duplicate_return' && returnId !== undefined) return { status: 'done', returnId };
  if (passing.has(code)) return { status: 'retry', reason: code };
  const [fault] = errors ?? [];
  // Another system's words: only a pointer and a code are kept of them.
  const place =
    fault !== undefined && /^[\w:/.~-]{0,200} [a-z_]{1,40}$/.test(`${fault.path} ${fault.code}`)
      ? ` at ${fault.path}: ${fault.code}`
      : '';
  return { status: 'parked', reason: `${code}${place}` };
};

/**
 * The key under which a return is created once. It covers the request, so that lines which the shop has changed between
 * two attempts meet `duplicate_return`, which names the return, and not `idempotency_key_reused`, which does not.
 */
const idempotencyKeyOf = ({ externalId, request }: Extract<Prepared, { kind: 'return' }>): string =>
  `inbox-${createHash('sha256')
    .update(JSON.stringify([externalId, request]))
    .digest('base64url')}`;

/** What the stored bytes say; undefined for what is not JSON. */
const bodyOf = (row: InboxRow): unknown => parseJson(gunzipSync(row.body).toString('utf8'));

const callOf = (row: InboxRow, key: string, deadline: number): Call => ({
  caller: { clientId: 'inbox', scopes: ['returns:write'], onBehalfOf: `${row.platform}:${row.source}` },
  dryRun: false,
  traceId: row.traceId,
  causationId: key,
  deadline,
});

/** Runs a stored delivery: registers the order's facts, then requests the return. */
export const runDelivery = async (
  backend: Pick<Backend, 'registerOrder' | 'createReturn'>,
  platform: Translator,
  row: InboxRow,
  key: string,
  deadline: number,
): Promise<Conclusion> => {
  const body = bodyOf(row);
  if (body === undefined) return { status: 'parked', reason: 'payload_not_json' };
  const prepared = await platform.prepare({ source: row.source, topic: row.topic, body }, deadline);
  if (prepared.kind === 'parked') {
    return {
      status: 'parked',
      reason: prepared.path === undefined ? prepared.reason : `${prepared.reason} at ${prepared.path || '/'}`,
    };
  }
  if (prepared.kind !== 'return') return { status: prepared.kind, reason: prepared.reason };
  const call = callOf(row, key, deadline);
  const order = await backend.registerOrder(prepared.order, call);
  // The order is known and a return has fixed its prices: the facts at hand serve this return too.
  if (!order.ok && order.failure.code !== 'order_facts_frozen') return fromFailure(order.failure);
  const created = await backend.createReturn(prepared.request, { ...call, idempotencyKey: idempotencyKeyOf(prepared) });
  return created.ok ? { status: 'done', returnId: created.value.body.id } : fromFailure(created.failure);
};
