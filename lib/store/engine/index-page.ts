import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Session } from './session.ts';

/** Partitions of an index, or of the table itself, each sorted by position. */
export type IndexPartitions = {
  /** The name in serverless.yml; absent for the table's own rows. */
  readonly name?: string;
  readonly attribute: string;
  /** The attribute with the position. */
  readonly sort: string;
  readonly partitions: readonly string[];
  /** Reads the lowest position first. By default, the highest is first. */
  readonly ascending?: true;
  /** Only rows with one of these values of an attribute. The engine reads the other rows and leaves them out. */
  readonly only?: { readonly attribute: string; readonly values: readonly string[] };
};

/** The range of a read: from the lowest position, and below another one, such as the last of the previous page. */
export type Bounds = { readonly from?: string; readonly before?: string };

/** The range of an ascending read, which continues after the last position of the previous page. */
export type Range = Bounds & { readonly after?: string };

/** An item of an index, and its position. */
export type PositionedItem = { readonly position: string; readonly item: Readonly<Record<string, unknown>> };

/** Items in the order of the read. `rest` reports that more follow `last`, the last position that was read. */
export type IndexPage = {
  readonly items: readonly PositionedItem[];
  readonly rest: boolean;
  readonly last?: string;
};

/** Positions consist of letters, digits and a few signs. These two sort below and above all of them. */
const [lowest, highest] = ['!', '~'];

/** Returns the highest text below a position, among texts of its length. A condition includes both ends. */
const justBelow = (position: string): string => {
  const last = position.length - 1;
  return `${position.slice(0, last)}${String.fromCodePoint((position.codePointAt(last) ?? 1) - 1)}${highest}`;
};

/** Returns the lowest text above a position, among texts of its length. */
const justAbove = (position: string): string => `${position}${lowest}`;

/** Returns the parameters of a query that leaves out rows. */
const filterOf = (only: IndexPartitions['only']) => {
  if (only === undefined) return { names: {}, values: {} };
  const values = Object.fromEntries(only.values.map((value, index) => [`:only${index}`, value]));
  return {
    expression: `#only IN (${Object.keys(values).join(', ')})`,
    names: { '#only': only.attribute },
    values,
  };
};

const queryPartition = async (
  session: Session,
  { name, attribute, sort, only, ascending }: IndexPartitions,
  partition: string,
  { from: least = lowest, before, after }: Range,
  limit: number,
): Promise<IndexPage> => {
  const from = after === undefined ? least : justAbove(after);
  const to = before === undefined ? highest : justBelow(before);
  // The engine rejects a range whose lower end is above its upper end.
  if (from > to) return { items: [], rest: false };
  const filter = filterOf(only);
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
      FilterExpression: filter.expression,
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort, ...filter.names },
      ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to, ...filter.values },
      ScanIndexForward: ascending === true,
      Limit: limit,
    }),
  );
  const items = Items.map((item) => ({ position: String(item[sort]), item }));
  if (LastEvaluatedKey === undefined) return { items, rest: false };
  return { items, rest: true, last: String(LastEvaluatedKey[sort]) };
};

/** A page of a list, with the position of its end when more rows follow. */
type Page<Row> = { readonly items: readonly Row[]; readonly rest: boolean; readonly last?: string };

/** Merges the rows of all partitions in one order, as far as every partition was read. */
export const mergePages = <Row extends { readonly position: string }>(
  partitions: readonly Page<Row>[],
  ascending = false,
): Page<Row> => {
  const [single] = partitions;
  if (partitions.length === 1 && single !== undefined) return single;
  const [begin, sign] = ascending ? [lowest, 1] : [highest, -1];
  const compare = (first: string, second: string): number => (first < second ? -sign : sign);
  // Beyond the end of a partition with more rows, its next row may precede rows of other partitions.
  const ends = partitions.flatMap(({ rest, last = begin }) => (rest ? [last] : []));
  const [end] = ends.toSorted(compare);
  const items = partitions
    .flatMap((page) => page.items)
    .filter(({ position }) => end === undefined || position === end || compare(position, end) < 0)
    .toSorted((a, b) => compare(a.position, b.position))
    // A row that moves to another partition during the read may be found in both.
    .filter(({ position }, index, sorted) => position !== sorted[index - 1]?.position);
  return { items, rest: end !== undefined, ...(end !== undefined && { last: end }) };
};

/**
 * Reads the next page. Eventually consistent, as indexes are. The page may be short, because one response of the engine
 * ends at 1 MiB.
 *
 * @param limit the maximum that it reads of each partition, with the rows that it leaves out
 */
export const readIndexPage = async (
  session: Session,
  query: IndexPartitions,
  bounds: Range,
  limit: number,
): Promise<IndexPage> =>
  mergePages(
    await Promise.all(
      query.partitions.map(async (partition) => queryPartition(session, query, partition, bounds, limit)),
    ),
    query.ascending,
  );
