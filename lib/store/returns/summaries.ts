import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Summary } from '../../returns/summary.ts';
import { sum } from '../../runtime/sum.ts';
import { batchGet } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { deadlineIndexQuery, type IndexQuery } from '../engine/indexes.ts';
import { returnKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { type Bounds, type PositionedItem, readIndexPage } from '../engine/index-page.ts';

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

/** A summary, and its position. */
export type PositionedSummary = { readonly position: string; readonly summary: Summary };

/** Summaries by descending position. `rest` reports that lower ones follow `last`. */
export type SummaryPage = {
  readonly items: readonly PositionedSummary[];
  readonly rest: boolean;
  readonly last?: string;
};

/** An index row of a return, with its summary when the index holds it. */
type Row = { readonly position: string; readonly id: string; readonly summary?: Summary };

const rowOf = ({ position, item }: PositionedItem): Row => {
  const { summary } = item as { summary?: string | Uint8Array };
  const id = position.slice(position.indexOf('ret_'));
  return { position, id, ...(summary === undefined ? {} : { summary: unpack(summary) as Summary }) };
};

/** Reads the summaries of snapshots. A return that was deleted since the index read is left out. */
const readSnapshots = async (session: Session, rows: readonly Row[]): Promise<PositionedSummary[]> => {
  const keys = rows.map(({ id }) => returnKey(id));
  const read = (await batchGet(session, keys, ['id', 'summary'])) as { id: string; summary: string | Uint8Array }[];
  const summaries = new Map(read.map(({ id, summary }) => [id, unpack(summary) as Summary]));
  return rows.flatMap(({ position, id }) => {
    const summary = summaries.get(id);
    return summary === undefined ? [] : [{ position, summary }];
  });
};

/**
 * Returns a page of summaries. Eventually consistent, as indexes are. It may be short, because one response of the
 * engine ends at 1 MiB.
 *
 * @param limit the maximum that it reads of each partition, and in total when the index holds only keys
 */
export const readSummaries = async (
  session: Session,
  lookup: IndexQuery,
  bounds: Bounds,
  limit: number,
): Promise<SummaryPage> => {
  const stretch = await readIndexPage(session, lookup, bounds, limit);
  const rows = stretch.items.map(rowOf);
  const looked = lookup.holds === 'keys' ? rows.slice(0, limit) : rows;
  const last = looked.at(-1)?.position;
  const rest = stretch.rest || looked.length < rows.length;
  const items =
    lookup.holds === 'keys'
      ? await readSnapshots(session, looked)
      : looked.flatMap(({ position, summary }) => (summary === undefined ? [] : [{ position, summary }]));
  return { items, rest, ...(last === undefined ? {} : { last }) };
};
