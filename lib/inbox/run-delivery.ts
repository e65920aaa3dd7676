import type { ErrorCode } from '../contract/errors.ts';
import type { Call } from '../contract/port.ts';
import { type Failure, ok, type Result } from '../contract/result.ts';
import type { RemoteSnapshot, ShopFailure, Translator } from '../platforms/platform.ts';
import { parseJson } from '../runtime/json.ts';
import type { InboxRow } from '../store/inbox/inbox-row.ts';
import type { Settlement } from '../store/inbox/inbox.ts';
import type { InboxBackend } from './backend.ts';
import { endedStatuses, syncReturn, type SyncResult, syncDeletedReturn } from './sync-return.ts';
import { readBody } from './row.ts';

/** A return of ours, and the platform's that it follows. */
type DeletedUpstream = { readonly returnId: string; readonly externalId: string };

/** More than any order has. */
const maxReturns = 100;

/**
 * Finds returns of an order that follow one of the platform's and have not ended, where the platform's is none of those
 * that the order still has there. A return that was made just now may be missing: the next look at its order finds it.
 *
 * @param still the platform's ids of the returns that it has
 */
const findDeletedUpstream = async (
  backend: InboxBackend,
  { platform, orderId }: { readonly platform: string; readonly orderId: string },
  still: ReadonlySet<string>,
  call: Call,
): Promise<Result<readonly DeletedUpstream[]>> => {
  const listed = await backend.listReturns({ platform, orderId, limit: maxReturns }, call);
  if (!listed.ok) return listed;
  const gone = listed.value.body.items
    .filter(({ managedBy, status }) => managedBy === 'platform' && !endedStatuses.has(status))
    .flatMap(({ returnId, externalRefs }) => {
      const own = externalRefs.filter((ref) => ref.platform === platform);
      return own.some(({ id }) => still.has(id)) ? [] : own.slice(0, 1).map(({ id }) => ({ returnId, externalId: id }));
    });
  return ok(gone);
};

/** How an attempt at a delivery ended: settled for good, or to be tried again. */
export type DeliveryOutcome =
  | Settlement
  | { readonly status: 'retry'; readonly reason: string; readonly order?: Settlement['order'] };

/** Troubles of ours or of the service, not of the delivery: the same commands may succeed later. */
const transientCodes: ReadonlySet<ErrorCode> = new Set([
  'dependency_unavailable',
  'timeout',
  'rate_limited',
  'internal_error',
  'idempotency_key_in_progress',
  // Credentials or scopes that someone has to mend: every delivery would be parked meanwhile.
  'invalid_token',
  'insufficient_scope',
  // Others keep moving the return.
  'version_mismatch',
]);

const outcomeOfFailure = ({ code, errors }: Failure): DeliveryOutcome => {
  if (transientCodes.has(code)) return { status: 'retry', reason: code };
  const [fault] = errors ?? [];
  // Another system's words: only a pointer and a code are kept of them.
  const place =
    fault !== undefined && /^[\w:/.~-]{0,200} [a-z_]{1,40}$/.test(`${fault.path} ${fault.code}`)
      ? ` at ${fault.path}: ${fault.code}`
      : '';
  return { status: 'parked', reason: `${code}${place}` };
};

const callOf = (row: InboxRow, key: string, deadline: number): Call => ({
  caller: { clientId: 'inbox', scopes: ['returns:write'], onBehalfOf: `${row.platform}:${row.source}` },
  dryRun: false,
  traceId: row.traceId,
  causationId: key,
  deadline,
});

type RefetchReturn = (externalId: string) => ReturnType<Translator['refetchReturn']>;

const outcomeOfShopFailure = ({ kind, reason }: ShopFailure): DeliveryOutcome => ({
  status: kind === 'permanent' ? 'parked' : 'retry',
  reason,
});

/**
 * What bringing returns to where they are came to: the first of them, what they had booked, and why some came no
 * further.
 */
type SyncProgress = { returnId?: string; readonly booked: Set<string>; refused?: DeliveryOutcome };

/**
 * Why the delivery is to end here; nothing where the next return can be followed: what holds up one holds up no other.
 */
const recordSyncResult = (brought: SyncProgress, followed: SyncResult): DeliveryOutcome | undefined => {
  if (followed.kind !== 'followed') {
    const conclusion =
      followed.kind === 'failed' ? outcomeOfFailure(followed.failure) : outcomeOfShopFailure(followed.failure);
    if (conclusion.status === 'retry') return conclusion;
    brought.refused ??= conclusion;
    return undefined;
  }
  if (followed.returnId !== undefined) brought.returnId ??= followed.returnId;
  for (const id of followed.booked ?? []) brought.booked.add(id);
  if (followed.refused !== undefined) brought.refused ??= outcomeOfFailure(followed.refused);
  return undefined;
};

/** First those that were taken away, where that is known: what they held is free for others then. */
const syncReturns = async (
  backend: InboxBackend,
  { order, returns, isAll }: RemoteSnapshot,
  look: RefetchReturn,
  call: Call,
  brought: SyncProgress,
): Promise<DeliveryOutcome | undefined> => {
  if (isAll === true) {
    const gone = await findDeletedUpstream(backend, order, new Set(returns.map(({ seen }) => seen.externalId)), call);
    if (!gone.ok) return outcomeOfFailure(gone.failure);
    for (const { returnId, externalId } of gone.value) {
      const ended = recordSyncResult(
        brought,
        await syncDeletedReturn(backend, returnId, async () => look(externalId), call),
      );
      if (ended !== undefined) return ended;
    }
  }
  for (const { seen, refunds } of returns) {
    const ended = recordSyncResult(
      brought,
      await syncReturn(backend, seen, refunds, async () => look(seen.externalId), call),
    );
    if (ended !== undefined) return ended;
  }
  return undefined;
};

/** Brings what we have to what was seen: the facts of the order, its returns, and money that is of none of them. */
const syncSnapshot = async (
  backend: InboxBackend,
  seen: RemoteSnapshot,
  look: RefetchReturn,
  call: Call,
): Promise<DeliveryOutcome> => {
  const registered = await backend.registerOrder(seen.order, call);
  // The order is known and a return has fixed its prices: the facts at hand serve this return too.
  if (!registered.ok && registered.failure.code !== 'order_facts_frozen') return outcomeOfFailure(registered.failure);
  const brought: SyncProgress = { booked: new Set() };
  const ended = await syncReturns(backend, seen, look, call, brought);
  if (ended !== undefined) return ended;
  for (const refund of seen.refunds.filter(({ externalId }) => !brought.booked.has(externalId))) {
    const recorded = await backend.recordRefund(refund, call);
    if (recorded.ok) continue;
    const conclusion = outcomeOfFailure(recorded.failure);
    if (conclusion.status === 'retry') return conclusion;
    brought.refused ??= conclusion;
  }
  const { refused = seen.unread && outcomeOfShopFailure(seen.unread), returnId } = brought;
  if (refused !== undefined) return refused;
  return { status: 'done', ...(returnId === undefined ? {} : { returnId }) };
};

/** Whether all that was seen is of the order that it was seen with. */
const isOfOneOrder = ({ order, returns, refunds }: RemoteSnapshot): boolean =>
  [...returns.flatMap((one) => [one.seen, ...one.refunds]), ...refunds].every(
    ({ platform, orderId }) => platform === order.platform && orderId === order.orderId,
  );

/** Runs a stored delivery: sees how what it is about stands on the platform, and brings ours to that. */
export const runDelivery = async (
  backend: InboxBackend,
  platform: Translator,
  row: InboxRow,
  key: string,
  deadline: number,
): Promise<DeliveryOutcome> => {
  const bytes = await readBody(row, deadline);
  if (!bytes.ok) return bytes.failure;
  const body = parseJson(bytes.value.toString('utf8'));
  if (body === undefined) return { status: 'parked', reason: 'payload_not_json' };
  const prepared = await platform.prepare({ source: row.source, topic: row.topic, body }, deadline);
  if (prepared.kind === 'parked') {
    return {
      status: 'parked',
      reason: prepared.path === undefined ? prepared.reason : `${prepared.reason} at ${prepared.path || '/'}`,
    };
  }
  if (prepared.kind !== 'seen') return { status: prepared.kind, reason: prepared.reason };
  if (!isOfOneOrder(prepared)) return { status: 'parked', reason: 'seen_of_another_order' };
  const look: RefetchReturn = async (externalId) => platform.refetchReturn(row.source, externalId, deadline);
  const { platform: orderPlatform, orderId } = prepared.order;
  const conclusion = await syncSnapshot(backend, prepared, look, callOf(row, key, deadline));
  return { ...conclusion, order: { platform: orderPlatform, orderId } };
};
