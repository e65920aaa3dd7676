import { setTimeout as pause } from 'node:timers/promises';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { eventOffsetKey, eventPartition, eventRowKey, publishedKey, sequenceOf } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import { queryPages } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import { type Outcome, put, putVersion, transact, type Write } from '../engine/transact.ts';
import type { EventPointer } from './outbox.ts';

/*
 * The partitions of all domain events. A stream always belongs to the same partition, which holds its events in order,
 * each once. The offset of an event counts the events up to and including it. So the position of a reader is one
 * number. Rows hold pointers to the events, not their content.
 */

/** The number of writers that do not conflict. It never changes, because a cursor has one offset for each partition. */
export const eventPartitionCount = 64;

/** Readers may pause for 30 days. The events at their cursors are stored for longer. */
const retentionSeconds = 32 * 24 * 3600;

/** Returns the partition of a stream. */
export const eventPartitionOf = (stream: string): number => partitionIndexOf(stream, eventPartitionCount);

/** A pointer to an event, with the type of the event. */
export type TypedEventPointer = EventPointer & { readonly type: string };

/** An event in its partition. */
export type PartitionEvent = TypedEventPointer & { readonly position: number };

type Packed = [stream: string, sequence: number, type: string][];
type Row = {
  readonly sk: string;
  readonly first: number;
  readonly value: string | Uint8Array;
  readonly expiresAt: number;
};

/** Returns the end offset of each partition. Eventually consistent by default. */
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

/** Returns the end offset of a partition; strongly consistent. */
export const readEndOffset = async (session: Session, log: number): Promise<number> =>
  (await getItem<{ version: number }>(session, eventOffsetKey(log)))?.version ?? 0;

/** A page of a partition. `gap`: the events after the given offset have expired. */
export type EventPartitionPage = { readonly found: readonly PartitionEvent[]; readonly gap: boolean };

const lastOf = (row: Row | undefined): number => (row === undefined ? 0 : sequenceOf(row.sk));

const positionsOf = ({ first, value }: Row): PartitionEvent[] =>
  (unpack(value) as Packed).map(([stream, sequence, type], index) => ({
    stream,
    sequence,
    type,
    position: first + index,
  }));

/** The maximum of rereads of a page with a hole. */
const maxRereads = 3;

/** After this time every transaction is completely visible. */
const visibleSeconds = 60;

type Rows = { readonly rows: readonly Row[]; readonly expired: boolean };

/** Returns the rows of a partition from an offset to the first hole. It reads one response of the engine at most. */
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
  // TTL deletes late, so a page may hold only expired rows.
  for await (const page of pages) {
    const rows = page.filter(({ expiresAt }) => expiresAt > now / 1000);
    expired ||= rows.length < page.length;
    const hole = rows.findIndex(({ first }, index) => index > 0 && first !== lastOf(rows[index - 1]) + 1);
    if (rows.length > 0) return { rows: hole === -1 ? rows : rows.slice(0, hole), expired };
  }
  return { rows: [], expired };
};

/**
 * Returns the events of a partition after an offset: up to `limit`, and at most one response of the engine. Strongly
 * consistent. After offset 0 it begins with the oldest stored event. After another offset the next event must exist,
 * else the page has a `gap`. A transaction becomes visible item by item, so a recent hole is read again. Events behind
 * a recent hole are not returned until the transaction is visible.
 *
 * @param now epoch milliseconds: TTL deletes late
 * @param head the known end offset, if any; an empty page before it is a gap too
 */
export const readEventPartition = async (
  session: Session,
  log: number,
  after: number,
  limit: number,
  now: number,
  head = after,
): Promise<EventPartitionPage> => {
  for (let reads = 1; ; reads += 1) {
    const { rows, expired } = await readRows(session, log, after, limit, now);
    const [row] = rows;
    const hole = row === undefined ? head > after || expired : row.first > after + 1;
    const fresh = row === undefined ? !expired : row.expiresAt > now / 1000 + retentionSeconds - visibleSeconds;
    const last = reads > maxRereads;
    if (hole && fresh && last && row !== undefined && !expired) return { found: [], gap: false };
    if (!hole || !fresh || last) {
      const found = rows.flatMap(positionsOf).filter(({ position }) => position > after);
      return { found: found.slice(0, limit), gap: hole && after > 0 };
    }
    await pause(10 * 4 ** reads, undefined, { signal: session.signal });
  }
};

/** Returns the sequence up to which a stream is published; strongly consistent. */
export const readPublishedSequence = async (session: Session, stream: string): Promise<number> =>
  (await getItem<{ version: number }>(session, publishedKey(stream)))?.version ?? 0;

/** Returns the published sequences of many streams. Strongly consistent by default. */
export const readPublishedSequences = async (
  session: Session,
  streams: readonly string[],
  { consistent = true }: { readonly consistent?: boolean } = {},
): Promise<ReadonlyMap<string, number>> => {
  const keys = streams.map(publishedKey);
  const items = (await batchGet(session, keys, ['pk', 'version'], { consistent })) as { pk: string; version: number }[];
  const marks = new Map(items.map(({ pk, version }) => [pk, version]));
  return new Map(streams.map((stream) => [stream, marks.get(stream) ?? 0]));
};

/** The unpublished events of a stream: all after `before`, in order. */
export type UnpublishedEvents = {
  readonly stream: string;
  readonly before: number;
  readonly logged: readonly TypedEventPointer[];
};

/** Writes the end offset of a partition, a row with the events, and the published sequence of each stream. */
export const writeEvents = (
  log: number,
  head: number,
  unpublished: readonly UnpublishedEvents[],
  now: number,
): Write[] => {
  const logged = unpublished.flatMap((events) => events.logged);
  const last = head + logged.length;
  const value: Packed = logged.map(({ stream, sequence, type }) => [stream, sequence, type]);
  return [
    putVersion('head', eventOffsetKey(log), { log, version: last }, head),
    put('row', eventRowKey(log, last), {
      first: head + 1,
      value: pack(value),
      expiresAt: Math.floor(now / 1000) + retentionSeconds,
    }),
    ...unpublished.map(({ stream, before, logged: [...own] }) =>
      putVersion(stream, publishedKey(stream), { version: own.at(-1)?.sequence ?? before }, before),
    ),
  ];
};

/** Marks a new stream as published up to a sequence. Its events are in no partition, so no reader and no endpoint gets them. */
export const markPublished = (stream: string, sequence: number): Write =>
  putVersion('published', publishedKey(stream), { version: sequence }, 0);

/**
 * Appends to a partition on condition of its end offset, all or nothing. Each stream is written on condition that no
 * other publisher has published it: `failed` of the outcome names `head`, or the streams.
 */
export const appendEvents = async (
  session: Session,
  log: number,
  head: number,
  unpublished: readonly UnpublishedEvents[],
  now: number,
): Promise<Outcome> => transact(session, writeEvents(log, head, unpublished, now));
