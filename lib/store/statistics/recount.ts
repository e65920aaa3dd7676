import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Summary } from '../../returns/summary.ts';
import { table } from '../engine/client.ts';
import { getItem } from '../engine/get-item.ts';
import { updateLookup } from '../engine/indexes.ts';
import { recountKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';

/** A return that has changed, and its place among those that have. */
export type Changed = { readonly position: string; readonly returnId: string; readonly version: number };

/** Lower than every position. */
const lowest = '!';

/** The partitions in which changed returns stand, in the order of their changes. */
export const changePartitions = (): readonly string[] => updateLookup().partitions;

/** Up to where a partition was checked. */
export const readChecked = async (session: Session, partition: string): Promise<string> =>
  (await getItem<{ position: string }>(session, recountKey(partition)))?.position ?? lowest;

/** Notes up to where a partition was checked: of two that check at once, either may be right. */
export const writeChecked = async (session: Session, partition: string, position: string): Promise<void> => {
  await session.send(new PutCommand({ TableName: table(), Item: { ...recountKey(partition), position } }));
};

/**
 * Returns by their last change, oldest first, from a position on, which is one of them. Eventually consistent.
 *
 * @param until what changed at this time or later is left out
 */
export const readChanged = async (
  session: Session,
  partition: string,
  from: string,
  until: string,
  limit: number,
): Promise<readonly Changed[]> => {
  const { name, attribute, sort } = updateLookup();
  // The engine takes no range that is upside down.
  if (from > until) return [];
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :until',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      ExpressionAttributeValues: { ':partition': partition, ':from': from, ':until': until },
      Limit: limit,
    }),
  );
  return Items.map((item) => {
    const { id, version } = unpack((item as { summary: string | Uint8Array }).summary) as Summary;
    return { position: String(item[sort]), returnId: id, version };
  });
};

/** The position of the newest change in each of the partitions. Eventually consistent. */
export const newestChange = async (session: Session): Promise<string | undefined> => {
  const { name, attribute, sort, partitions } = updateLookup();
  const found = await Promise.all(
    partitions.map(async (partition) => {
      const { Items = [] } = await session.send(
        new QueryCommand({
          TableName: table(),
          IndexName: name,
          KeyConditionExpression: '#partition = :partition',
          ExpressionAttributeNames: { '#partition': attribute },
          ExpressionAttributeValues: { ':partition': partition },
          ScanIndexForward: false,
          Limit: 1,
        }),
      );
      return Items.map((item) => String(item[sort]).split('#')[0] ?? '');
    }),
  );
  return found.flat().toSorted().at(-1);
};
