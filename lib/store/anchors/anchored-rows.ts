import { entryHash } from '../../domain/returns/history/history.ts';
import { isWithdrawalId, type Leaf } from '../../domain/returns/history/merkle.ts';
import type { Return } from '../../domain/returns/model/return.ts';
import type { Withdrawal } from '../../domain/withdrawals/model/withdrawal.ts';
import { batchGet } from '../engine/batch-get.ts';
import { creationIndexQuery } from '../engine/indexes.ts';
import { domainEventKey, type Key, returnKey, withdrawalKey } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { unpackIfReadable } from '../returns/returns.ts';
import { creationQuery } from '../withdrawals/withdrawal-list.ts';

/* Reads what the table holds of anchored histories, strongly consistent. */

type Packed = string | Uint8Array;

/** Returns the key of the row of a return or withdrawal. Its history has the same partition. */
export const rowKeyOf = (id: string): Key => (isWithdrawalId(id) ? withdrawalKey(id) : returnKey(id));

/** Returns the id of a return or withdrawal by its partition. */
const idOf = (pk: unknown): string => String(pk).slice(String(pk).indexOf('#') + 1);

const hashOf = (entry: object): string | undefined => {
  try {
    return entryHash(entry);
  } catch {
    return undefined;
  }
};

/**
 * Reads the entries that a tree has as heads.
 *
 * @returns the hash of each by its content, by the id of the history; without missing and unreadable ones
 */
export const readHeads = async (session: Session, leaves: readonly Leaf[]): Promise<ReadonlyMap<string, string>> => {
  const keys = leaves.map(({ returnId, version }) => domainEventKey(rowKeyOf(returnId).pk, version));
  const rows = await batchGet(session, keys, ['pk', 'value'], { consistent: true });
  return new Map(
    (rows as { pk: string; value: Packed }[]).flatMap((row) => {
      const entry = unpackIfReadable(row);
      const hash = entry && hashOf(entry);
      return hash === undefined ? [] : [[idOf(row.pk), hash] as const];
    }),
  );
};

/** The row of a return or withdrawal that a list did not show. `read` throws for an unreadable one. */
export type UnshownRow = { readonly read: () => Return | Withdrawal; readonly isHidden: boolean };

type Row = Readonly<Record<'pk' | 'id' | 'listKey', unknown>> & { readonly value: Packed; readonly summary: Packed };

/** Reads rows that a list did not show, by their ids. A row that moves between partitions is not hidden. */
export const readUnshownRows = async (
  session: Session,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UnshownRow>> => {
  const attributes = ['pk', 'id', 'listKey', 'value', 'summary'];
  const rows = (await batchGet(session, ids.map(rowKeyOf), attributes, { consistent: true })) as Row[];
  return new Map(
    rows.map(({ pk, id, listKey, value, summary }) => {
      const known = idOf(pk);
      const { partitions } = isWithdrawalId(known) ? creationQuery() : creationIndexQuery();
      const isListed = id === known && partitions.some((partition) => partition === listKey);
      return [known, { read: () => unpack(value, summary) as Return | Withdrawal, isHidden: !isListed }];
    }),
  );
};
