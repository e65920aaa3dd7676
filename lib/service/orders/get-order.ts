import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { readOrder } from '../../store/orders/orders.ts';
import { readPerson } from '../../store/personal/personal.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { orderNotFound } from '../../execution/failures.ts';
import { subjectOf } from '../../personal/subject.ts';
import { orderView } from '../../views/views.ts';

/** Reads an order with its customer, or the mark that they are erased. */
export const getOrder = async (input: Input<'getOrder'>, call: Call): Promise<Result<Reply<Output<'getOrder'>>>> =>
  withStore(call, async (session) => {
    const record = await readOrder(session, input);
    if (record === undefined) return fail(orderNotFound('/orderId'));
    const { order } = record;
    const person = await readPerson(session, subjectOf(order));
    return ok({ status: 200, body: orderView(order, { person }), version: order.version });
  });
