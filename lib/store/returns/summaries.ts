import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Summary } from '../../domain/returns/summary.ts';
import { sum } from '../../runtime/sum.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { deadlineIndexQuery, type IndexQuery, workIndexQuery } from '../engine/indexes.ts';
import { returnKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { type PositionedItem, type Range, readIndexPage } from '../engine/index-page.ts';

/**
 * Counts the returns whose first open deadline is before `now`, up to `maximum`. Eventually consistent.
 *
 * @param now an instant in the format of returns
 */
export const countOverdue = async (
  session: Session,
  now: string,
  maximum: number,
): Promise<{ readonly count: number; readonly atLeast: boolean }> => {
  const { name, attribute, sort, partitions } = deadlineIndexQuery();
  const counts = await Promise.all(
    partitions.map(async (partition) => {
      const { Count = 0 } = await session.send(
        new QueryCommand({
          TableName: table(),
          IndexName: name,
          KeyConditionExpression: '#partition = :partition AND #sort < :now',
          ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
          ExpressionAttributeValues: { ':partition': partition, ':now': now },
          Select: 'COUNT',
          Limit: maximum + 1,
        }),
      );
      return Count;
    }),
  );
  const count = sum(counts);
  return { count: Math.min(count, maximum), atLeast: count > maximum };
};

type Visit = (summary: Summary) => void;

/**
 * Visits the oldest rows of a partition, up to `maximum`, by one request. The engine ends its response at 1 MiB, so long
 * summaries do not add to the cost. Returns whether these are all rows.
 */
const visitPartition = async (
  session: Session,
  { name, attribute }: IndexQuery,
  { partition, maximum }: { readonly partition: string; readonly maximum: number },
  visit: Visit,
): Promise<boolean> => {
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition',
      ExpressionAttributeNames: { '#partition': attribute },
      ExpressionAttributeValues: { ':partition': partition },
      Limit: maximum,
    }),
  );
  for (const { summary } of Items) visit(unpack(summary as Packed) as Summary);
  return LastEvaluatedKey === undefined;
};

/**
 * Visits the returns with work, the oldest of each partition. Eventually consistent, as indexes are.
 *
 * @param maximum about the number of visited returns, because each partition has an equal part of it
 * @returns whether all returns with work were visited
 */
export const visitWork = async (session: Session, maximum: number, visit: Visit): Promise<boolean> => {
  const lookup = workIndexQuery();
  // Half of the partitions hold ended returns, which are few.
  const share = Math.ceil((2 * maximum) / lookup.partitions.length);
  const complete = await Promise.all(
    lookup.partitions.map(async (partition) => visitPartition(session, lookup, { partition, maximum: share }, visit)),
  );
  return complete.every(Boolean);
};

/** A summary, and its position. */
export type PositionedSummary = { readonly position: string; readonly summary: Summary };

/** Summaries in the order of the read. `rest` reports that more follow `last`. */
export type SummaryPage = {
  readonly items: readonly PositionedSummary[];
  readonly rest: boolean;
  readonly last?: string;
};

type Packed = string | Uint8Array;

/** Returns the summary of a return as last written, or undefined. */
export const readSummary = async (session: Session, returnId: string): Promise<Summary | undefined> => {
  const item = await getItem<{ summary: Packed }>(session, returnKey(returnId));
  return item && (unpack(item.summary) as Summary);
};

/** Reads the summaries of snapshots by their ids. A return that was deleted since the index read is left out. */
const readSnapshots = async (session: Session, rows: readonly PositionedItem[]): Promise<PositionedSummary[]> => {
  const keys = rows.map(({ position }) => returnKey(position));
  const read = (await batchGet(session, keys, ['id', 'summary'])) as { id: string; summary: Packed }[];
  const summaries = new Map(read.map(({ id, summary }) => [id, unpack(summary) as Summary]));
  return rows.flatMap(({ position }) => {
    const summary = summaries.get(position);
    return summary === undefined ? [] : [{ position, summary }];
  });
};

/** Returns the projected summary of an index row. */
const projected = ({ position, item }: PositionedItem): PositionedSummary => ({
  position,
  summary: unpack((item as { readonly summary: Packed }).summary) as Summary,
});

/**
 * Returns a page of summaries. Eventually consistent, as indexes are. It may be short, because one response of the
 * engine ends at 1 MiB.
 *
 * @param limit the maximum that it reads of each partition, and in total when the index holds only keys
 */
export const readSummaries = async (
  session: Session,
  lookup: IndexQuery,
  bounds: Range,
  limit: number,
): Promise<SummaryPage> => {
  const page = await readIndexPage(session, lookup, bounds, limit);
  if (lookup.holds === 'summaries') return { ...page, items: page.items.map(projected) };
  const rows = page.items.slice(0, limit);
  const isCut = rows.length < page.items.length;
  const last = isCut ? rows.at(-1)?.position : page.last;
  const items = await readSnapshots(session, rows);
  return { items, rest: page.rest || isCut, ...(last === undefined ? {} : { last }) };
};
