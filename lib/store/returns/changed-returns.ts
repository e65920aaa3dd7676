import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Summary } from '../../domain/returns/summary.ts';
import { table } from '../engine/client.ts';
import { updateIndexQuery } from '../engine/indexes.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';

/* Returns in the order of their last change. All reads are eventually consistent, as an index is. */

/** A return at its last change. Positions sort by the time of the change, and begin with it. */
export type ChangedReturn = { readonly position: string; readonly summary: Summary };

/** Sorts below every position. */
export const lowestPosition = '!';

/** Returns the partitions of the order. Each is read by itself. */
export const changePartitions = (): readonly string[] => updateIndexQuery().partitions;

/**
 * Reads returns by their last change, the oldest first.
 *
 * @param range positions or instants, both ends included
 */
export const readChanged = async (
  session: Session,
  partition: string,
  { from, to }: { readonly from: string; readonly to: string },
  limit: number,
): Promise<readonly ChangedReturn[]> => {
  // The engine rejects a range whose lower end is above its upper end.
  if (from > to) return [];
  const { name, attribute, sort } = updateIndexQuery();
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
      Limit: limit,
    }),
  );
  return (Items as { [name: string]: string | Uint8Array }[]).map((item) => ({
    position: String(item[sort]),
    summary: unpack(item['summary'] ?? '') as Summary,
  }));
};

/** Returns the time of the newest change, or undefined when there is no return. */
export const readNewestChange = async (session: Session): Promise<string | undefined> => {
  const { name, attribute, sort, partitions } = updateIndexQuery();
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
