import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Summary } from '../returns/summary.ts';
import { table } from './client.ts';
import type { Lookup } from './indexes.ts';
import { unpack } from './pack.ts';
import type { Session } from './session.ts';

/** Summaries in the order of their ids, the newest first; `rest` tells that there are older ones. */
export type SummaryPage = { readonly items: readonly Summary[]; readonly rest: boolean };

const queryPartition = async (
  session: Session,
  { name, attribute }: Lookup,
  partition: string,
  before: string,
  limit: number,
): Promise<SummaryPage> => {
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table,
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND id < :before',
      ExpressionAttributeNames: { '#partition': attribute },
      ExpressionAttributeValues: { ':partition': partition, ':before': before },
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  const items = Items.map((item) => unpack(item['summary'] as string | Uint8Array) as Summary);
  return { items, rest: LastEvaluatedKey !== undefined };
};

/** Ids are `ret_` and Crockford characters: this is above all of them. */
const aboveAll = 'ret_~';

/**
 * A page of summaries, older than the return `before`. Eventually consistent, as indexes are. It may be short, because
 * one answer of the engine ends at 1 MiB.
 *
 * @param limit how many to read of each partition at most
 */
export const readSummaries = async (
  session: Session,
  lookup: Lookup,
  before: string | undefined,
  limit: number,
): Promise<SummaryPage> => {
  const pages = await Promise.all(
    lookup.partitions.map(async (partition) => queryPartition(session, lookup, partition, before ?? aboveAll, limit)),
  );
  // Below the end of a partition that has more, its own next one may come before what others have.
  const floors = pages.filter(({ rest }) => rest).map(({ items }) => items.at(-1)?.id ?? aboveAll);
  const floor = floors.toSorted().at(-1) ?? '';
  const items = pages
    .flatMap((page) => page.items)
    .filter(({ id }) => id >= floor)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return { items, rest: floors.length > 0 };
};
