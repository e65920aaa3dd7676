import { createHash } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet } from './batch-get.ts';
import { table } from './client.ts';
import { getItem } from './get-item.ts';
import { logHeadKey, logPartition, logRowKey, projectedKey } from './keys.ts';
import { pack, unpack } from './pack.ts';
import type { Pointed } from './outbox.ts';
import type { Session } from './session.ts';
import { put, putVersion, transact, type Outcome } from './transact.ts';

/*
 * The logs of all happenings. Each place has one of them for ever; in it, its happenings stand in their order, each once.
 * A position is how many stood in the log when it was written, itself included, so that the place of a reader is a number.
 * Rows hold where happenings are kept, not what they say.
 */

/** As many writers as that do not meet. A cursor has a position for each: their number never changes. */
export const logCount = 64;

/** Readers may stop for 30 days; what their cursors name is kept longer. */
const keptSeconds = 32 * 24 * 3600;

/** The log of a place. */
export const logOf = (place: string): number => (createHash('sha256').update(place).digest()[0] ?? 0) % logCount;

/** A happening as its log names it. */
export type Logged = Pointed & { readonly type: string };

/** A happening in its log. */
export type Position = Logged & { readonly position: number };

type Packed = [place: string, sequence: number, type: string][];
type Row = { readonly first: number; readonly value: string | Uint8Array; readonly expiresAt: number };

/** How many happenings stand in each log. Eventually consistent. */
export const readHeads = async (session: Session): Promise<number[]> => {
  const keys = Array.from({ length: logCount }, (_, log) => logHeadKey(log));
  const items = (await batchGet(session, keys, ['log', 'version'])) as { log: number; version: number }[];
  const heads = new Map(items.map(({ log, version }) => [log, version]));
  return keys.map((_, log) => heads.get(log) ?? 0);
};

/** How many happenings stand in a log; strongly consistent. */
export const readHead = async (session: Session, log: number): Promise<number> =>
  (await getItem<{ version: number }>(session, logHeadKey(log)))?.version ?? 0;

/** What a part of a log holds. `gap` where what comes next to the position is not there any more: it has expired. */
export type LogPage = { readonly found: readonly Position[]; readonly gap: boolean };

const positionsOf = ({ first, value }: Row): Position[] =>
  (unpack(value) as Packed).map(([place, sequence, type], index) => ({
    place,
    sequence,
    type,
    position: first + index,
  }));

/**
 * What stands in a log after a position, up to `limit` and no more than one answer of the engine holds; strongly
 * consistent, so that what a head counts is there.
 *
 * @param now epoch milliseconds: TTL deletes late
 */
export const readLog = async (
  session: Session,
  log: number,
  after: number,
  limit: number,
  now: number,
): Promise<LogPage> => {
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': logPartition(log),
        ':from': logRowKey(log, after + 1).sk,
        ':to': logRowKey(log, 999_999_999_999).sk,
      },
      ConsistentRead: true,
      Limit: limit,
    }),
  );
  const rows = (Items as Row[]).filter(({ expiresAt }) => expiresAt > now / 1000);
  const found = rows.flatMap(positionsOf).filter(({ position }) => position > after);
  const [next] = found;
  return { found: found.slice(0, limit), gap: Items.length > 0 && next?.position !== after + 1 };
};

/** Up to which sequence the happenings of a place stand in its log; strongly consistent. */
export const readProjected = async (session: Session, place: string): Promise<number> =>
  (await getItem<{ version: number }>(session, projectedKey(place)))?.version ?? 0;

/** What is new of a place: all that happened after `before`, in order. */
export type News = { readonly place: string; readonly before: number; readonly logged: readonly Logged[] };

/**
 * Appends to a log after the position that its head was read with, all or nothing. Each place counts on condition that
 * nobody has gone on with it: `failed` of the outcome names `head`, or the places.
 */
export const append = async (
  session: Session,
  log: number,
  head: number,
  news: readonly News[],
  now: number,
): Promise<Outcome> => {
  const logged = news.flatMap((one) => one.logged);
  const last = head + logged.length;
  const value: Packed = logged.map(({ place, sequence, type }) => [place, sequence, type]);
  return transact(session, [
    putVersion('head', logHeadKey(log), { log, version: last }, head),
    put('row', logRowKey(log, last), {
      first: head + 1,
      value: pack(value),
      expiresAt: Math.floor(now / 1000) + keptSeconds,
    }),
    ...news.map(({ place, before, logged: [...own] }) =>
      putVersion(place, projectedKey(place), { version: own.at(-1)?.sequence ?? before }, before),
    ),
  ]);
};
