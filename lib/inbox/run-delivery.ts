import type { Call } from '../contract/port.ts';
import { type Failure, ok, type Result } from '../contract/result.ts';
import type { RemoteSnapshot, ShopFailure, Translator } from '../platforms/platform.ts';
import { cancellationConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { parseJson } from '../runtime/json.ts';
import type { InboxRow } from '../store/inbox/inbox-row.ts';
import type { Settlement } from '../store/inbox/inbox.ts';
import { readCancellationWork } from '../store/withdrawals/cancellation-work.ts';
import type { InboxBackend } from './backend.ts';
import { listReturnsOf } from './returns-of-order.ts';
import { endedStatuses, syncReturn, type SyncResult, syncDeletedReturn, transientCodes } from './sync-return.ts';
import { readBody } from './row.ts';
import { cancellationPending, cancelOrder } from './withdrawals/cancel-order.ts';
import { matchDeclaration, type StoredDeclaration, storeDeclaration } from './withdrawals/sync-withdrawals.ts';

/** Our return, and the id of the platform's return that no longer exists. */
type DeletedUpstream = { readonly returnId: string; readonly externalId: string };

const cancellation = configured(cancellationConfig);

/**
 * Finds open returns of an order whose return on the platform is deleted.
 * A return that was created just now may be missing. The next sync of its order finds it.
 *
 * @param still the ids of the returns that the platform still has
 */
const findDeletedUpstream = async (
  backend: InboxBackend,
  { platform, orderId }: { readonly platform: string; readonly orderId: string },
  still: ReadonlySet<string>,
  call: Call,
): Promise<Result<readonly DeletedUpstream[]>> => {
  const listed = await listReturnsOf(backend, { platform, orderId }, call);
  if (!listed.ok) return listed;
  const deleted = listed.value
    .filter(({ managedBy, status }) => managedBy === 'platform' && !endedStatuses.has(status))
    .flatMap(({ returnId, externalRefs }) => {
      const own = externalRefs.filter((ref) => ref.platform === platform);
      return own.some(({ id }) => still.has(id)) ? [] : own.slice(0, 1).map(({ id }) => ({ returnId, externalId: id }));
    });
  return ok(deleted);
};

/** The outcome of an attempt at a delivery: settled, or to be retried. */
export type DeliveryOutcome =
  | Settlement
  | { readonly status: 'retry'; readonly reason: string; readonly order?: Settlement['order'] };

const outcomeOfFailure = ({ code, errors }: Failure): DeliveryOutcome => {
  if (transientCodes.has(code)) return { status: 'retry', reason: code };
  const [fault] = errors ?? [];
  // The text may come from another system, so only a pointer and a code are stored.
  const pointer =
    fault !== undefined && /^[\w:/.~-]{0,200} [a-z_]{1,40}$/.test(`${fault.path} ${fault.code}`)
      ? ` at ${fault.path}: ${fault.code}`
      : '';
  return { status: 'parked', reason: `${code}${pointer}` };
};

const callOf = (row: Pick<InboxRow, 'platform' | 'source' | 'traceId'>, key: string, deadline: number): Call => ({
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

/** Returns the outcome of a failure of the service or of the shop. */
const outcomeOfEither = (failure: Failure | ShopFailure): DeliveryOutcome =>
  'code' in failure ? outcomeOfFailure(failure) : outcomeOfShopFailure(failure);

/** The progress of a sync: the first return, the recorded refunds, and the first failure. */
type SyncProgress = { returnId?: string; readonly booked: Set<string>; refused?: DeliveryOutcome };

/**
 * Records the result of a return, and returns the outcome if the delivery must be retried.
 * Otherwise returns undefined: a permanent failure of one return does not block the next.
 */
const recordSyncResult = (progress: SyncProgress, followed: SyncResult): DeliveryOutcome | undefined => {
  if (followed.kind !== 'followed') {
    const conclusion = outcomeOfEither(followed.failure);
    if (conclusion.status === 'retry') return conclusion;
    progress.refused ??= conclusion;
    return undefined;
  }
  if (followed.returnId !== undefined) progress.returnId ??= followed.returnId;
  for (const id of followed.booked ?? []) progress.booked.add(id);
  if (followed.refused !== undefined) progress.refused ??= outcomeOfEither(followed.refused);
  return undefined;
};

/** Syncs the returns, first those that are deleted upstream, if known. Their units are free for other returns then. */
const syncReturns = async (
  backend: InboxBackend,
  { order, returns, isAll }: RemoteSnapshot,
  refetch: RefetchReturn,
  call: Call,
  progress: SyncProgress,
): Promise<DeliveryOutcome | undefined> => {
  if (isAll === true) {
    const deleted = await findDeletedUpstream(
      backend,
      order,
      new Set(returns.map(({ remote }) => remote.externalId)),
      call,
    );
    if (!deleted.ok) return outcomeOfFailure(deleted.failure);
    for (const { returnId, externalId } of deleted.value) {
      const ended = recordSyncResult(
        progress,
        await syncDeletedReturn(backend, returnId, async () => refetch(externalId), call),
      );
      if (ended !== undefined) return ended;
    }
  }
  for (const { remote, refunds } of returns) {
    const ended = recordSyncResult(
      progress,
      await syncReturn(backend, remote, refunds, async () => refetch(remote.externalId), call),
    );
    if (ended !== undefined) return ended;
  }
  return undefined;
};

/** Records a failure, and returns the outcome if the delivery must be retried. */
const recordFailure = (progress: SyncProgress, failure: Failure): DeliveryOutcome | undefined => {
  const conclusion = outcomeOfFailure(failure);
  if (conclusion.status === 'retry') return conclusion;
  progress.refused ??= conclusion;
  return undefined;
};

/**
 * Syncs a snapshot: the declarations of withdrawal, the order facts, the returns, and refunds that belong to no return.
 * The declarations are first, so that no fault in the facts delays them. They are matched with the facts of the order.
 */
const syncSnapshot = async (
  backend: InboxBackend,
  snapshot: RemoteSnapshot,
  refetch: RefetchReturn,
  call: Call,
): Promise<DeliveryOutcome> => {
  const progress: SyncProgress = { booked: new Set() };
  const declarations: StoredDeclaration[] = [];
  for (const withdrawal of snapshot.withdrawals ?? []) {
    const stored = await storeDeclaration(backend, withdrawal, call);
    if (stored.ok) declarations.push(stored.value);
    const retry = stored.ok ? undefined : recordFailure(progress, stored.failure);
    if (retry !== undefined) return retry;
  }
  const registered = await backend.registerOrder(snapshot.order, call);
  // The order is known and a return has fixed its prices. The stored facts serve this return too.
  if (!registered.ok && registered.failure.code !== 'order_facts_frozen') return outcomeOfFailure(registered.failure);
  for (const declaration of declarations) {
    const matched = await matchDeclaration(backend, declaration, snapshot.order, call);
    const retry = matched.ok ? undefined : recordFailure(progress, matched.failure);
    if (retry !== undefined) return retry;
  }
  const ended = await syncReturns(backend, snapshot, refetch, call, progress);
  if (ended !== undefined) return ended;
  for (const refund of snapshot.refunds.filter(({ externalId }) => !progress.booked.has(externalId))) {
    const recorded = await backend.recordRefund(refund, call);
    const retry = recorded.ok ? undefined : recordFailure(progress, recorded.failure);
    if (retry !== undefined) return retry;
  }
  const { refused = snapshot.unread && outcomeOfShopFailure(snapshot.unread), returnId } = progress;
  if (refused !== undefined) return refused;
  return { status: 'done', ...(returnId === undefined ? {} : { returnId }) };
};

/** Whether all returns and refunds of a snapshot belong to its order, and all withdrawals to its platform. */
const isOfOneOrder = ({ order, returns, refunds, withdrawals = [] }: RemoteSnapshot): boolean =>
  [...returns.flatMap((one) => [one.remote, ...one.refunds]), ...refunds].every(
    ({ platform, orderId }) => platform === order.platform && orderId === order.orderId,
  ) && withdrawals.every(({ declaration }) => declaration.source.platform === order.platform);

/** Syncs the snapshot of a shop. */
const applySnapshot = async (
  backend: InboxBackend,
  platform: Pick<Translator, 'refetchReturn'>,
  snapshot: RemoteSnapshot,
  source: string,
  call: Call,
): Promise<DeliveryOutcome> => {
  if (!isOfOneOrder(snapshot)) return { status: 'parked', reason: 'seen_of_another_order' };
  const refetch: RefetchReturn = async (externalId) => platform.refetchReturn(source, externalId, call.deadline);
  const { platform: orderPlatform, orderId } = snapshot.order;
  const conclusion = await syncSnapshot(backend, snapshot, refetch, call);
  return { ...conclusion, order: { platform: orderPlatform, orderId } };
};

/** Runs a stored delivery: fetches the current state from the platform and applies the difference. */
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
  if (prepared.kind !== 'snapshot') return { status: prepared.kind, reason: prepared.reason };
  return applySnapshot(backend, platform, prepared, row.source, callOf(row, key, deadline));
};

/** The attempts in which a shop may take its time to cancel an order. Then the worker asks it again. */
const pendingAttempts = 8;

/** Whether an earlier attempt has asked the shop, and the shop may still cancel the order. */
const isPending = ({ lastError, attempts }: InboxRow): boolean =>
  lastError === cancellationPending && attempts % pendingAttempts !== 0;

/**
 * Runs the work of a withdrawal: cancels the order at its shop, and syncs the state afterwards.
 * A withdrawal that ended meanwhile, such as a mistake, cancels nothing.
 */
export const runCancellation = async (
  backend: InboxBackend,
  platforms: Readonly<Record<string, Translator>>,
  row: InboxRow,
  key: string,
  deadline: number,
): Promise<DeliveryOutcome> => {
  if (!cancellation().isAtPlatform) return { status: 'parked', reason: 'cancellation_off' };
  const bytes = await readBody(row, deadline);
  if (!bytes.ok) return bytes.failure;
  const work = readCancellationWork(bytes.value);
  if (work === undefined) return { status: 'parked', reason: 'payload_unexpected' };
  const order = { platform: row.platform, orderId: work.orderId };
  const { withdrawalId } = work;
  const withdrawal = await backend.getWithdrawal({ withdrawalId }, callOf(row, key, deadline));
  if (!withdrawal.ok) return { ...outcomeOfFailure(withdrawal.failure), order };
  const { status } = withdrawal.value.body;
  if (status === 'withdrawn' || status === 'answered')
    return { status: 'ignored', reason: `withdrawal_${status}`, order };
  const cancelled = await cancelOrder(platforms, { ...order, isPending: isPending(row) }, deadline);
  if (!cancelled.ok) return { ...outcomeOfShopFailure(cancelled.failure), order };
  const { translator, platform, source, snapshot } = cancelled.value;
  const call = callOf({ platform, source, traceId: row.traceId }, key, deadline);
  return applySnapshot(backend, translator, snapshot, source, call);
};
