import { hashOfLeaf, isIncluded } from '../../returns/history/merkle.ts';
import {
  type HistoryFailure,
  type HistoryVerifier,
  type Proof,
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
    | 'receipt_differs'
    | 'anchor_differs';
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

/**
 * Compares a history with its leaf in the last tree.
 *
 * @param root the published root of the tree
 */
export const anchorFailure = (
  entries: readonly StoredEntry<WithdrawalEntry>[],
  proof: Proof,
  root: string,
): WithdrawalFailure | undefined => {
  const { version, head, at } = proof;
  if (!isIncluded(hashOfLeaf(proof), proof, root))
    return { sequence: 1, code: 'anchor_differs', detail: `Its proof does not lead to the root of ${at}.` };
  if (entries.length < version) {
    const detail = `There were ${version} entries by the root of ${at}.`;
    return { sequence: entries.length + 1, code: 'tail_removed', detail };
  }
  // An unreadable withdrawal was anchored as unreadable.
  if (version > 0 && entries[version - 1]?.entry?.hash === head) return undefined;
  const detail = `It had another head by the root of ${at}.`;
  return { sequence: Math.max(1, version), code: 'anchor_differs', detail };
};
