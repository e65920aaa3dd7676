import { pauseBeforeRetry } from '../../runtime/retry.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import type { Key } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { put, putNew, putOne, transact, updateIf, type Write } from '../engine/transact.ts';
import {
  listAttributes,
  orderLinksPartition,
  positionOf,
  returnLinksPartition,
  waitingAttributes,
} from './inbox-index.ts';
import { nameLinkKeys } from './inbox-names.ts';
import { inboxKey, type InboxRow, type InboxStatus } from './inbox-row.ts';

export const isSettled = ({ status }: Pick<InboxRow, 'status'>): boolean =>
  status !== 'received' && status !== 'failed';

const sk = 'DELIVERY';
const maxTries = 8;
const pauseLimits = { stepMs: 20 };

/** Returns the table key of a delivery from its key in queues and callers. */
export const deliveryKey = (key: string): Key => ({ pk: key, sk });

/** Returns the delivery of a key, as last written. */
export const readDelivery = async (session: Session, key: string): Promise<InboxRow | undefined> =>
  getItem<InboxRow>(session, deliveryKey(key));

export type StoreOutcome =
  | { readonly kind: 'new'; readonly key: string }
  | { readonly kind: 'duplicate'; readonly key: string; readonly row: InboxRow };

/**
 * Stores a delivery unless it is known: by its id or, where the body alone identifies the event, by its signed bytes.
 *
 * @throws the store's errors: the caller must not acknowledge the delivery to the shop
 */
export const storeDelivery = async (session: Session, row: InboxRow): Promise<StoreOutcome> => {
  const key = inboxKey(row);
  const write = putNew('delivery', deliveryKey(key), { ...row, ...waitingAttributes(key, row.receivedAt) });
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const outcome = await putOne(session, write);
    if (outcome.written) return { kind: 'new', key };
    // An item that a transaction holds is not visible yet.
    const first = outcome.failed.length > 0 ? await readDelivery(session, key) : undefined;
    // After a lost response the SDK repeats the put, and finds the delivery that it has stored.
    if (first?.traceId === row.traceId && first.receivedAt === row.receivedAt) return { kind: 'new', key };
    if (first !== undefined) return { kind: 'duplicate', key, row: first };
    await pauseBeforeRetry(tries, pauseLimits, session.signal);
  }
  throw new Error('too many copies of one delivery at once');
};

/**
 * Returns the condition that no replay has happened since the read: a late worker must not settle a replayed delivery.
 */
const sameRunGuard = ({ runs }: Pick<InboxRow, 'runs'>) =>
  runs === undefined
    ? { condition: 'attribute_not_exists(runs)' }
    : { condition: 'runs = :runs', values: { ':runs': runs } };

type Guard = { readonly condition: string; readonly values?: Readonly<Record<string, unknown>> };

/** Returns an update of an unsettled row. The first one lists the row by creation and by status. */
const updateOf = (row: InboxRow, status: InboxStatus, changes: Readonly<Record<string, unknown>>, guard: Guard) => {
  const key = inboxKey(row);
  const { id, statusKey } = listAttributes(key, { ...row, status });
  const set: Readonly<Record<string, unknown>> = { id, statusKey, ...changes };
  const names = Object.keys(set);
  const sets = ['#status = :status', ...names.map((name) => `${name} = :${name}`)];
  return {
    TableName: table(),
    Key: { pk: key, sk },
    // Removing `dueKey` prevents another message: the worker got one.
    UpdateExpression: `SET ${sets.join(', ')} REMOVE dueKey ADD attempts :one`,
    ConditionExpression: `#status IN (:received, :failed) AND ${guard.condition}`,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':received': 'received',
      ':failed': 'failed',
      ':status': status,
      ':one': 1,
      ...guard.values,
      ...Object.fromEntries(names.map((name) => [`:${name}`, set[name]])),
    },
  };
};

type Update = ReturnType<typeof updateOf>;

/**
 * Updates an unsettled row, and writes the rows that lead to it. Returns false when the row was settled. Only an update
 * with such rows is a transaction, which costs twice as much.
 */
const updateLinked = async (session: Session, update: Update, links: readonly Write[]): Promise<boolean> => {
  if (links.length === 0) return updateIf(session, update);
  const writes: readonly Write[] = [{ guards: 'delivery', action: { Update: update } }, ...links];
  for (let tries = 1; tries <= maxTries; tries += 1) {
    const outcome = await transact(session, writes);
    if (outcome.written) return true;
    if (outcome.failed.length > 0) return false;
    await pauseBeforeRetry(tries, pauseLimits, session.signal);
  }
  throw new Error('too many writers of one delivery at once');
};

/** The data by which a delivery is found later: its order, or digests of the names in its body. */
type DeliveryLinks = {
  readonly order?: { readonly platform: string; readonly orderId: string };
  readonly nameDigests?: readonly string[];
};

/** The result of a delivery, and the data by which it is found. */
export type Settlement = DeliveryLinks &
  (
    | { readonly status: 'done'; readonly returnId?: string }
    | { readonly status: 'ignored' | 'parked'; readonly reason: string }
  );

/** Returns the rows that lead to a delivery. */
const linkWrites = (
  row: InboxRow,
  { order, returnId, nameDigests = [] }: DeliveryLinks & { returnId?: string },
): readonly Write[] => {
  const key = inboxKey(row);
  const sk = positionOf(key, row.receivedAt);
  const keys = [
    ...(returnId === undefined ? [] : [{ pk: returnLinksPartition(returnId), sk }]),
    ...(order === undefined ? [] : [{ pk: orderLinksPartition(order), sk }]),
    ...nameLinkKeys(key, { receivedAt: row.receivedAt, nameDigests }),
  ];
  return keys.map((linkKey) => put('link', linkKey, { delivery: key, expiresAt: row.expiresAt }));
};

/** Settles a delivery once. Returns false to a late worker, also after a replay, and changes nothing then. */
export const settleDelivery = async (
  session: Session,
  row: InboxRow,
  settlement: Settlement,
  at: string,
): Promise<boolean> => {
  const { status, order, ...fields } = settlement;
  const set = {
    settledAt: at,
    ...fields,
    ...(order !== undefined && { orderId: order.orderId }),
    ...(order !== undefined && order.platform !== row.platform && { orderPlatform: order.platform }),
  };
  const update = updateOf(row, status, set, sameRunGuard(row));
  return updateLinked(session, update, linkWrites(row, settlement));
};

/**
 * Records a failed attempt; `status` is `failed` for the last one. It never overwrites the result of another worker or
 * of a replay.
 *
 * @param nameDigests of a failed delivery without a readable order
 */
export const recordAttempt = async (
  session: Session,
  row: InboxRow,
  status: 'received' | 'failed',
  lastError: string,
  nameDigests?: readonly string[],
): Promise<boolean> => {
  const set = { lastError, ...(nameDigests !== undefined && { nameDigests }) };
  const update = updateOf(row, status, set, sameRunGuard(row));
  return updateLinked(session, update, linkWrites(row, nameDigests === undefined ? {} : { nameDigests }));
};
