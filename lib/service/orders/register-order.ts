import { isDeepStrictEqual } from 'node:util';
import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { OrderFacts } from '../../returns/model/order.ts';
import { registerOrder as decide } from '../../returns/commands/order/register-order.ts';
import { readKnownOrder, writeOrder } from '../../store/orders/orders.ts';
import { readPerson, writePerson, type Person } from '../../store/personal/personal.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Write } from '../../store/engine/transact.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { execute } from '../../execution/execute.ts';
import { latestFact } from '../../execution/latest-fact.ts';
import { reconsiderReturns } from '../decisions/reconsider-returns.ts';
import { subjectOf } from '../../personal/subject.ts';
import { orderView } from '../../views/views.ts';

/** Parts what is personal from the facts: the one is kept by person, the other in the order. */
const part = ({ platform, orderId, observedAt, customer, ...input }: Input<'registerOrder'>) => {
  const { email, name, ...known } = customer ?? {};
  const person: Person = { ...(email === undefined ? {} : { email }), ...(name === undefined ? {} : { name }) };
  const facts: OrderFacts = { ...input, ...(customer === undefined ? {} : { customer: known }) };
  return { ref: { platform, orderId }, facts, person, observedAt: new Date(observedAt).toISOString() };
};

/** What to write of the person: nothing when nothing is told, or when a later or the very same observation is there. */
const tellPerson = async (session: Session, subject: string, told: Person, observedAt: string): Promise<Write[]> => {
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
  const { ref, facts, person, observedAt } = part(input);
  let returns = 0;
  const registered = await execute('registerOrder', input, call, async (session) => {
    const known = await readKnownOrder(session, ref);
    returns = known.ledger.returns;
    const now = new Date();
    const id = `ord_${ulid()}`;
    const registration = { ref, facts, observedAt, latest: latestFact(now), id, now: now.toISOString() };
    const decision = decide(known, registration);
    if (!decision.ok) return fail(decision.failure);
    const order = decision.value;
    const changes = order === known.order ? [] : writeOrder(order, known);
    return ok({
      reply: { status: known.order === undefined ? 201 : 200, body: orderView(order), version: order.version },
      writes: [...changes, ...(await tellPerson(session, subjectOf(order), person, observedAt))],
    });
  });
  if (!registered.ok || returns === 0) return registered;
  const reconsidered = await reconsiderReturns(call, ref, returns);
  return reconsidered.ok ? registered : reconsidered;
};
