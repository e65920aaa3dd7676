import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table } from '../engine/client.ts';
import { counterPartition, newestChangeKey, newestChangesPartition } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { updateIf, type Write } from '../engine/transact.ts';

/*
 * Counters of returns: items by value of a dimension and by period, in partitions. A write adds to any of them. Only the
 * sum over the partitions is valid: a single partition may be negative.
 */

/** The dimensions by which returns are counted. */
export type Dimension = 'status' | 'refundStatus' | 'reason' | 'sku' | 'channel';

/** Numbers by name: `returns`, `received`, `refunded_EUR`, … */
export type Figures = Readonly<Record<string, number>>;

/** A day `2026-11-22`, a month `2026-11`, or all time. */
export type Period =
  | { readonly grain: 'DAY' | 'MONTH'; readonly of: string }
  | { readonly grain: 'ALL'; readonly of: '' };

export type Counter = { readonly dimension: Dimension; readonly period: Period; readonly value: string };

/** A writer chooses a partition at random, so that concurrent writers seldom conflict. A reader reads all. */
export const counterPartitionCount = 8;

const sortKey = ({ grain, of }: Period, value: string) => `${grain}#${of}#${value}`;

/** Adds to a counter, which need not exist yet. */
export const addToCounter = ({ dimension, period, value }: Counter, partition: number, figures: Figures): Write => {
  const moved = Object.entries(figures);
  return {
    guards: 'counter',
    action: {
      Update: {
        TableName: table(),
        Key: { pk: counterPartition(dimension, partition), sk: sortKey(period, value) },
        UpdateExpression: `ADD ${moved.map((_, index) => `#f${index} :f${index}`).join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(moved.map(([name], index) => [`#f${index}`, name])),
        ExpressionAttributeValues: Object.fromEntries(moved.map(([, by], index) => [`:f${index}`, by])),
      },
    },
  };
};

/** Periods of one grain, from the first to the last inclusive. */
export type PeriodRange = { readonly grain: Period['grain']; readonly first: string; readonly last: string };

/** A counter in one of its partitions; `of` is its period. */
export type CounterRow = { readonly of: string; readonly value: string; readonly figures: Figures };

const rowOf = (item: Record<string, unknown>): CounterRow => {
  const { pk: _, sk, ...figures } = item;
  const [, of = '', ...value] = String(sk).split('#');
  return { of, value: value.join('#'), figures: figures as Figures };
};

/** Sorts after every value with the same beginning: no UTF-8 text has a higher character. */
const highest = '\u{10FFFF}';

/** The maximum of engine responses, of up to 1 MiB each, for one partition. */
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
 * Returns the counters of a dimension over a range, by partition. Eventually consistent.
 *
 * @returns undefined when there are more than `maxPages` responses of a partition
 */
export const readCounters = async (
  session: Session,
  dimension: Dimension,
  span: PeriodRange,
): Promise<readonly CounterRow[] | undefined> => {
  const partitions = await Promise.all(
    Array.from({ length: counterPartitionCount }, async (_, partition) =>
      readCounterPartition(session, counterPartition(dimension, partition), span),
    ),
  );
  const rows: CounterRow[] = [];
  for (const partition of partitions) {
    if (partition === undefined) return undefined;
    rows.push(...partition);
  }
  return rows;
};

/** Records the time of a counted change, unless a newer one is stored. */
export const recordNewestChange = async (session: Session, partition: number, at: string): Promise<void> => {
  await updateIf(session, {
    TableName: table(),
    Key: newestChangeKey(partition),
    UpdateExpression: 'SET #at = :at',
    ConditionExpression: 'attribute_not_exists(#at) OR #at < :at',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':at': at },
  });
};

/** Returns the time of the newest counted change, or undefined. */
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
