import type { Call } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { ok } from '../../runtime/result.ts';
import type { OrderFacts, RemoteSnapshot, Translator } from '../platforms/platform.ts';
import { writeBackConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { parseJson } from '../../runtime/json.ts';
import { openSession } from '../../store/engine/session.ts';
import { hasUncertainIntent } from '../../store/write-back/intents.ts';
import { isWritingBack } from '../../store/write-back/lease.ts';
import type { InboxRow } from '../../store/inbox/inbox-row.ts';
import type { InboxBackend } from '../../contract/inbox/sync.ts';
import { done, type Outcome, outcomeOf, outcomeOfFailure, outcomeOfShopFailure, runInOrder } from './outcome.ts';
import { listReturnsOf } from './returns-of-order.ts';
import { readBody } from './row.ts';
import { endedStatuses, syncDeletedReturn, syncReturn } from './sync-return.ts';
import { matchDeclaration, type StoredDeclaration, storeDeclaration } from './withdrawals/sync-withdrawals.ts';

/** Our return, and the id of the platform's return that no longer exists. */
type DeletedUpstream = { readonly returnId: string; readonly externalId: string };

const writeBackSettings = configured(writeBackConfig);

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

const callOf = (row: Pick<InboxRow, 'platform' | 'source' | 'traceId'>, key: string, deadline: number): Call => ({
  caller: { clientId: 'inbox', scopes: ['returns:write'], onBehalfOf: `${row.platform}:${row.source}` },
  dryRun: false,
  traceId: row.traceId,
  causationId: key,
  deadline,
});

type RefetchReturn = (externalId: string) => ReturnType<Translator['refetchReturn']>;

/** Syncs the returns, first those that are deleted upstream, if known. Their units are free for other returns then. */
const syncReturns = async (
  backend: InboxBackend,
  { order, returns, isAll }: RemoteSnapshot,
  recorded: Set<string>,
  refetch: RefetchReturn,
  call: Call,
): Promise<Outcome> => {
  const still = new Set(returns.map(({ remote }) => remote.externalId));
  const deleted = isAll === true ? await findDeletedUpstream(backend, order, still, call) : ok([]);
  if (!deleted.ok) return outcomeOfFailure(deleted.failure);
  return runInOrder([
    ...deleted.value.map(
      ({ returnId, externalId }) =>
        async () =>
          syncDeletedReturn(backend, returnId, async () => refetch(externalId), call),
    ),
    ...returns.map(
      ({ remote, refunds }) =>
        async () =>
          syncReturn(backend, remote, refunds, recorded, async () => refetch(remote.externalId), call),
    ),
  ]);
};

/**
 * Syncs a snapshot: the declarations of withdrawal, the order facts, the returns, and refunds that belong to no return.
 * The declarations are first, so that no error in the facts delays them. They are matched with the facts of the order.
 * A permanent failure of one part does not block the next.
 */
const syncSnapshot = async (
  backend: InboxBackend,
  snapshot: RemoteSnapshot,
  refetch: RefetchReturn,
  call: Call,
): Promise<Outcome> => {
  const { order, refunds, unread, withdrawals = [] } = snapshot;
  const declarations: StoredDeclaration[] = [];
  const declared = await runInOrder(
    withdrawals.map((withdrawal) => async () => {
      const stored = await storeDeclaration(backend, withdrawal, call);
      if (stored.ok) declarations.push(stored.value);
      return outcomeOf(stored);
    }),
  );
  if (declared.status === 'retry') return declared;
  const registered = await backend.registerOrder(order, call);
  // The order is known and a return has fixed its prices. The stored facts serve this return too.
  if (!registered.ok && registered.failure.code !== 'order_facts_frozen') return outcomeOfFailure(registered.failure);
  const recorded = new Set<string>();
  return runInOrder([
    async () => declared,
    ...declarations.map((declaration) => async () => matchDeclaration(backend, declaration, order, call)),
    async () => syncReturns(backend, snapshot, recorded, refetch, call),
    ...refunds.map(
      (refund) => async () =>
        recorded.has(refund.externalId) ? done : outcomeOf(await backend.recordRefund(refund, call)),
    ),
    async () => (unread === undefined ? done : outcomeOfShopFailure(unread)),
  ]);
};

/** Whether all returns and refunds of a snapshot belong to its order, and all withdrawals to its platform. */
const isOfOneOrder = ({ order, returns, refunds, withdrawals = [] }: RemoteSnapshot): boolean =>
  [...returns.flatMap((snapshot) => [snapshot.remote, ...snapshot.refunds]), ...refunds].every(
    ({ platform, orderId }) => platform === order.platform && orderId === order.orderId,
  ) && withdrawals.every(({ declaration }) => declaration.source.platform === order.platform);

/**
 * Whether a request of ours to the shop of an order has no known outcome. Its effect may be in the snapshot, without the
 * id by which our return knows it. So the snapshot waits: else our own refund, for example, counts as another one.
 */
const isAskingShop = async (
  order: Pick<OrderFacts, 'platform' | 'orderId'>,
  receivedAt: string,
  deadline: number,
): Promise<boolean> => {
  if (!writeBackSettings().platforms.has(order.platform)) return false;
  using session = openSession(deadline);
  return (await isWritingBack(session, order, Date.now())) || (await hasUncertainIntent(session, order, receivedAt));
};

/** Syncs the snapshot of a shop. */
const applySnapshot = async (
  backend: InboxBackend,
  platform: Pick<Translator, 'refetchReturn'>,
  snapshot: RemoteSnapshot,
  { source, receivedAt }: Pick<InboxRow, 'source' | 'receivedAt'>,
  call: Call,
): Promise<Outcome> => {
  if (!isOfOneOrder(snapshot)) return { status: 'parked', reason: 'seen_of_another_order' };
  const refetch: RefetchReturn = async (externalId) => platform.refetchReturn(source, externalId, call.deadline);
  const { platform: orderPlatform, orderId } = snapshot.order;
  if (await isAskingShop(snapshot.order, receivedAt, call.deadline))
    return { status: 'retry', reason: 'write_back_in_progress', order: { platform: orderPlatform, orderId } };
  const outcome = await syncSnapshot(backend, snapshot, refetch, call);
  return { ...outcome, order: { platform: orderPlatform, orderId } };
};

/** Runs a stored delivery: fetches the current state from the platform and applies the difference. */
export const runDelivery = async (
  backend: InboxBackend,
  platform: Translator,
  row: InboxRow,
  key: string,
  deadline: number,
): Promise<Outcome> => {
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
  return applySnapshot(backend, platform, prepared, row, callOf(row, key, deadline));
};
