import { fail, ok, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import type { Language } from '../../returns/languages.ts';
import { quote } from '../../returns/money/quote.ts';
import { refundTime, refundWait } from '../../returns/rules/refund-wait.ts';
import { readOrder } from '../../store/orders/orders.ts';
import { readReturn } from '../../store/returns/returns.ts';
import type { Session } from '../../store/engine/session.ts';
import { languageFor } from '../../texts/accept-language.ts';
import { itemNames } from '../../texts/item.ts';
import { stepViews } from '../../texts/step-views.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { withStore } from '../../execution/execute.ts';
import { orderNotFound, returnNotFound } from '../../execution/failures.ts';
import { quoteRequest } from './quote-request.ts';

type Wanted = Omit<Input<'quoteReturn'>, 'returnId' | 'request'>;

const quoteRefund = async (
  session: Session,
  returnId: string,
  wanted: Wanted,
  language: Language,
): Promise<Result<Reply<Output<'quoteReturn'>>>> => {
  const state = await readReturn(session, returnId);
  if (state === undefined) return fail(returnNotFound);
  const record = await readOrder(session, state.order);
  if (record === undefined) return fail(orderNotFound('/returnId'));
  const quoted = quote({ state, order: record.order, ledger: record.ledger }, wanted);
  if (!quoted.ok) return quoted;
  const { steps, total, hash } = quoted.value;
  const blocker = refundTime(state) ?? (total.amount === 0 ? refundWait(state) : undefined);
  const blockedBy = blocker === undefined ? {} : { blockedBy: blocker.code };
  const body = { returnId, steps: stepViews(steps, itemNames(record.order), language), total, hash, ...blockedBy };
  return ok({ status: 200, body, language });
};

const oneOfTwo = fail({
  code: 'invalid_request' as const,
  detail: 'A quote is of a return, or of a request for one.',
  errors: [
    {
      path: '',
      code: 'required',
      message: 'must have returnId, with lines and shipping where wanted, or request alone',
    },
  ],
});

/** Works out what a refund would come to, of a return or of one that might be asked for, and stores nothing. */
export const quoteReturn = async (
  input: Input<'quoteReturn'>,
  call: Call,
): Promise<Result<Reply<Output<'quoteReturn'>>>> =>
  withStore(call, async (session) => {
    const { returnId, request, ...wanted } = input;
    const language = languageFor(call.acceptLanguage);
    if (request !== undefined && returnId === undefined && Object.keys(wanted).length === 0)
      return quoteRequest(session, request, language);
    return returnId === undefined || request !== undefined
      ? oneOfTwo
      : quoteRefund(session, returnId, wanted, language);
  });
