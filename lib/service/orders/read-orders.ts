import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { withStore } from '../../execution/execute.ts';
import { orderNotFound } from '../../execution/failures.ts';
import { dataSubjectOf } from '../../personal/text-references.ts';
import { readOrder } from '../../store/orders/orders.ts';
import { readPerson } from '../../store/personal/personal.ts';
import { orderView, returnableView } from '../../views/views.ts';

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
