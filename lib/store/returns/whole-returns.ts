import { encodeTime } from 'ulid';
import type { OrderRef } from '../../domain/returns/model/order.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import type { Summary } from '../../domain/returns/summary.ts';
import { batchGet } from '../engine/batch-get.ts';
import { timeOfId } from '../engine/id-time.ts';
import { creationIndexQuery, customerIndexQuery, orderIndexQuery } from '../engine/indexes.ts';
import { type Key, returnKey, returnsPartition } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { readIndexPage, type Bounds, type IndexPartitions } from '../engine/index-page.ts';

/* Reads many complete returns, a page at a time. Each is unpacked only when the caller reads it. */

type Snapshot = { readonly id: string; readonly value: string | Uint8Array; readonly summary: string | Uint8Array };

/** A return or withdrawal, and its position. */
export type Positioned<State> = { readonly position: string; readonly read: () => State };

export type PositionedReturn = Positioned<Return>;

/** A page of snapshots, newest first. `rest` reports that older ones follow `last`. */
export type SnapshotPage<State> = {
  readonly items: readonly Positioned<State>[];
  readonly last?: string;
  readonly rest: boolean;
};

/** A page of returns, newest first. `rest` reports that older ones follow `last`. */
export type ReturnPage = Omit<SnapshotPage<Return>, 'items'> & { readonly returns: readonly PositionedReturn[] };

/** The highest number of partitions that a deployment may have. */
export const maxListPartitions = 64;

/** An id is made moments before its return, by the same clock, which may be set back in between. */
const marginMs = 60_000;
const timeLetters = 10;
const prefix = 'ret_';

/** Returns the lowest id of a return that was created at a time or later. */
export const returnIdAt = (time: number): string => `${prefix}${encodeTime(Math.max(0, time), timeLetters)}`;

/** Returns an id below those of all returns that were created since a time in epoch milliseconds. */
export const returnIdSince = (time: number): string => returnIdAt(time - marginMs);

/** Sorts below the id of every return. */
export const lowestReturnId = `${prefix}0`;

/** Returns bounds that include all returns created in a time range, and a few others. */
export const creationBounds = (from: number | undefined, until: number): Required<Pick<Bounds, 'before'>> & Bounds => ({
  ...(from !== undefined && { from: returnIdSince(from) }),
  before: returnIdAt(until + marginMs),
});

/** Reads a page of an index, sorted by id, and the snapshots of its rows. Missing snapshots are left out. */
export const readSnapshotPage = async <State>(
  session: Session,
  lookup: IndexPartitions,
  keyOf: (id: string) => Key,
  { bounds, limit }: { readonly bounds: Bounds; readonly limit: number },
): Promise<SnapshotPage<State>> => {
  const { items, rest } = await readIndexPage(session, lookup, bounds, limit);
  const keys = items.map(({ position }) => keyOf(position));
  const read = (await batchGet(session, keys, ['id', 'value', 'summary'])) as Snapshot[];
  const found = new Map(read.map((snapshot) => [snapshot.id, snapshot]));
  const positioned = items.flatMap(({ position }) => {
    const snapshot = found.get(position);
    return snapshot === undefined ? [] : [{ position, read: () => unpack(snapshot.value, snapshot.summary) as State }];
  });
  const last = items.at(-1)?.position;
  return { items: positioned, rest, ...(last !== undefined && { last }) };
};

const readPage = async (
  session: Session,
  lookup: IndexPartitions,
  bounds: Bounds,
  limit: number,
): Promise<ReturnPage> => {
  const { items: returns, ...page } = await readSnapshotPage<Return>(session, lookup, returnKey, { bounds, limit });
  return { ...page, returns };
};

/**
 * Returns the next returns of a partition, also of one that the deployment no longer writes to. Eventually consistent,
 * as indexes are.
 */
export const readReturnPartition = async (
  session: Session,
  partition: number,
  bounds: Bounds,
  limit: number,
): Promise<ReturnPage> =>
  readPage(session, { ...creationIndexQuery(), partitions: [returnsPartition(partition)] }, bounds, limit);

/** Returns the creation time of the oldest return in epoch milliseconds; undefined when there is none. */
export const readOldestCreation = async (session: Session): Promise<number | undefined> => {
  const { name, attribute, sort, partitions } = creationIndexQuery();
  const found = await Promise.all(
    partitions.map(async (partition) => {
      const query = {
        IndexName: name,
        KeyConditionExpression: '#partition = :partition',
        ExpressionAttributeNames: { '#partition': attribute },
        ExpressionAttributeValues: { ':partition': partition },
      };
      return queryAll<Record<string, string>>(session, query, 1);
    }),
  );
  const ids = found.flat().flatMap((item) => item[sort] ?? []);
  return ids.length === 0 ? undefined : Math.min(...ids.map(timeOfId));
};

/** Returns the next returns of all partitions, in one order. Eventually consistent, as indexes are. */
export const readNewestReturns = async (session: Session, bounds: Bounds, limit: number): Promise<ReturnPage> =>
  readPage(session, creationIndexQuery(), bounds, limit);

/** Returns the next returns of a customer, on all platforms. Eventually consistent, as indexes are. */
export const readReturnsOfCustomer = async (
  session: Session,
  customerId: string,
  bounds: Bounds,
  limit: number,
): Promise<ReturnPage> => readPage(session, customerIndexQuery(customerId), bounds, limit);

/** Returns the ids of an order's returns in the index, up to a thousand. */
export const readReturnIdsOfOrder = async (session: Session, order: OrderRef): Promise<readonly string[]> =>
  (await readIndexPage(session, orderIndexQuery(order), {}, 1000)).items.map(({ position }) => position);

/** Reads summaries of returns by their ids, without returns that do not exist. Eventually consistent. */
export const readSummariesById = async (
  session: Session,
  returnIds: readonly string[],
): Promise<readonly Summary[]> => {
  const read = await batchGet(session, returnIds.map(returnKey), ['summary']);
  return (read as Pick<Snapshot, 'summary'>[]).map(({ summary }) => unpack(summary) as Summary);
};
