import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { eventMetadata } from '../../execution/event-metadata.ts';
import { execute, type Plan, withStore } from '../../execution/execute.ts';
import { orderNotFound } from '../../execution/failures.ts';
import { latestObservationAt } from '../../execution/observation.ts';
import { currentKey } from '../../execution/key-ring.ts';
import { dataSubjectOf } from '../../../store/personal/text-references.ts';
import { registerOrder as decide } from '../../../domain/returns/commands/order/register-order.ts';
import { renewDecision } from '../../../domain/returns/commands/request/reopen.ts';
import { appendEntries } from '../../../domain/returns/history/history.ts';
import { writeChangedReturn } from '../../execution/write-changed-return.ts';
import { refreshReturn as decideRefresh } from '../../../domain/returns/commands/request/refresh-return.ts';
import { statedPaymentsLeft } from '../../../domain/returns/money/payments.ts';
import type { Order, OrderRef } from '../../../domain/returns/model/order.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import { shippedAnyway } from '../../../domain/returns/money/line-units.ts';
import { type Ledger } from '../../../domain/returns/money/order-ledger.ts';
import { raiseSold } from '../../../domain/returns/money/withdrawn-units.ts';
import { sendByOf } from '../../../domain/withdrawals/effect/return-terms.ts';
import { newUlid } from '../../../runtime/new-ids.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readKnownOrder, readOrder, writeLedger, writeOrder } from '../../../store/orders/orders.ts';
import { readPerson } from '../../../store/personal/personal.ts';
import { readDecision, writeDecision } from '../../../store/policies/decisions.ts';
import { readReturnIds } from '../../../store/returns/order-returns.ts';
import { readReturn } from '../../../store/returns/returns.ts';
import { orderView, returnableView } from '../../views/views.ts';
import { separatePersonal, writeCustomer } from './customer.ts';
import { factsChangedSince, reEvaluate } from '../decisions/re-evaluate.ts';
import { statutoryRulesInForce } from '../decisions/terms-config.ts';
import { returnShippedUnits } from '../withdrawals/match-withdrawal.ts';
import { dateHeldRefunds } from '../withdrawals/pay-withdrawals.ts';

const noChange: Result<Plan<null>> = ok({ reply: { status: 200, body: null }, writes: [] });

/**
 * Re-evaluates a return on the current facts of its order. Only a return that waits for its first decision is
 * evaluated. After a question to the customer, staff handles it until the answer arrives and facts are registered
 * again. Unchanged facts change nothing, so the call may be repeated.
 */
const reEvaluateReturn = async (session: Session, call: Call, state: Return): Promise<Result<Plan<null>>> => {
  const earlier = state.decision?.decisionId;
  if (state.status !== 'requested' || earlier === undefined) return noChange;
  const [record, before] = await Promise.all([readOrder(session, state.order), readDecision(session, earlier)]);
  if (record === undefined || before === undefined) throw new Error(`order or decision of return ${state.id} is gone`);
  const { order, ledger, ledgerVersion } = record;
  const changed = factsChangedSince(before, state, order);
  if (changed.length === 0) return noChange;
  const now = new Date().toISOString();
  const reEvaluated = await reEvaluate(session, { state, order, ledger, now }, before, call.traceId);
  if (reEvaluated === undefined) return noChange;
  const { renewed, decision } = reEvaluated;
  const outcome = renewDecision({ state, order, ledger, now }, { ...renewed, changed });
  if (!outcome.ok) return fail(outcome.failure);
  const metadata = { ...eventMetadata(call, state, renewed.judgement.policyVersion), at: now };
  const next = appendEntries(state, outcome.value.events, metadata);
  return ok({
    reply: { status: 200, body: null },
    writes: [
      ...writeChangedReturn(next, state, await currentKey(session), call),
      // The ledger is written even when it is unchanged: its version shows a concurrent change of the order.
      writeLedger(order, outcome.value.ledger, ledgerVersion),
      writeDecision(decision),
    ],
  });
};

/** Refreshes what follows from the facts of the order: the time to send the goods of a withdrawal, and the payments. */
const refreshReturn = async (
  session: Session,
  call: Call,
  state: Return,
  statesPayments: boolean,
): Promise<Result<Plan<null>>> => {
  const { terms, lines, paymentsLeft } = state;
  if (terms.withdrawal === undefined && paymentsLeft === undefined && !statesPayments) return noChange;
  const record = await readOrder(session, state.order);
  if (record === undefined) return noChange;
  const { order, ledger } = record;
  const sendBy = terms.withdrawal && sendByOf(statutoryRulesInForce(), order, lines, terms.withdrawal.declaredAt);
  const event = decideRefresh(state, { sendBy, paymentsLeft: statedPaymentsLeft(order, ledger) });
  if (event === undefined) return noChange;
  const next = appendEntries(state, [event], eventMetadata(call, state, null));
  const writes = writeChangedReturn(next, state, await currentKey(session), call);
  return ok({ reply: { status: 200, body: null }, writes });
};

/** Plans what new facts of its order change in a return. A new decision sets new terms with all dates. */
const planOnNewFacts = async (
  session: Session,
  call: Call,
  returnId: string,
  statesPayments: boolean,
): Promise<Result<Plan<null>>> => {
  const state = await readReturn(session, returnId);
  if (state === undefined) return noChange;
  const reEvaluated = await reEvaluateReturn(session, call, state);
  return reEvaluated === noChange ? refreshReturn(session, call, state, statesPayments) : reEvaluated;
};

/**
 * Re-evaluates the undecided returns of an order whose facts have changed since their decision, and refreshes the dates
 * of others.
 * The work follows from the stored state. After a crash, the next registration of the order does it, with the same key
 * or another one. A concurrent command on a return has precedence.
 *
 * @param count the number of returns in the ledger of the order
 * @param statesPayments whether the new facts state that all payments are known, or not
 */
const reEvaluateReturns = async (
  call: Call,
  order: OrderRef,
  count: number,
  statesPayments: boolean,
): Promise<Result<null>> =>
  withStore(call, async (session) => {
    const ids = await readReturnIds(session, order, count);
    if (ids === undefined) {
      const detail = 'The order is stored, but not all of its returns can be found yet. Send it again.';
      return fail({ code: 'dependency_unavailable', detail, retryAfterSeconds: 1 });
    }
    // The key belongs to the registration, which has its response already.
    const { idempotencyKey: _, ...keyless } = call;
    for (const id of ids) {
      const done = await execute('registerOrder', order, keyless, async (own) =>
        planOnNewFacts(own, call, id, statesPayments),
      );
      if (!done.ok) return done;
    }
    return ok(null);
  });

/** Returns the withdrawals that hold units of an order of which the shop shipped some anyway; almost always none. */
const withdrawalsToReturn = ({ facts }: Order, ledger: Ledger): readonly string[] =>
  facts.lines.some((line) => shippedAnyway(ledger, line) > 0) ? (ledger.withdrawals ?? []) : [];

/**
 * Registers an order or merges newer facts into it. Returns 201 for a new order and 200 for a known one. Then it makes
 * returns of withdrawn units that the shop shipped, dates the refund of withdrawn units that are paid now, and re-evaluates the returns whose facts have changed. It responds
 * after that, so a caller that gets an error repeats it.
 */
export const registerOrder = async (
  input: Input<'registerOrder'>,
  call: Call,
): Promise<Result<Reply<Output<'registerOrder'>>>> => {
  const { ref, facts, person, observedAt } = separatePersonal(input);
  const statesPayments = facts.paymentsComplete !== undefined;
  let returns = 0;
  let holding: readonly string[] = [];
  let unpaid: readonly string[] = [];
  const registered = await execute('registerOrder', input, call, async (session) => {
    const known = await readKnownOrder(session, ref);
    ({ returns } = known.ledger);
    const now = new Date();
    const id = `ord_${newUlid()}`;
    const registration = { ref, facts, observedAt, latest: latestObservationAt(now), id, now: now.toISOString() };
    const decision = decide(known, registration);
    if (!decision.ok) return fail(decision.failure);
    const order = decision.value;
    const ledger = raiseSold(known.ledger, order);
    holding = withdrawalsToReturn(order, ledger);
    unpaid = statesPayments ? (ledger.withdrawals ?? []) : [];
    const changes = order === known.order ? [] : writeOrder(order, { ...known, ledger });
    return ok({
      reply: { status: known.order === undefined ? 201 : 200, body: orderView(order), version: order.version },
      writes: [...changes, ...(await writeCustomer(session, { order, before: known.order }, { person, observedAt }))],
    });
  });
  if (!registered.ok) return registered;
  const returned = await returnShippedUnits(call, ref, holding);
  if (!returned.ok) return returned;
  const dated = await dateHeldRefunds(call, ref, unpaid);
  if (!dated.ok || returns === 0) return dated.ok ? registered : dated;
  const reconsidered = await reEvaluateReturns(call, ref, returns, statesPayments);
  return reconsidered.ok ? registered : reconsidered;
};

/** Reads the returnable units of an order. They are not reserved: only createReturn holds units. */
export const getReturnable = async (
  input: Input<'getReturnable'>,
  call: Call,
): Promise<Result<Reply<Output<'getReturnable'>>>> =>
  withStore(call, async (session) => {
    const record = await readOrder(session, input);
    if (record === undefined) return fail(orderNotFound('/orderId'));
    return ok({ status: 200, body: returnableView(record.order, record.ledger) });
  });

/** Reads an order with its customer, or with a mark that the customer is erased. */
export const getOrder = async (input: Input<'getOrder'>, call: Call): Promise<Result<Reply<Output<'getOrder'>>>> =>
  withStore(call, async (session) => {
    const record = await readOrder(session, input);
    if (record === undefined) return fail(orderNotFound('/orderId'));
    const { order } = record;
    const person = await readPerson(session, dataSubjectOf(order));
    return ok({ status: 200, body: orderView(order, { person }), version: order.version });
  });
