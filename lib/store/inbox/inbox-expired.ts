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

/* Expired deliveries that the table's TTL has not deleted yet. A TTL may take days under load. */

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

/** The fields of an expired delivery that are needed to delete the rows that lead to it. */
export type ExpiredDelivery = Key & Pick<InboxRow, Exclude<(typeof attributes)[number], keyof Key>>;

/** Selects deliveries that were received before an instant and are expired at `now`, in epoch seconds. */
export type ExpiryBounds = { readonly receivedBefore: string; readonly now: number };

/** A delivery that no worker has attempted and the sweeper has not enqueued is in byDeadline alone. */
const indexes = [
  { name: 'byCreation', sort: 'id' },
  { name: 'byDeadline', sort: 'dueKey' },
] as const;

/**
 * Iterates over the expired deliveries, the oldest of each partition first. A reopened one may occur twice.
 *
 * @returns one iterator for each partition of each index, in pages of at most `limit`
 */
export const readExpiredDeliveries = (
  session: Session,
  { receivedBefore, now }: ExpiryBounds,
  limit: number,
): readonly AsyncIterable<readonly ExpiredDelivery[]>[] =>
  indexes.flatMap(({ name, sort }) =>
    listPartitions().map(async function* readPartition(partition) {
      const pages = queryPages<Key>(session, {
        IndexName: name,
        KeyConditionExpression: `listKey = :partition AND ${sort} < :before`,
        ExpressionAttributeValues: { ':partition': partition, ':before': receivedBefore },
        Limit: limit,
      });
      for await (const items of pages) {
        const keys = items.map(({ pk, sk }) => ({ pk, sk }));
        const rows = (await batchGet(session, keys, attributes, { consistent: true })) as ExpiredDelivery[];
        yield rows.filter(({ expiresAt }) => expiresAt <= now);
      }
    }),
  );

/** Deletes an expired item, but not an item that replaced it meanwhile. */
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

/** Returns the rows that lead to a delivery: by return and order of each run, and by name. */
const linkKeysOf = (row: ExpiredDelivery): readonly Key[] => {
  const { pk, platform, receivedAt, returnId, orderId, orderPlatform = platform, runs = [] } = row;
  const returns = [returnId, ...runs.map((run) => run.returnId)].filter((id) => id !== undefined);
  const partitions = [
    ...returns.map(returnLinksPartition),
    ...(orderId === undefined ? [] : [orderLinksPartition({ platform: orderPlatform, orderId })]),
  ];
  const links = [...new Set(partitions)].map((partition) => ({ pk: partition, sk: positionOf(pk, receivedAt) }));
  return [...links, ...nameLinkKeys(pk, row)];
};

/** Deletes an expired delivery after the rows that lead to it: a run that finds it again repeats both. */
export const removeDelivery = async (session: Session, row: ExpiredDelivery, now: number): Promise<void> => {
  await Promise.all(linkKeysOf(row).map(async (key) => removeIfExpired(session, key, now)));
  await removeIfExpired(session, row, now);
};
