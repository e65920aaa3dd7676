import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import type { Key } from '../engine/keys.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { isConflict } from '../engine/transact.ts';
import { listPartitions, orderLinksPartition, positionOf, returnLinksPartition } from './inbox-index.ts';
import { nameLinkKeys } from './inbox-names.ts';
import type { InboxRow } from './inbox-row.ts';
import { bodyMarkerKey } from './inbox.ts';

/*
 * Deliveries whose time is over and that the table's own TTL has not deleted yet: it takes days where it has much to do.
 */

const attributes = [
  'pk',
  'sk',
  'platform',
  'source',
  'topic',
  'bodyHash',
  'receivedAt',
  'returnId',
  'orderId',
  'orderPlatform',
  'nameDigests',
  'runs',
  'expiresAt',
] as const satisfies readonly (keyof InboxRow | keyof Key)[];

/** A delivery whose time is over, as far as one must know it to delete what leads to it. */
export type ExpiredDelivery = Key & Pick<InboxRow, Exclude<(typeof attributes)[number], keyof Key>>;

/** What is over: received before an instant, and by its own word at `now`, in epoch seconds. */
export type ExpiryBounds = { readonly receivedBefore: string; readonly now: number };

/**
 * Walks the deliveries whose time is over, the oldest first, in each of the partitions that they lie in.
 *
 * @returns one walk for each partition, in pages of at most `limit`
 */
export const walkExpiredDeliveries = (
  session: Session,
  { receivedBefore, now }: ExpiryBounds,
  limit: number,
): readonly AsyncIterable<readonly ExpiredDelivery[]>[] =>
  listPartitions().map(async function* walk(partition) {
    const pages = queryPages<Key>(session, {
      IndexName: 'byCreation',
      KeyConditionExpression: 'listKey = :partition AND id < :before',
      ExpressionAttributeValues: { ':partition': partition, ':before': receivedBefore },
      Limit: limit,
    });
    for await (const items of pages) {
      const keys = items.map(({ pk, sk }) => ({ pk, sk }));
      const rows = (await batchGet(session, keys, attributes, { consistent: true })) as ExpiredDelivery[];
      yield rows.filter(({ expiresAt }) => expiresAt <= now);
    }
  });

/** Deletes an item whose time is over, and none that has meanwhile come in its place. */
const removeIfExpired = async (session: Session, key: Key, now: number): Promise<void> => {
  try {
    await session.send(
      new DeleteCommand({
        TableName: table(),
        Key: { pk: key.pk, sk: key.sk },
        ConditionExpression: 'expiresAt <= :now',
        ExpressionAttributeValues: { ':now': now },
      }),
    );
  } catch (error) {
    if (!isConflict(error, 'ConditionalCheckFailedException')) throw error;
  }
};

/** The rows that lead to a delivery: from what it was about, in each of its runs, and from its body. */
const linkKeysOf = (row: ExpiredDelivery): readonly Key[] => {
  const { pk, platform, receivedAt, returnId, orderId, orderPlatform = platform, runs = [] } = row;
  const returns = [returnId, ...runs.map((run) => run.returnId)].filter((id) => id !== undefined);
  const partitions = [
    ...returns.map(returnLinksPartition),
    ...(orderId === undefined ? [] : [orderLinksPartition({ platform: orderPlatform, orderId })]),
  ];
  const links = [...new Set(partitions)].map((partition) => ({ pk: partition, sk: positionOf(pk, receivedAt) }));
  return [...links, ...nameLinkKeys(pk, row), bodyMarkerKey(row)];
};

/** Deletes a delivery whose time is over, and before it what leads there: one that is still found is deleted again. */
export const removeDelivery = async (session: Session, row: ExpiredDelivery, now: number): Promise<void> => {
  await Promise.all(linkKeysOf(row).map(async (key) => removeIfExpired(session, key, now)));
  await removeIfExpired(session, row, now);
};
