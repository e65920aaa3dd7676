import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table } from './client.ts';
import type { Session } from './session.ts';

/** What is walked: partitions of an index, or of the table's own rows, each sorted by position. */
export type IndexPartitions = {
  /** The name in serverless.yml; absent for the table's own rows. */
  readonly name?: string;
  readonly attribute: string;
  /** Holds the position. */
  readonly sort: string;
  readonly partitions: readonly string[];
};

/** Which part of a walk: from the lowest position that may be, and below one that was seen. */
export type Bounds = { readonly from?: string; readonly before?: string };

/** An item of an index, and its place in the walk that found it. */
export type PositionedItem = { readonly position: string; readonly item: Readonly<Record<string, unknown>> };

/** Items by their positions, the highest first; `rest` tells that there are lower ones. */
export type IndexPage = { readonly items: readonly PositionedItem[]; readonly rest: boolean };

/** Positions are of letters, digits and a few signs: these are below and above all of them. */
const [lowest, highest] = ['!', '~'];

/** The highest text below a position, among texts as long as it. A condition has both ends included. */
const justBelow = (position: string): string => {
  const last = position.length - 1;
  return `${position.slice(0, last)}${String.fromCodePoint((position.codePointAt(last) ?? 1) - 1)}${highest}`;
};

const queryPartition = async (
  session: Session,
  { name, attribute, sort }: IndexPartitions,
  partition: string,
  { from = lowest, before }: Bounds,
  limit: number,
): Promise<IndexPage> => {
  const to = before === undefined ? highest : justBelow(before);
  // The engine takes no range that is upside down.
  if (from > to) return { items: [], rest: false };
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      ExpressionAttributeValues: { ':partition': partition, ':from': from, ':to': to },
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  const items = Items.map((item) => ({ position: String(item[sort]), item }));
  return { items, rest: LastEvaluatedKey !== undefined };
};

/** The rows of all partitions in one order, as far down as every one of them was read. */
const mergePages = (partitions: readonly IndexPage[]): IndexPage => {
  // Below the end of a partition that has more, its own next one may come before what others have.
  const ends = partitions.filter(({ rest }) => rest).map(({ items }) => items.at(-1)?.position ?? highest);
  const floor = ends.toSorted().at(-1) ?? lowest;
  const items = partitions
    .flatMap((one) => one.items)
    .filter(({ position }) => position >= floor)
    .toSorted((a, b) => (a.position < b.position ? 1 : -1));
  return { items, rest: ends.length > 0 };
};

/**
 * The next stretch of a walk. Eventually consistent, as indexes are. It may be short, because one answer of the engine ends
 * at 1 MiB.
 *
 * @param limit how many to read of each partition at most
 */
export const readIndexPage = async (
  session: Session,
  walked: IndexPartitions,
  bounds: Bounds,
  limit: number,
): Promise<IndexPage> =>
  mergePages(
    await Promise.all(
      walked.partitions.map(async (partition) => queryPartition(session, walked, partition, bounds, limit)),
    ),
  );
