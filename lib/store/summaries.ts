import { setTimeout as pause } from 'node:timers/promises';
import { BatchGetCommand, QueryCommand, type BatchGetCommandOutput } from '@aws-sdk/lib-dynamodb';
import type { Summary } from '../returns/summary.ts';
import { table } from './client.ts';
import type { Lookup } from './indexes.ts';
import { returnKey } from './keys.ts';
import { unpack } from './pack.ts';
import type { Session } from './session.ts';

/** A summary, and its place in the walk that found it. */
export type Found = { readonly position: string; readonly summary: Summary };

/** Summaries by their positions, the highest first; `rest` tells that there are lower ones, behind `last`. */
export type SummaryPage = { readonly items: readonly Found[]; readonly rest: boolean; readonly last?: string };

/** Which part of a walk: from the lowest position that may be, and below one that was seen. */
export type Bounds = { readonly from?: string; readonly before?: string };

/** What an index tells of a return: its summary, where it holds it. */
type Row = { readonly position: string; readonly id: string; readonly summary?: Summary };
type Rows = { readonly items: readonly Row[]; readonly rest: boolean };

/** Positions are of letters, digits and a few signs: these are below and above all of them. */
const [lowest, highest] = ['!', '~'];

/** The highest text below a position, among texts as long as it. A condition has both ends included. */
const justBelow = (position: string): string => {
  const last = position.length - 1;
  return `${position.slice(0, last)}${String.fromCodePoint((position.codePointAt(last) ?? 1) - 1)}${highest}`;
};

const rowOf = (item: Record<string, unknown>, sort: string): Row => {
  const position = item[sort] as string;
  const { summary } = item as { summary?: string | Uint8Array };
  const id = position.slice(position.indexOf('ret_'));
  return { position, id, ...(summary === undefined ? {} : { summary: unpack(summary) as Summary }) };
};

const queryPartition = async (
  session: Session,
  { name, attribute, sort }: Lookup,
  partition: string,
  { from = lowest, before }: Bounds,
  limit: number,
): Promise<Rows> => {
  const to = before === undefined ? highest : justBelow(before);
  // The engine takes no range that is upside down.
  if (from > to) return { items: [], rest: false };
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table,
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return { items: Items.map((item) => rowOf(item, sort)), rest: LastEvaluatedKey !== undefined };
};

/** The rows of all partitions in one order, as far down as every one of them was read. */
const merge = (partitions: readonly Rows[]): Rows => {
  // Below the end of a partition that has more, its own next one may come before what others have.
  const ends = partitions.filter(({ rest }) => rest).map(({ items }) => items.at(-1)?.position ?? highest);
  const floor = ends.toSorted().at(-1) ?? lowest;
  const items = partitions
    .flatMap((one) => one.items)
    .filter(({ position }) => position >= floor)
    .toSorted((a, b) => (a.position < b.position ? 1 : -1));
  return { items, rest: ends.length > 0 };
};

/** As many keys as one request takes. */
const batchSize = 100;

const readBatch = async (session: Session, ids: readonly string[]): Promise<[string, Summary][]> => {
  const read: [string, Summary][] = [];
  let keys: Record<string, unknown>[] | undefined = ids.map((id) => ({ ...returnKey(id) }));
  for (let tries = 0; keys !== undefined && keys.length > 0; tries += 1) {
    // What an answer leaves out was too much for it, or for the table's capacity at that moment.
    if (tries > 0) await pause(Math.random() * Math.min(500, 20 * 2 ** tries), undefined, { signal: session.signal });
    const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await session.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ProjectionExpression: 'id, summary' } } }),
    );
    const items = (Responses?.[table] ?? []) as { id: string; summary: string | Uint8Array }[];
    read.push(...items.map(({ id, summary }): [string, Summary] => [id, unpack(summary) as Summary]));
    keys = UnprocessedKeys?.[table]?.Keys;
  }
  return read;
};

/** The summaries that stand in snapshots; what is gone since its key was read is left out. */
const readSnapshots = async (session: Session, rows: readonly Row[]): Promise<Found[]> => {
  const batches = Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, index) =>
    rows.slice(index * batchSize, (index + 1) * batchSize).map(({ id }) => id),
  );
  const summaries = new Map((await Promise.all(batches.map(async (ids) => readBatch(session, ids)))).flat());
  return rows.flatMap(({ position, id }) => {
    const summary = summaries.get(id);
    return summary === undefined ? [] : [{ position, summary }];
  });
};

/**
 * A page of summaries. Eventually consistent, as indexes are. It may be short, because one answer of the engine ends
 * at 1 MiB.
 *
 * @param limit how many to read of each partition at most, and in all where the index holds keys only
 */
export const readSummaries = async (
  session: Session,
  lookup: Lookup,
  bounds: Bounds,
  limit: number,
): Promise<SummaryPage> => {
  const rows = merge(
    await Promise.all(
      lookup.partitions.map(async (partition) => queryPartition(session, lookup, partition, bounds, limit)),
    ),
  );
  const looked = lookup.holds === 'keys' ? rows.items.slice(0, limit) : rows.items;
  const last = looked.at(-1)?.position;
  const rest = rows.rest || looked.length < rows.items.length;
  const items =
    lookup.holds === 'keys'
      ? await readSnapshots(session, looked)
      : looked.flatMap(({ position, summary }) => (summary === undefined ? [] : [{ position, summary }]));
  return { items, rest, ...(last === undefined ? {} : { last }) };
};
