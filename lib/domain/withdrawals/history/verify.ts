import {
  type HistoryFailure,
  type HistoryVerifier,
  type StoredEntry,
  verifierOf,
} from '../../returns/history/verify-history.ts';
import type { TextReference } from '../../returns/model/actor.ts';
import type { UnsignedWithdrawal } from '../model/withdrawal.ts';
import type { WithdrawalEntry } from './entry.ts';
import { foldWithdrawal } from './fold.ts';

/** Verifies the histories of withdrawals by the rules of all histories. Each entry has a MAC. */
export const withdrawalVerifier: HistoryVerifier<WithdrawalEntry, UnsignedWithdrawal> = /* @__PURE__ */ verifierOf({
  noun: 'withdrawal',
  fold: foldWithdrawal,
  entryFailure: (before, { type }) =>
    before !== undefined && type === 'withdrawal.declared' ? 'Only the first entry is a declaration.' : undefined,
});

/** The failure of a stored withdrawal: that of its history, of its texts, or of its anchor. */
export type WithdrawalFailure = Omit<HistoryFailure, 'code'> & {
  readonly code:
    | Exclude<HistoryFailure['code'], 'return_removed'>
    | 'withdrawal_removed'
    | 'text_differs'
    | 'text_removed'
    | 'receipt_differs';
};

/** A reference to a text, and the sequence of its entry. */
export type EntryReference = TextReference & { readonly sequence: number };

/** Returns the references to texts at any depth of a value. */
const referencesIn = (value: unknown): readonly TextReference[] => {
  if (typeof value !== 'object' || value === null) return [];
  const { ref, digest } = value as Partial<TextReference>;
  return typeof ref === 'string' && typeof digest === 'string'
    ? [{ ref, digest }]
    : Object.values(value).flatMap(referencesIn);
};

/** Returns the references of a history to the texts of people. */
export const referencesOf = (entries: readonly StoredEntry<WithdrawalEntry>[]): readonly EntryReference[] =>
  entries.flatMap(({ sequence, entry }) => referencesIn(entry?.data).map((reference) => ({ ...reference, sequence })));
