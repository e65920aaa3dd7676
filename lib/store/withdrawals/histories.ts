import { canonicalJson } from '../../domain/returns/history/canonical-json.ts';
import type { StoredEntry, StoredState } from '../../domain/returns/history/verify-history.ts';
import type { WithdrawalEntry } from '../../domain/withdrawals/history/entry.ts';
import { subjectOfWithdrawal, type Withdrawal } from '../../domain/withdrawals/model/withdrawal.ts';
import { getItem } from '../engine/batch-get.ts';
import type { Bounds } from '../engine/index-page.ts';
import { type Key, parseTextsKey, personPartition, textsPrefix, withdrawalKey } from '../engine/keys.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';
import type { SaltedText } from '../personal/personal.ts';
import { readEntriesOf, readStoredEntriesOf, unpackIfReadable } from '../returns/returns.ts';
import { readSnapshotPage, type SnapshotPage } from '../returns/whole-returns.ts';
import { creationQuery, dueKeyOf, indexAttributes, summaryOf, withdrawalPartitions } from './withdrawal-list.ts';

/* Reads withdrawals with their histories and texts as they are stored, to show or verify them. */

type Packed = string | Uint8Array;

/** Returns up to `limit` entries of a withdrawal's history after a sequence, oldest first. */
export const readWithdrawalEntries = async (
  session: Session,
  withdrawalId: string,
  after: number,
  limit: number,
): Promise<WithdrawalEntry[]> => readEntriesOf<WithdrawalEntry>(session, withdrawalKey(withdrawalId), after, limit);

/** Returns the whole stored history of a withdrawal, oldest first. It has a few entries, and one more for each reminder. */
export const readStoredWithdrawalEntries = async (
  session: Session,
  withdrawalId: string,
): Promise<readonly StoredEntry<WithdrawalEntry>[]> => {
  const entries: StoredEntry<WithdrawalEntry>[] = [];
  // Reads from the lowest possible key: a key below the first sequence is an extra entry.
  for await (const batch of readStoredEntriesOf<WithdrawalEntry>(session, withdrawalKey(withdrawalId), -1))
    entries.push(...batch);
  return entries;
};

/** The row of a withdrawal as it is stored. */
export type WithdrawalRow = StoredState<Withdrawal> & { readonly attributes: Readonly<Record<string, unknown>> };

type Snapshot = Readonly<Record<string, unknown>> & { readonly value: Packed; readonly summary: Packed };

/** Returns the row of a withdrawal, or undefined. */
export const readWithdrawalRow = async (session: Session, withdrawalId: string): Promise<WithdrawalRow | undefined> => {
  const item = await getItem<Snapshot>(session, withdrawalKey(withdrawalId));
  if (item === undefined) return undefined;
  const state = unpackIfReadable(item) as Withdrawal | undefined;
  return { attributes: item, ...(state !== undefined && { state }) };
};

/** Returns whether the summary of a row differs from the withdrawal. */
const differsInSummary = (packed: unknown, state: Withdrawal): boolean => {
  const summary = unpackIfReadable({ value: packed as Packed }) as Readonly<Record<string, unknown>> | undefined;
  if (summary === undefined) return true;
  const expected: Readonly<Record<string, unknown>> = summaryOf(state);
  const names = new Set([...Object.keys(summary), ...Object.keys(expected)]);
  return [...names].some((name) => canonicalJson(summary[name] ?? null) !== canonicalJson(expected[name] ?? null));
};

/**
 * Returns the names of the attributes in which the row of a withdrawal differs from its state, never their values. A
 * wrong one hides the withdrawal from lists, reminders or the next tree.
 *
 * @param isErased whether its texts are erased: then no reminder of the receipt is due
 */
export const differingAttributes = (
  { attributes }: WithdrawalRow,
  state: Withdrawal,
  isErased: boolean,
): readonly string[] => {
  const { listKey: _, dueKey, ...expected } = indexAttributes(state);
  const differing = Object.entries({ ...expected, version: state.version }).flatMap(([name, value]) =>
    attributes[name] === value ? [] : [name],
  );
  const isDue = attributes['dueKey'] === dueKey || (isErased && attributes['dueKey'] === dueKeyOf(state, true));
  return [
    ...differing,
    // The number of partitions may have been raised since the row was written. Lists read all partitions.
    ...(withdrawalPartitions().some((partition) => partition === attributes['listKey']) ? [] : ['listKey']),
    ...(isDue ? [] : ['dueKey']),
    ...(differsInSummary(attributes['summary'], state) ? ['summary'] : []),
  ];
};

/** A row of texts, with the sequence in its key: that of their entry. `texts` is absent when it cannot be read. */
export type TextRow = { readonly sequence: number; readonly texts?: readonly SaltedText[] };

/** Returns the rows of a withdrawal's texts, in order of their keys. */
export const readTextRows = async (session: Session, withdrawalId: string): Promise<readonly TextRow[]> => {
  const items = await queryAll<Key & { readonly value: Packed }>(session, {
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: {
      ':pk': personPartition(subjectOfWithdrawal(withdrawalId)),
      ':prefix': textsPrefix(withdrawalId),
    },
    ConsistentRead: true,
  });
  return items.map(({ sk, value }) => {
    const texts = unpackIfReadable({ value });
    return { sequence: parseTextsKey(sk).sequence, ...(Array.isArray(texts) && { texts: texts as SaltedText[] }) };
  });
};

/** Returns the next withdrawals of all partitions, the newest first. Eventually consistent, as indexes are. */
export const readNewestWithdrawals = async (
  session: Session,
  bounds: Bounds,
  limit: number,
): Promise<SnapshotPage<Withdrawal>> =>
  readSnapshotPage<Withdrawal>(session, creationQuery(), withdrawalKey, { bounds, limit });
