import { ulid } from 'ulid';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import type { OrderFacts } from '../../returns/order.ts';
import { registerOrder as decide } from '../../returns/register-order.ts';
import { holdLedger, readOrder, writeOrder } from '../../store/orders.ts';
import { writePerson, type Person } from '../../store/personal.ts';
import type { Call, Reply } from '../port.ts';
import { execute } from './execute.ts';
import { subjectOf } from './subject.ts';
import { orderView } from './views.ts';

/** Parts what is personal from the facts: the one is kept by person, the other in the order. */
const part = ({ platform, orderId, observedAt, customer, ...input }: Input<'registerOrder'>) => {
  const { email, name, ...known } = customer ?? {};
  const person: Person = { ...(email === undefined ? {} : { email }), ...(name === undefined ? {} : { name }) };
  const facts: OrderFacts = { ...input, ...(customer === undefined ? {} : { customer: known }) };
  return { ref: { platform, orderId }, facts, person, observedAt: new Date(observedAt).toISOString() };
};

/** Registers an order or merges newer facts into it. 201 for a new one, 200 for a known one. */
export const registerOrder = async (
  input: Input<'registerOrder'>,
  call: Call,
): Promise<Result<Reply<Output<'registerOrder'>>>> =>
  execute('registerOrder', input, call, async (session) => {
    const { ref, facts, person, observedAt } = part(input);
    const known = await readOrder(session, ref);
    const now = new Date().toISOString();
    const decision = decide(known, { ref, facts, observedAt, id: `ord_${ulid()}`, now });
    if (!decision.ok) return fail(decision.failure);
    const order = decision.value;
    const reply = { status: known === undefined ? 201 : 200, body: orderView(order), version: order.version } as const;
    if (order === known?.order) return ok({ reply, writes: [] });
    const customerStands = (order.observed.older['customer'] ?? order.observed.at) === observedAt;
    return ok({
      reply,
      writes: [
        writeOrder(order, known?.order.version ?? 0),
        holdLedger(ref, known?.ledgerVersion ?? 0),
        ...(customerStands && Object.keys(person).length > 0 ? [writePerson(subjectOf(order), person)] : []),
      ],
    });
  });
