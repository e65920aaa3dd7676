import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import {
  nothingVerified,
  verifyEntries,
  verifySnapshot,
  type Against,
  type Verification,
} from '../../returns/history/verify-history.ts';
import { keptEntries, keptReturn } from '../../store/returns/returns.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { returnNotFound } from '../../execution/failures.ts';
import { readKeyRing } from '../../execution/history-keys.ts';

/** Verifies what stands after the entries that are verified already. */
const readOn = async (session: Session, against: Against, from: Verification): Promise<Verification> => {
  const { returnId } = against;
  let verified = from;
  // From the very first key: also one below the first place is one too many.
  for await (const batch of keptEntries(session, returnId, verified.entries === 0 ? -1 : verified.entries)) {
    verified = verifyEntries(verified, batch, against);
    if (verified.fault !== undefined) return verified;
  }
  return verified;
};

/** Undefined when there is no such return, nor a history of it. */
const verify = async (session: Session, against: Against): Promise<Verification | undefined> => {
  const { returnId } = against;
  let verified = nothingVerified;
  for (;;) {
    const further = await readOn(session, against, verified);
    if (further.fault !== undefined) return further;
    // Read after its history: it cannot be older. A newer one was moved meanwhile, and its entries are there by now.
    const kept = await keptReturn(session, returnId);
    if (kept === undefined && further.entries === 0) return undefined;
    const moved = (kept?.state?.version ?? 0) > further.entries;
    if (!moved || further.entries === verified.entries) return verifySnapshot(further, kept);
    verified = further;
  }
};

/** Checks a return's whole history, from the first entry to the stored return. */
export const verifyHistory = async (
  { returnId }: Input<'verifyHistory'>,
  call: Call,
): Promise<Result<Reply<Output<'verifyHistory'>>>> =>
  withStore(call, async (session) => {
    const known = await readKeyRing(session);
    const first = await verify(session, { returnId, keys: known });
    // Another container may have keyed it by a key that is newer than the ring at hand.
    const verified =
      first?.fault?.code === 'chain_rewritten'
        ? await verify(session, { returnId, keys: await readKeyRing(session, { force: true }) })
        : first;
    if (verified === undefined) return fail(returnNotFound);
    const { entries, head, notKeyed, fault } = verified;
    const found = { ...(notKeyed > 0 && { notKeyed }), ...(fault !== undefined && { firstFault: fault }) };
    return ok({ status: 200, body: { returnId, entries, valid: fault === undefined, head, ...found } });
  });
