import type { Input, Output } from '../../contract/contract.ts';
import { ifMatchHolds } from '../../contract/if-match.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { executeReturnCommand, returnResponse } from '../../execution/return-response.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import { duplicateReturn, returnNotFound, versionMismatch } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { updateReturn as decide } from '../../returns/commands/annotations.ts';
import { appendEntries } from '../../returns/history/history.ts';
import { addMacs } from '../../returns/history/mac.ts';
import type { Return } from '../../returns/model/return.ts';
import { allowedActions } from '../../returns/rules/allowed-actions.ts';
import { readKnownOrder } from '../../store/orders/orders.ts';
import { findByExternalRefs, writeMarkerChanges, readReturn, writeReturn } from '../../store/returns/returns.ts';

/** Changes tags, metadata and external references of a return. A patch without changes adds no entry. */
export const updateReturn = async (
  input: Input<'updateReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'updateReturn'>>>> =>
  executeReturnCommand('updateReturn', input, call, async (session) => {
    const { returnId, ...patch } = input;
    const [state, holder, key] = await Promise.all([
      readReturn(session, returnId),
      findByExternalRefs(session, patch.externalRefs ?? [], returnId),
      currentKey(session),
    ]);
    if (state === undefined) return fail(returnNotFound);
    if (!ifMatchHolds(call.ifMatch, state.version)) return fail(versionMismatch(state.version));
    if (holder !== undefined) return fail(duplicateReturn(holder));
    const decision = decide(state, patch);
    if (!decision.ok) return fail(decision.failure);
    const event = decision.value;
    const made = eventMetadata(call, state, null);
    const { order, ledger } = await readKnownOrder(session, state.order);
    const shown = (now: Return) => returnResponse(now, allowedActions({ state: now, order, ledger, now: made.at }));
    if (event === undefined) return ok({ ...shown(state), writes: [] });
    const next = appendEntries(state, [event], made);
    return ok({
      ...shown(next.state),
      writes: [...writeReturn(next.state, addMacs(next.entries, key), state), ...writeMarkerChanges(state, next.state)],
    });
  });
