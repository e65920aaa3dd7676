import { encodeTime } from 'ulid';
import type { OrderRef } from '../../returns/model/order.ts';
import type { Return } from '../../returns/model/return.ts';
import type { Summary } from '../../returns/summary.ts';
import { batchGet } from '../engine/batch-get.ts';
import { creationLookup, customerLookup, orderLookup, type Lookup } from '../engine/indexes.ts';
import { returnKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { walkOn, type Bounds } from '../engine/walk.ts';

/* Returns as they are kept, for whoever reads very many: a page at a time, each unpacked when its turn comes. */

type Snapshot = { readonly id: string; readonly value: string | Uint8Array; readonly summary: string | Uint8Array };

/** A return, and its place in the walk. */
export type Walked = { readonly position: string; readonly read: () => Return };

/** Returns from the newest on; `rest` tells that there are older ones, behind `last`. */
export type WalkedPage = { readonly returns: readonly Walked[]; readonly last?: string; readonly rest: boolean };

/** All returns are in so many shards by when they were created. */
export const returnShards = creationLookup().partitions.length;

/** An id is made moments before its return, by the same clock, which may be set back in between. */
const marginMs = 60_000;
const timeLetters = 10;

/** No return whose id is less was made at a time or later. */
export const idAt = (time: number): string => `ret_${encodeTime(Math.max(0, time), timeLetters)}`;

/** Bounds that have all returns within which were created from one time until before another, and a few others. */
export const boundsOf = (from: number | undefined, until: number): Required<Pick<Bounds, 'before'>> & Bounds => ({
  ...(from !== undefined && { from: idAt(from - marginMs) }),
  before: idAt(until + marginMs),
});

const readPage = async (session: Session, lookup: Lookup, bounds: Bounds, limit: number): Promise<WalkedPage> => {
  const { items, rest } = await walkOn(session, lookup, bounds, limit);
  const keys = items.map(({ position }) => returnKey(position));
  const read = (await batchGet(session, keys, ['id', 'value', 'summary'])) as Snapshot[];
  const found = new Map(read.map((snapshot) => [snapshot.id, snapshot]));
  const returns = items.flatMap(({ position }) => {
    const snapshot = found.get(position);
    return snapshot === undefined ? [] : [{ position, read: () => unpack(snapshot.value, snapshot.summary) as Return }];
  });
  const last = items.at(-1)?.position;
  return { returns, rest, ...(last !== undefined && { last }) };
};

/** The next returns of a shard. Eventually consistent, as indexes are. */
export const readShard = async (
  session: Session,
  shard: number,
  bounds: Bounds,
  limit: number,
): Promise<WalkedPage> => {
  const all = creationLookup();
  return readPage(session, { ...all, partitions: all.partitions.slice(shard, shard + 1) }, bounds, limit);
};

/** The next returns of all shards, in one order. Eventually consistent, as indexes are. */
export const readNewest = async (session: Session, bounds: Bounds, limit: number): Promise<WalkedPage> =>
  readPage(session, creationLookup(), bounds, limit);

/** The next returns of a customer, of whichever platform. Eventually consistent, as indexes are. */
export const readOfCustomer = async (
  session: Session,
  customerId: string,
  bounds: Bounds,
  limit: number,
): Promise<WalkedPage> => readPage(session, customerLookup(customerId), bounds, limit);

/** The ids of the returns of an order that the index knows; up to a thousand. */
export const idsOfOrder = async (session: Session, order: OrderRef): Promise<readonly string[]> =>
  (await walkOn(session, orderLookup(order), {}, 1000)).items.map(({ position }) => position);

/** Reads summaries of returns by their ids, without returns that do not exist. Eventually consistent. */
export const summariesOf = async (session: Session, returnIds: readonly string[]): Promise<readonly Summary[]> => {
  const read = await batchGet(session, returnIds.map(returnKey), ['summary']);
  return (read as Pick<Snapshot, 'summary'>[]).map(({ summary }) => unpack(summary) as Summary);
};
