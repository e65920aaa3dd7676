import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table } from '../engine/client.ts';
import { counterPartition, newestChangeKey, newestChangesPartition } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { updateIf, type Write } from '../engine/transact.ts';

/*
 * Counters of returns: for each value of a dimension and each period an item, and that in shards. What is added goes to
 * any of the shards, and only their sum means something: one alone may be below zero.
 */

/** What returns are told apart by. */
export type Dimension = 'status' | 'refundStatus' | 'reason' | 'sku' | 'channel';

/** Numbers by their names: `returns`, `received`, `refunded_EUR`, … */
export type Figures = Readonly<Record<string, number>>;

/** Of which time: a day `2026-11-22`, a month `2026-11`, or all that there ever was. */
export type Period =
  | { readonly grain: 'DAY' | 'MONTH'; readonly of: string }
  | { readonly grain: 'ALL'; readonly of: '' };

export type Counter = { readonly dimension: Dimension; readonly period: Period; readonly value: string };

/** Writers take one at random, so that those of one moment seldom meet; a reader asks all of them. */
export const counterPartitionCount = 8;

const sortKey = ({ grain, of }: Period, value: string) => `${grain}#${of}#${value}`;

/** Adds to a counter, which needs not be there yet. */
export const addToCounter = ({ dimension, period, value }: Counter, shard: number, figures: Figures): Write => {
  const moved = Object.entries(figures);
  return {
    guards: 'counter',
    action: {
      Update: {
        TableName: table(),
        Key: { pk: counterPartition(dimension, shard), sk: sortKey(period, value) },
        UpdateExpression: `ADD ${moved.map((_, index) => `#f${index} :f${index}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(moved.map(([name], index) => [`#f${index}`, name])),
        ExpressionAttributeValues: Object.fromEntries(moved.map(([, by], index) => [`:f${index}`, by])),
      },
    },
  };
};

/** Periods of one grain, the first and the last of them included. */
export type PeriodRange = { readonly grain: Period['grain']; readonly first: string; readonly last: string };

/** A counter as one of its shards has it: `of` is its period. */
export type CounterRow = { readonly of: string; readonly value: string; readonly figures: Figures };

const rowOf = (item: Record<string, unknown>): CounterRow => {
  const { pk: _, sk, ...figures } = item;
  const [, of = '', ...value] = String(sk).split('#');
  return { of, value: value.join('#'), figures: figures as Figures };
};

/** Sorts after whatever a value begins with: no text of UTF-8 has a higher character. */
const highest = '\u{10FFFF}';

/** How many answers of the engine, of 1 MiB at most each, one shard is asked for. */
const maxPages = 4;

const readCounterPartition = async (
  session: Session,
  partition: string,
  { grain, first, last }: PeriodRange,
): Promise<readonly CounterRow[] | undefined> => {
  const rows: CounterRow[] = [];
  let start: Record<string, unknown> | undefined;
  for (let pages = 0; pages === 0 || start !== undefined; pages += 1) {
    if (pages === maxPages) return undefined;
    const { Items = [], LastEvaluatedKey } = await session.send(
      new QueryCommand({
        TableName: table(),
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
        ExpressionAttributeValues: {
          ':pk': partition,
          ':from': `${grain}#${first}#`,
          ':to': `${grain}#${last}#${highest}`,
        },
        ExclusiveStartKey: start,
      }),
    );
    rows.push(...Items.map(rowOf));
    start = LastEvaluatedKey;
  }
  return rows;
};

/**
 * The counters of a dimension over a span, as all of its shards have them. Eventually consistent.
 *
 * @returns undefined where there are more than are read for one answer: `mostPages` of each shard
 */
export const readCounters = async (
  session: Session,
  dimension: Dimension,
  span: PeriodRange,
): Promise<readonly CounterRow[] | undefined> => {
  const shards = await Promise.all(
    Array.from({ length: counterPartitionCount }, async (_, shard) =>
      readCounterPartition(session, counterPartition(dimension, shard), span),
    ),
  );
  const rows: CounterRow[] = [];
  for (const shard of shards) {
    if (shard === undefined) return undefined;
    rows.push(...shard);
  }
  return rows;
};

/** Notes of what time a change is that was counted, unless a newer one is noted there. */
export const recordNewestChange = async (session: Session, shard: number, at: string): Promise<void> => {
  await updateIf(session, {
    TableName: table(),
    Key: newestChangeKey(shard),
    UpdateExpression: 'SET #at = :at',
    ConditionExpression: 'attribute_not_exists(#at) OR #at < :at',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':at': at },
  });
};

/** Of what time the newest change is that was counted, or undefined. */
export const readNewestCountedChange = async (session: Session): Promise<string | undefined> => {
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': newestChangesPartition },
    }),
  );
  return Items.map(({ at }) => String(at))
    .toSorted()
    .at(-1);
};
