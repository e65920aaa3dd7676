import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/schemas.ts';
import { quote } from '../../returns/money/quote.ts';
import { readOrder } from '../../store/orders.ts';
import { readReturn } from '../../store/returns.ts';
import type { Call, Reply } from '../port.ts';
import { withStore } from './execute.ts';
import { returnNotFound } from './failures.ts';

/** Works out what a refund of a return would come to, and stores nothing. */
export const quoteReturn = async (
  input: Input<'quoteReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'quoteReturn'>>>> =>
  withStore(call, async (session) => {
    const { returnId, ...wanted } = input;
    const state = await readReturn(session, returnId);
    if (state === undefined) return fail(returnNotFound);
    const record = await readOrder(session, state.order);
    if (record === undefined) throw new Error(`order of return ${state.id} is gone`);
    const quoted = quote({ state, order: record.order, ledger: record.ledger }, wanted);
    if (!quoted.ok) return quoted;
    const { steps, total, hash } = quoted.value;
    return ok({ status: 200, body: { returnId, steps: [...steps], total, hash } });
  });
