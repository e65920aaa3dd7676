import type { Input, Output } from '../../contract/contract.ts';
import { holds } from '../../contract/if-match.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { executeShowing, showing } from '../../execution/answer.ts';
import { circumstances } from '../../execution/circumstances.ts';
import { duplicateReturn, returnNotFound, versionMismatch } from '../../execution/failures.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { updateReturn as decide } from '../../returns/commands/annotations.ts';
import { append } from '../../returns/history/history.ts';
import { keyed } from '../../returns/history/mac.ts';
import type { Return } from '../../returns/model/return.ts';
import { allowedActions } from '../../returns/rules/allowed-actions.ts';
import { readKnownOrder } from '../../store/orders/orders.ts';
import { findByExternalRefs, moveMarkers, readReturn, writeReturn } from '../../store/returns/returns.ts';

/** Changes tags, metadata and external references of a return. What changes nothing leaves no entry. */
export const updateReturn = async (
  input: Input<'updateReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'updateReturn'>>>> =>
  executeShowing('updateReturn', input, call, async (session) => {
    const { returnId, ...patch } = input;
    const [state, holder, key] = await Promise.all([
      readReturn(session, returnId),
      findByExternalRefs(session, patch.externalRefs ?? [], returnId),
      currentKey(session),
    ]);
    if (state === undefined) return fail(returnNotFound);
    if (!holds(call.ifMatch, state.version)) return fail(versionMismatch(state.version));
    if (holder !== undefined) return fail(duplicateReturn(holder));
    const decision = decide(state, patch);
    if (!decision.ok) return fail(decision.failure);
    const event = decision.value;
    const made = circumstances(call, state, null);
    const { order, ledger } = await readKnownOrder(session, state.order);
    const shown = (now: Return) => showing(now, allowedActions({ state: now, order, ledger, now: made.at }));
    if (event === undefined) return ok({ ...shown(state), writes: [] });
    const next = append(state, [event], made);
    return ok({
      ...shown(next.state),
      writes: [...writeReturn(next.state, keyed(next.entries, key), state), ...moveMarkers(state, next.state)],
    });
  });
