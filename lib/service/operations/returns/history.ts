import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { returnNotFound } from '../../execution/failures.ts';
import { readKeyRing } from '../../execution/key-ring.ts';
import { entryActorView } from '../../../store/personal/encrypt-actor.ts';
import type { Entry } from '../../../domain/returns/history/entry.ts';
import {
  type ExpectedHistory,
  initialVerification,
  type Verification,
  verifyEntries,
  verifySnapshot,
} from '../../../domain/returns/history/verify-history.ts';
import { readAnchor } from '../../../store/anchors/anchors.ts';
import { takeFitting } from '../../../store/engine/pack.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readActorKey, readErasedSequence } from '../../../store/personal/personal.ts';
import { readUserNames } from '../../../store/personal/user-names.ts';
import { readStoredEntries, readStoredReturn, readEntries } from '../../../store/returns/returns.ts';
import { withAnchors } from '../anchors.ts';

const defaultLimit = 50;

/** Returns whether the data of an entry holds personal-text references. */
const holdsTextRef = (data: unknown): boolean => {
  if (typeof data !== 'object' || data === null) return false;
  return ('ref' in data && 'digest' in data) || Object.values(data).some(holdsTextRef);
};

type Texts = ReadonlyMap<string, string>;
type Names = Parameters<typeof entryActorView>[2];

/**
 * Makes the view of an entry. It adds fields that the hash does not cover. These are the person that the client acted
 * for, the name of the user, and marks of erased texts.
 */
const entryView = (entry: Entry, through: number, texts: Texts, names: Names) => ({
  ...entry,
  actor: entryActorView(entry.actor, texts, names),
  ...(entry.sequence <= through && holdsTextRef(entry.data) && { erased: true as const }),
});

/** Reads the texts that decrypt the actors of entries; none when no actor is encrypted. */
const readActorTexts = async (session: Session, returnId: string, entries: readonly Entry[]): Promise<Texts> => {
  if (entries.every(({ actor }) => actor.sealed === undefined)) return new Map();
  const known = entries.find(({ sequence }) => sequence === 1);
  const [first] = known === undefined ? await readEntries(session, returnId, 0, 1) : [known];
  // A history with another first entry is broken, which verifyHistory reports.
  return first?.type === 'return.requested' ? readActorKey(session, first.data.subject, returnId) : new Map();
};

/** Reads a page of a return's history, oldest entry first. */
export const getHistory = async (
  input: Input<'getHistory'>,
  call: Call,
): Promise<Result<Reply<Output<'getHistory'>>>> =>
  withStore(call, async (session) => {
    const { returnId, limit = defaultLimit, cursor } = input;
    const scope = cursorScope('getHistory', call, { returnId });
    const position = cursor === undefined ? ok('0') : await openCursor(cursor, scope);
    if (!position.ok) return position;
    const after = Number(position.value);
    // One more than the limit shows whether there is a next page.
    const entries = await readEntries(session, returnId, after, limit + 1);
    if (entries.length === 0 && after === 0) return fail(returnNotFound);
    const shown = entries.slice(0, limit);
    // Read after the entries: a text that was erased since has its mark already.
    const [through, texts, userNames] = await Promise.all([
      shown.some(({ data }) => holdsTextRef(data)) ? readErasedSequence(session, returnId) : 0,
      readActorTexts(session, returnId, shown),
      readUserNames(session, shown),
    ]);
    const items = takeFitting(shown.map((entry) => entryView(entry, through, texts, userNames)));
    const last = items.at(-1);
    const next =
      entries.length > items.length && last !== undefined ? await signCursor(String(last.sequence), scope) : ok(null);
    if (!next.ok) return next;
    return ok({ status: 200, body: { items, nextCursor: next.value } });
  });

/** Verifies the entries after the verified ones. */
const verifyFrom = async (session: Session, against: ExpectedHistory, from: Verification): Promise<Verification> => {
  const { returnId } = against;
  let verified = from;
  // Reads from the lowest possible key: a key below the first sequence is an extra entry.
  for await (const batch of readStoredEntries(session, returnId, verified.entries === 0 ? -1 : verified.entries)) {
    verified = verifyEntries(verified, batch, against);
    if (verified.failure !== undefined) return verified;
  }
  return verified;
};

/** Verifies a return; undefined when neither the return nor its history nor its anchor exists. */
const verify = async (session: Session, against: ExpectedHistory): Promise<Verification | undefined> => {
  const { returnId } = against;
  let verified: Verification = initialVerification;
  for (;;) {
    const further = await verifyFrom(session, against, verified);
    if (further.failure !== undefined) return further;
    // Read after its history, so it cannot be older. A newer return changed meanwhile, and its entries exist by now.
    const stored = await readStoredReturn(session, returnId);
    if (stored === undefined && further.entries === 0 && against.anchor === undefined) return undefined;
    const moved = (stored?.state?.version ?? 0) > further.entries;
    if (!moved || further.entries === verified.entries) return verifySnapshot(further, stored, against.anchor);
    verified = further;
  }
};

type Body = Output<'verifyHistory'>;

/** Verifies what is stored. It reads the anchor first, so the history is not older than its leaf. */
const verifyStored = async (session: Session, returnId: string): Promise<Result<Reply<Body>>> => {
  const anchor = await readAnchor(session, returnId);
  const first = await verify(session, { returnId, keys: await readKeyRing(session), anchor });
  // Another container may have used a key that is newer than the cached key ring.
  const verified =
    first?.failure?.code === 'chain_rewritten'
      ? await verify(session, { returnId, keys: await readKeyRing(session, { force: true }), anchor })
      : first;
  if (verified === undefined) return fail(returnNotFound);
  const { entries, head, failure } = verified;
  const body = {
    returnId,
    entries,
    valid: failure === undefined,
    head,
    ...(failure !== undefined && { firstFault: failure }),
    ...(anchor !== undefined && { anchor: { at: anchor.proof.at, version: anchor.proof.version } }),
  };
  return ok({ status: 200, body });
};

/** Verifies the whole history of a return, from the first entry to the stored return, and compares it with its anchor. */
export const verifyHistory = async ({ returnId }: Input<'verifyHistory'>, call: Call): Promise<Result<Reply<Body>>> =>
  withStore(call, async (session) => withAnchors(async () => verifyStored(session, returnId)));
