import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import { execute, type Plan, withStore } from '../../execution/execute.ts';
import { latestObservationAt } from '../../execution/observation.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { dataSubjectOf } from '../../personal/text-references.ts';
import { registerOrder as decide } from '../../returns/commands/order/register-order.ts';
import { renewDecision } from '../../returns/commands/request/reopen.ts';
import { appendEntries } from '../../returns/history/history.ts';
import { addMacs } from '../../returns/history/mac.ts';
import type { OrderFacts, OrderRef } from '../../returns/model/order.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Write } from '../../store/engine/transact.ts';
import { readKnownOrder, readOrder, writeLedger, writeOrder } from '../../store/orders/orders.ts';
import { type Person, readPerson, writePerson } from '../../store/personal/personal.ts';
import { readDecision, writeDecision } from '../../store/policies/decisions.ts';
import { readReturnIds } from '../../store/returns/order-returns.ts';
import { readReturn, writeReturn } from '../../store/returns/returns.ts';
import { orderView } from '../../views/views.ts';
import { factsChangedSince, reEvaluate } from '../decisions/re-evaluate.ts';

const noChange: Result<Plan<null>> = ok({ reply: { status: 200, body: null }, writes: [] });

/**
 * What a return comes to on the facts that its order tells now. Only one that waits for its first decision is looked at:
 * where the customer was asked something, somebody has taken it up, and it is looked at again once the answer is there and
 * facts are told then. Where the facts of its decision are what they were, nothing happens, however often it is tried.
 */
const reEvaluateReturn = async (session: Session, call: Call, returnId: string): Promise<Result<Plan<null>>> => {
  const state = await readReturn(session, returnId);
  const earlier = state?.decision?.decisionId;
  if (state?.status !== 'requested' || earlier === undefined) return noChange;
  const [record, before] = await Promise.all([readOrder(session, state.order), readDecision(session, earlier)]);
  if (record === undefined || before === undefined) throw new Error(`order or decision of return ${state.id} is gone`);
  const { order, ledger, ledgerVersion } = record;
  const changed = factsChangedSince(before, state, order);
  if (changed.length === 0) return noChange;
  const now = new Date().toISOString();
  const anew = await reEvaluate(session, { state, order, now }, before, call.traceId);
  if (anew === undefined) return noChange;
  const { renewed, decision } = anew;
  const outcome = renewDecision({ state, order, ledger, now }, { ...renewed, changed });
  if (!outcome.ok) return fail(outcome.failure);
  const made = { ...eventMetadata(call, state, renewed.judgement.policyVersion), at: now };
  const next = appendEntries(state, outcome.value.events, made);
  return ok({
    reply: { status: 200, body: null },
    writes: [
      ...writeReturn(next.state, addMacs(next.entries, await currentKey(session)), state),
      // Even where it stays as it is: it is there that the order shows to have changed meanwhile.
      writeLedger(order, outcome.value.ledger, ledgerVersion),
      writeDecision(decision),
    ],
  });
};

/**
 * Judges those returns of an order anew that wait to be decided on and whose decision rested on facts that are others by
 * now. What is to be done follows from what is stored: whoever died before it, or on the way, has left it to the next one
 * who tells of the order, under the same key or not. Whatever else happens to a return at that moment comes before it.
 *
 * @param count how many returns the ledger of the order counts
 */
const reEvaluateReturns = async (call: Call, order: OrderRef, count: number): Promise<Result<null>> =>
  withStore(call, async (session) => {
    const ids = await readReturnIds(session, order, count);
    if (ids === undefined) {
      const detail = 'The order is stored; not all of its returns can be found yet. Send it again.';
      return fail({ code: 'dependency_unavailable', detail, retryAfterSeconds: 1 });
    }
    // The key is that of the registration, which is answered already.
    const { idempotencyKey: _, ...keyless } = call;
    for (const id of ids) {
      const done = await execute('registerOrder', order, keyless, async (own) => reEvaluateReturn(own, call, id));
      if (!done.ok) return done;
    }
    return ok(null);
  });

/** Parts what is personal from the facts: the one is kept by person, the other in the order. */
const separatePersonal = ({ platform, orderId, observedAt, customer, ...input }: Input<'registerOrder'>) => {
  const { email, name, ...known } = customer ?? {};
  const person: Person = { ...(email === undefined ? {} : { email }), ...(name === undefined ? {} : { name }) };
  const facts: OrderFacts = { ...input, ...(customer === undefined ? {} : { customer: known }) };
  return { ref: { platform, orderId }, facts, person, observedAt: new Date(observedAt).toISOString() };
};

/** What to write of the person: nothing when nothing is told, or when a later or the very same observation is there. */
const writePersonChanges = async (
  session: Session,
  subject: string,
  told: Person,
  observedAt: string,
): Promise<Write[]> => {
  if (Object.keys(told).length === 0) return [];
  const known = await readPerson(session, subject);
  if (known !== undefined && known.observedAt > observedAt) return [];
  const next = { person: { ...known?.person, ...told }, observedAt };
  return isDeepStrictEqual(next, known) ? [] : [writePerson(subject, next)];
};

/**
 * Registers an order or merges newer facts into it. 201 for a new one, 200 for a known one. Then its returns are judged
 * anew whose decisions the facts have overtaken: the order is answered for once that is done, so that whoever hears
 * otherwise tells of it again.
 */
export const registerOrder = async (
  input: Input<'registerOrder'>,
  call: Call,
): Promise<Result<Reply<Output<'registerOrder'>>>> => {
  const { ref, facts, person, observedAt } = separatePersonal(input);
  let returns = 0;
  const registered = await execute('registerOrder', input, call, async (session) => {
    const known = await readKnownOrder(session, ref);
    returns = known.ledger.returns;
    const now = new Date();
    const id = `ord_${ulid()}`;
    const registration = { ref, facts, observedAt, latest: latestObservationAt(now), id, now: now.toISOString() };
    const decision = decide(known, registration);
    if (!decision.ok) return fail(decision.failure);
    const order = decision.value;
    const changes = order === known.order ? [] : writeOrder(order, known);
    return ok({
      reply: { status: known.order === undefined ? 201 : 200, body: orderView(order), version: order.version },
      writes: [...changes, ...(await writePersonChanges(session, dataSubjectOf(order), person, observedAt))],
    });
  });
  if (!registered.ok || returns === 0) return registered;
  const reconsidered = await reEvaluateReturns(call, ref, returns);
  return reconsidered.ok ? registered : reconsidered;
};
