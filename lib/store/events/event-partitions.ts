import { setTimeout as pause } from 'node:timers/promises';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { eventOffsetKey, eventPartition, eventRowKey, publishedKey, sequenceOf } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { type Outcome, put, putVersion, transact } from '../engine/transact.ts';
import type { EventPointer } from './outbox.ts';

/*
 * The logs of all happenings. Each place has one of them for ever; in it, its happenings stand in their order, each once.
 * A position is how many stood in the log when it was written, itself included, so that the place of a reader is a number.
 * Rows hold where happenings are kept, not what they say.
 */

/** As many writers as that do not meet. A cursor has a position for each: their number never changes. */
export const eventPartitionCount = 64;

/** Readers may stop for 30 days; what their cursors name is kept longer. */
const retentionSeconds = 32 * 24 * 3600;

/** The log of a place. */
export const eventPartitionOf = (place: string): number => partitionIndexOf(place, eventPartitionCount);

/** A happening as its log names it. */
export type TypedEventPointer = EventPointer & { readonly type: string };

/** A happening in its log. */
export type PartitionEvent = TypedEventPointer & { readonly position: number };

type Packed = [place: string, sequence: number, type: string][];
type Row = {
  readonly sk: string;
  readonly first: number;
  readonly value: string | Uint8Array;
  readonly expiresAt: number;
};

/** How many happenings stand in each log. Eventually consistent unless it is asked for. */
export const readEndOffsets = async (
  session: Session,
  { consistent = false }: { readonly consistent?: boolean } = {},
): Promise<number[]> => {
  const keys = Array.from({ length: eventPartitionCount }, (_, log) => eventOffsetKey(log));
  const items = (await batchGet(session, keys, ['log', 'version'], { consistent })) as {
    log: number;
    version: number;
  }[];
  const heads = new Map(items.map(({ log, version }) => [log, version]));
  return keys.map((_, log) => heads.get(log) ?? 0);
};

/** How many happenings stand in a log; strongly consistent. */
export const readEndOffset = async (session: Session, log: number): Promise<number> =>
  (await getItem<{ version: number }>(session, eventOffsetKey(log)))?.version ?? 0;

/** What a part of a log holds. `gap` where what comes next to the position is not there any more: it has expired. */
export type EventPartitionPage = { readonly found: readonly PartitionEvent[]; readonly gap: boolean };

const lastOf = (row: Row | undefined): number => (row === undefined ? 0 : sequenceOf(row.sk));

const positionsOf = ({ first, value }: Row): PartitionEvent[] =>
  (unpack(value) as Packed).map(([place, sequence, type], index) => ({
    place,
    sequence,
    type,
    position: first + index,
  }));

/** How often a part of a log is looked at again that has a hole. */
const maxRereads = 3;

/** After this long no transaction is half seen any more. */
const settledSeconds = 60;

type Rows = { readonly rows: readonly Row[]; readonly expired: boolean };

/** The rows of a log from a position on that are there without a hole, as far as one answer of the engine goes. */
const readRows = async (session: Session, log: number, after: number, limit: number, now: number): Promise<Rows> => {
  let expired = false;
  const pages = queryPages<Row>(session, {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': eventPartition(log),
      ':from': eventRowKey(log, after + 1).sk,
      ':to': eventRowKey(log, 999_999_999_999).sk,
    },
    ConsistentRead: true,
    Limit: limit,
  });
  // TTL deletes late: what has expired may fill a page.
  for await (const page of pages) {
    const rows = page.filter(({ expiresAt }) => expiresAt > now / 1000);
    expired ||= rows.length < page.length;
    const hole = rows.findIndex(({ first }, index) => index > 0 && first !== lastOf(rows[index - 1]) + 1);
    if (rows.length > 0) return { rows: hole === -1 ? rows : rows.slice(0, hole), expired };
  }
  return { rows: [], expired };
};

/**
 * What stands in a log after a position, up to `limit` and no more than one answer of the engine holds; strongly
 * consistent. After 0 it begins with the oldest that is kept. What comes next to any other position must be there, or it
 * is a `gap`. A transaction shows its items one by one: a fresh hole is looked at again, and what stands behind one that
 * stays is not found before it has settled.
 *
 * @param now epoch milliseconds: TTL deletes late
 * @param head how far the log is known to go, where that is known: with nothing there, that is a gap too
 */
export const readEventPartition = async (
  session: Session,
  log: number,
  after: number,
  limit: number,
  now: number,
  head = after,
): Promise<EventPartitionPage> => {
  for (let looks = 1; ; looks += 1) {
    const { rows, expired } = await readRows(session, log, after, limit, now);
    const [row] = rows;
    const hole = row === undefined ? head > after || expired : row.first > after + 1;
    const fresh = row === undefined ? !expired : row.expiresAt > now / 1000 + retentionSeconds - settledSeconds;
    const last = looks > maxRereads;
    if (hole && fresh && last && row !== undefined && !expired) return { found: [], gap: false };
    if (!hole || !fresh || last) {
      const found = rows.flatMap(positionsOf).filter(({ position }) => position > after);
      return { found: found.slice(0, limit), gap: hole && after > 0 };
    }
    await pause(10 * 4 ** looks, undefined, { signal: session.signal });
  }
};

/** Up to which sequence the happenings of a place stand in its log; strongly consistent. */
export const readPublishedSequence = async (session: Session, place: string): Promise<number> =>
  (await getItem<{ version: number }>(session, publishedKey(place)))?.version ?? 0;

/** The same of many places. Strongly consistent unless it may be late. */
export const readPublishedSequences = async (
  session: Session,
  places: readonly string[],
  { consistent = true }: { readonly consistent?: boolean } = {},
): Promise<ReadonlyMap<string, number>> => {
  const keys = places.map(publishedKey);
  const items = (await batchGet(session, keys, ['pk', 'version'], { consistent })) as { pk: string; version: number }[];
  const marks = new Map(items.map(({ pk, version }) => [pk, version]));
  return new Map(places.map((place) => [place, marks.get(place) ?? 0]));
};

/** What is new of a place: all that happened after `before`, in order. */
export type UnpublishedEvents = {
  readonly place: string;
  readonly before: number;
  readonly logged: readonly TypedEventPointer[];
};

/**
 * Appends to a log after the position that its head was read with, all or nothing. Each place counts on condition that
 * nobody has gone on with it: `failed` of the outcome names `head`, or the places.
 */
export const appendEvents = async (
  session: Session,
  log: number,
  head: number,
  news: readonly UnpublishedEvents[],
  now: number,
): Promise<Outcome> => {
  const logged = news.flatMap((one) => one.logged);
  const last = head + logged.length;
  const value: Packed = logged.map(({ place, sequence, type }) => [place, sequence, type]);
  return transact(session, [
    putVersion('head', eventOffsetKey(log), { log, version: last }, head),
    put('row', eventRowKey(log, last), {
      first: head + 1,
      value: pack(value),
      expiresAt: Math.floor(now / 1000) + retentionSeconds,
    }),
    ...news.map(({ place, before, logged: [...own] }) =>
      putVersion(place, publishedKey(place), { version: own.at(-1)?.sequence ?? before }, before),
    ),
  ]);
};
