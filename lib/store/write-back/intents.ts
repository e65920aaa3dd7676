import { type Intent, isOpen, isUncertain, type IntentStatus } from '../../domain/write-back/intent.ts';
import type { Instant, OrderRef } from '../../domain/returns/model/order.ts';
import { batchGet } from '../engine/batch-get.ts';
import { dueAttributesAt, duePartitions } from '../engine/due.ts';
import { type Bounds, type IndexPartitions, readIndexPage } from '../engine/index-page.ts';
import { intentKey, writeBackPartition } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, removeVersion, transact, type Write } from '../engine/transact.ts';
import { statusPartition } from './intent-counts.ts';

/*
 * What commands want at the shop of an order. All intents of an order are in one partition with the lease of its worker,
 * because the shop gets one request of an order at a time.
 */

/** An intent that has ended is kept this long. The history of its return has the command, and the shop the effect. */
const retentionSeconds = 180 * 24 * 3600;

type Item = { readonly pk: string; readonly sk: string; readonly value: string | Uint8Array };

const intentIn = ({ value }: Pick<Item, 'value'>): Intent => unpack(value) as Intent;

const attributesOf = (intent: Intent) => {
  const { id, version, order, status, dueAt, updatedAt } = intent;
  const { listKey, dueKey } = dueAttributesAt('intents', writeBackPartition(order), Date.parse(dueAt ?? updatedAt));
  return {
    id,
    version,
    listKey,
    ...(dueAt !== undefined && { dueKey }),
    ...(isOpen(intent)
      ? { statusKey: statusPartition(status) }
      : { expiresAt: Math.floor(Date.parse(updatedAt) / 1000) + retentionSeconds }),
    value: pack(intent),
  };
};

/** Writes the next version of an intent, on condition of the one before. Version 1 is a new intent. */
export const writeIntent = (intent: Intent): Write =>
  putVersion('intent', intentKey(intent.order, intent.id), attributesOf(intent), intent.version - 1);

/** Returns the intents of an order, oldest first. Strongly consistent. */
export const readIntentsOf = async (session: Session, order: OrderRef): Promise<readonly Intent[]> => {
  const items = await queryAll<Item>(session, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :intent)',
    ExpressionAttributeValues: { ':pk': writeBackPartition(order), ':intent': 'INTENT#' },
    ConsistentRead: true,
  });
  return items.map(intentIn);
};

/** Whether a delivery of that instant may show an effect that was not recognised. Strongly consistent. */
export const hasUncertainIntent = async (session: Session, order: OrderRef, receivedAt: Instant): Promise<boolean> =>
  (await readIntentsOf(session, order)).some((intent) => isUncertain(intent, receivedAt));

/** Returns the intents of index rows, in their order. Eventually consistent. */
const readListed = async (
  session: Session,
  query: IndexPartitions,
  bounds: Bounds,
  limit: number,
): Promise<IntentPage> => {
  const { items, rest, last } = await readIndexPage(session, query, bounds, limit);
  const keys = items.map(({ item }) => ({ pk: String(item['pk']), sk: String(item['sk']) }));
  const read = (await batchGet(session, keys, ['id', 'value'])) as (Item & { readonly id: string })[];
  const found = new Map(read.map((item) => [item.id, intentIn(item)]));
  return {
    intents: items.flatMap(({ position }) => found.get(position) ?? []),
    ...(rest && last !== undefined && { rest: last }),
  };
};

/** A page of intents, newest first. `rest` is the position below which more follow. */
export type IntentPage = { readonly intents: readonly Intent[]; readonly rest?: string };

const byCreation = (): IndexPartitions => ({
  name: 'byCreation',
  attribute: 'listKey',
  sort: 'id',
  partitions: duePartitions('intents'),
});

/** Returns a page of intents, newest first: all, or those with one of some statuses that have not ended. */
export const readIntents = async (
  session: Session,
  statuses: readonly IntentStatus[] | undefined,
  bounds: Bounds,
  limit: number,
): Promise<IntentPage> =>
  readListed(
    session,
    statuses === undefined
      ? byCreation()
      : { name: 'byStatus', attribute: 'statusKey', sort: 'id', partitions: statuses.map(statusPartition) },
    bounds,
    limit,
  );

/** Returns an intent by its id, or undefined. Its row is found by an index, and read strongly consistent. */
export const readIntent = async (session: Session, intentId: string): Promise<Intent | undefined> => {
  const { intents } = await readListed(session, byCreation(), { from: intentId, before: `${intentId}~` }, 1);
  const [listed] = intents;
  if (listed?.id !== intentId) return undefined;
  const { pk, sk } = intentKey(listed.order, intentId);
  const [item] = (await batchGet(session, [{ pk, sk }], ['value'], { consistent: true })) as Item[];
  return item && intentIn(item);
};

/** Deletes an intent that nothing wants, unless it has changed. */
export const removeIntent = async (session: Session, { id, order, version }: Intent): Promise<void> => {
  await transact(session, [removeVersion('intent', intentKey(order, id), version)]);
};
