import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { withdrawalNotFound } from '../../execution/failures.ts';
import { readKeyRing } from '../../execution/key-ring.ts';
import { entryActorView } from '../../../store/personal/encrypt-actor.ts';
import type { KeyRing } from '../../../domain/returns/history/mac.ts';
import {
  type Anchor,
  initialVerification,
  type StoredEntry,
  type Verification,
} from '../../../domain/returns/history/verify-history.ts';
import { readAnchor } from '../../../store/anchors/anchors.ts';
import { withdrawalKey } from '../../../store/engine/keys.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readPublishedSequence } from '../../../store/events/event-partitions.ts';
import { readActorKey, readErasedSequence } from '../../../store/personal/personal.ts';
import { readUserNames, type UserName } from '../../../store/personal/user-names.ts';
import {
  differingAttributes,
  readStoredWithdrawalEntries,
  readTextRows,
  readWithdrawalEntries,
  readWithdrawalRow,
} from '../../../store/withdrawals/histories.ts';
import type { WithdrawalEntry } from '../../../domain/withdrawals/history/entry.ts';
import { isSigned } from '../../../domain/withdrawals/history/fold.ts';
import {
  referencesOf,
  type WithdrawalFailure,
  withdrawalVerifier,
} from '../../../domain/withdrawals/history/verify.ts';
import { subjectOfWithdrawal, type UnsignedWithdrawal } from '../../../domain/withdrawals/model/withdrawal.ts';
import { withAnchors } from '../anchors.ts';
import { textFailure } from './verify-texts.ts';

const defaultLimit = 50;

/** What the view of an entry adds to it. */
type Personal = {
  readonly erasedThrough: number;
  readonly texts: ReadonlyMap<string, string>;
  readonly userNames: ReadonlyMap<string, UserName>;
};

/**
 * Makes the view of an entry. It adds fields that the hash does not cover. These are the person that the client acted
 * for, the name of the user, and the mark of erased texts.
 */
const entryView = (entry: WithdrawalEntry, { erasedThrough, texts, userNames }: Personal) => {
  const [reference] = referencesOf([{ sequence: entry.sequence, entry }]);
  return {
    ...entry,
    actor: entryActorView(entry.actor, texts, userNames),
    ...(reference !== undefined && entry.sequence <= erasedThrough && { erased: true as const }),
  };
};

/** Reads a page of a withdrawal's history, oldest entry first. */
export const getWithdrawalHistory = async (
  input: Input<'getWithdrawalHistory'>,
  call: Call,
): Promise<Result<Reply<Output<'getWithdrawalHistory'>>>> =>
  withStore(call, async (session) => {
    const { withdrawalId, limit = defaultLimit, cursor } = input;
    const scope = cursorScope('getWithdrawalHistory', call, { withdrawalId });
    const position = cursor === undefined ? ok('0') : await openCursor(cursor, scope);
    if (!position.ok) return position;
    const after = Number(position.value);
    // One more than the limit shows whether there is a next page.
    const entries = await readWithdrawalEntries(session, withdrawalId, after, limit + 1);
    if (entries.length === 0 && after === 0) return fail(withdrawalNotFound);
    // Read after the entries: a text that was erased since has its mark already.
    const shown = entries.slice(0, limit);
    const [erasedThrough, texts, userNames] = await Promise.all([
      readErasedSequence(session, withdrawalId),
      readActorKey(session, subjectOfWithdrawal(withdrawalId), withdrawalId),
      readUserNames(session, shown),
    ]);
    const items = takeFitting(shown.map((entry) => entryView(entry, { erasedThrough, texts, userNames })));
    const last = items.at(-1);
    const next =
      entries.length > items.length && last !== undefined ? await signCursor(String(last.sequence), scope) : ok(null);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items, nextCursor: next.value } });
  });

/** What is stored of a withdrawal. */
type Stored = Awaited<ReturnType<typeof readStored>>;

/**
 * Reads a withdrawal in an order that concurrent commands and erasures do not disturb: the history is not older than
 * what is published of it, the row and the texts are not older than the history, and a text that an erasure deleted has
 * its mark already.
 */
const readOnce = async (session: Session, withdrawalId: string) => {
  const published = await readPublishedSequence(session, withdrawalKey(withdrawalId).pk);
  const entries = await readStoredWithdrawalEntries(session, withdrawalId);
  const row = await readWithdrawalRow(session, withdrawalId);
  const texts = await readTextRows(session, withdrawalId);
  const erasedThrough = await readErasedSequence(session, withdrawalId);
  return { published, entries, row, texts, erasedThrough };
};

/** Reads a withdrawal until its row and its texts are not newer than its history, or it no longer changes. */
const readStored = async (session: Session, withdrawalId: string) => {
  for (let before: number | undefined; ;) {
    const stored = await readOnce(session, withdrawalId);
    const { entries, row, texts } = stored;
    const newest = Math.max(row?.state?.version ?? 0, ...texts.map(({ sequence }) => sequence));
    // A sequence that is no number is that of a wrong key.
    if (newest <= (entries.at(-1)?.sequence ?? 0) || entries.length === before) return stored;
    before = entries.length;
  }
};

/** A verified withdrawal, and its leaf in the last tree. */
type Verified = Omit<Verification<UnsignedWithdrawal>, 'failure'> & { readonly failure?: WithdrawalFailure };

/** Returns the failure of the row of a withdrawal whose history is valid. */
const rowFailure = (
  { published, row, erasedThrough }: Stored,
  state: UnsignedWithdrawal,
): WithdrawalFailure | undefined => {
  const { version: sequence } = state;
  if (published > sequence)
    return { sequence: sequence + 1, code: 'tail_removed', detail: 'The event of a later entry is published.' };
  if (row === undefined || !isSigned(state))
    return { sequence, code: 'snapshot_differs', detail: 'The withdrawal has no receipt.' };
  const [...differing] = differingAttributes(row, state, erasedThrough > 0);
  const detail = `The row of the withdrawal differs in ${differing.toSorted().join(', ')}.`;
  return differing.length === 0 ? undefined : { sequence, code: 'snapshot_differs', detail };
};

/** Verifies what is stored: the history, the row, the texts, and the leaf in the last tree. The first failure counts. */
const verify = (withdrawalId: string, stored: Stored, keys: KeyRing, anchor: Anchor | undefined): Verified => {
  const { entries, row, texts, erasedThrough } = stored;
  const { verifyEntries, verifySnapshot } = withdrawalVerifier;
  const chained = verifyEntries(initialVerification, entries, { returnId: withdrawalId, keys, anchor });
  const { failure: broken, ...verified } = verifySnapshot(chained, row, anchor);
  const { state } = verified;
  const firstHash = entries[0]?.entry?.hash ?? '';
  const failure =
    broken === undefined && state !== undefined
      ? (rowFailure(stored, state) ??
        textFailure(texts, { state, references: referencesOf(entries), firstHash, erasedThrough, keys }))
      : broken && { ...broken, code: broken.code === 'return_removed' ? ('withdrawal_removed' as const) : broken.code };
  return { ...verified, ...(failure !== undefined && { failure }) };
};

/** The trace of a withdrawal that is no longer there. */
const removed: WithdrawalFailure = {
  sequence: 1,
  code: 'withdrawal_removed',
  detail: 'The withdrawal is missing, but its texts, a mark of it or its anchor exist.',
};

/** Makes the proof for the offline verifier: the leaf, its path to the root, and the entries as they are stored. */
const proofView = ({ proof }: Anchor, entries: readonly StoredEntry<WithdrawalEntry>[]) => ({
  ...proof,
  path: [...proof.path],
  entries: entries.map(({ entry }) => entry ?? null),
});

type Body = Output<'verifyWithdrawalHistory'>;

/** Verifies a withdrawal. It reads the anchor first, so the history is not older than its leaf. */
const verifyStored = async (session: Session, withdrawalId: string): Promise<Result<Reply<Body>>> => {
  const anchor = await readAnchor(session, withdrawalId);
  const [stored, known] = [await readStored(session, withdrawalId), await readKeyRing(session)];
  const { published, entries, row, texts, erasedThrough } = stored;
  const isMissing = entries.length === 0 && row === undefined;
  const hasTrace = anchor !== undefined || texts.length > 0 || erasedThrough > 0 || published > 0;
  if (isMissing && !hasTrace) return fail(withdrawalNotFound);
  const first = verify(withdrawalId, stored, known, anchor);
  // Another container may have used a key that is newer than the cached key ring.
  const verified =
    first.failure?.code === 'chain_rewritten'
      ? verify(withdrawalId, stored, await readKeyRing(session, { force: true }), anchor)
      : first;
  const failure = isMissing ? removed : verified.failure;
  const body = {
    withdrawalId,
    entries: verified.entries,
    valid: failure === undefined,
    head: verified.head,
    ...(failure !== undefined && { firstFault: failure }),
    ...(anchor !== undefined && { proof: proofView(anchor, entries) }),
  };
  return ok({ status: 200, body });
};

/** Verifies a withdrawal with its history, its texts and its receipt, and proves its anchored entries. */
export const verifyWithdrawalHistory = async (
  { withdrawalId }: Input<'verifyWithdrawalHistory'>,
  call: Call,
): Promise<Result<Reply<Body>>> =>
  withStore(call, async (session) => withAnchors(async () => verifyStored(session, withdrawalId)));
