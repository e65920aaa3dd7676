import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { withStore } from '../../execution/execute.ts';
import { orderNotFound, returnNotFound } from '../../execution/failures.ts';
import { placeholderIds, prospectiveQuote } from '../../../domain/returns/commands/money/refund-return.ts';
import type { Reasons } from '../../../domain/returns/model/return.ts';
import { quote } from '../../../domain/returns/money/quote.ts';
import { withCurrentWorth } from '../../../domain/returns/money/revalue.ts';
import type { Language } from '../../../domain/returns/input-checks.ts';
import { mergeReasons } from '../../../domain/returns/rules/reasons.ts';
import { quoteBlocker } from '../../../domain/returns/rules/refund-sums.ts';
import { keptFacts } from '../../../domain/policies/decision/facts-of.ts';
import type { Session } from '../../../store/engine/session.ts';
import { type OrderRecord, readOrder } from '../../../store/orders/orders.ts';
import { readReasons } from '../../../store/policies/decisions.ts';
import { readCatalogue } from '../../../store/policies/policies.ts';
import { readReturn } from '../../../store/returns/returns.ts';
import { languageFor } from '../../../domain/texts/catalogues.ts';
import { stepViews } from '../../../domain/texts/explain.ts';
import { itemNames } from '../../../domain/texts/formats.ts';
import { issueToken } from '../decisions/eligibility-token.ts';
import { decisionView } from '../decisions/get-decision.ts';
import { evaluateRequest } from '../decisions/evaluate-request.ts';
import { eligibilityOf, type PolicyDecision } from '../decisions/policy-decision.ts';
import { termsForRequest } from '../decisions/terms-config.ts';

type Request = Exclude<Input<'quoteReturn'>['request'], undefined>;

/** Removes texts from a request. Texts do not affect money, and reasons only require their presence. */
const withoutTexts = (request: Request) => ({
  ...request,
  lines: request.lines.map(({ reason: { code, note }, ...line }) => ({
    ...line,
    reason: { code, ...(note === undefined ? {} : { note: { ref: '', digest: '' } }) },
  })),
});

type QuoteContext = {
  readonly policyDecision: PolicyDecision | undefined;
  readonly reasons: Reasons;
  readonly at: string;
};

const quoteProspective = (
  { order, ledger }: OrderRecord,
  request: Request,
  { policyDecision, reasons, at }: QuoteContext,
) => {
  const { lineIds } = placeholderIds(request);
  const { terms, withdrawable } = termsForRequest(policyDecision, order, request, at, lineIds);
  const eligibility = policyDecision === undefined ? [] : eligibilityOf(policyDecision);
  return prospectiveQuote({ order, ledger, now: at, reasons, withdrawable }, withoutTexts(request), terms, eligibility);
};

/** Moves the paths of a failure under `request`, where the input has the request. */
const underRequest = (failure: Failure): Failure => ({
  ...failure,
  ...(failure.errors && { errors: failure.errors.map((error) => ({ ...error, path: `/request${error.path}` })) }),
});

/** Quotes a return that is requested now, and stores nothing. */
const quoteRequest = async (
  session: Session,
  request: Request,
  language: Language,
): Promise<Result<Reply<Output<'quoteReturn'>>>> => {
  const [record, catalogue, { changed }] = await Promise.all([
    readOrder(session, request.order),
    readCatalogue(session),
    readReasons(session),
  ]);
  if (record === undefined) return fail(orderNotFound('/request/order'));
  const at = new Date().toISOString();
  const reasons = mergeReasons(changed);
  const policyDecision = await evaluateRequest(
    session,
    catalogue,
    {
      order: record.order,
      request,
      requestedAt: at,
      reasons,
      kept: keptFacts(record.order, record.ledger, request.lines),
    },
    at,
  );
  const money = quoteProspective(record, request, { policyDecision, reasons, at });
  if (!money.ok) return fail(underRequest(money.failure));
  const { steps, total } = money.value;
  const items = itemNames(record.order);
  const body = { steps: stepViews(steps, items, language), total };
  if (policyDecision === undefined) return ok({ status: 200, body, language });
  const token = await issueToken(request, policyDecision);
  if (!token.ok) return token;
  const decision = decisionView(policyDecision, items, language);
  return ok({ status: 200, body: { ...body, decision, ...token.value }, language });
};

type QuoteSelection = Omit<Input<'quoteReturn'>, 'returnId' | 'request'>;

const quoteRefund = async (
  session: Session,
  returnId: string,
  wanted: QuoteSelection,
  language: Language,
): Promise<Result<Reply<Output<'quoteReturn'>>>> => {
  const stored = await readReturn(session, returnId);
  if (stored === undefined) return fail(returnNotFound);
  const record = await readOrder(session, stored.order);
  if (record === undefined) return fail(orderNotFound('/returnId'));
  const { state } = withCurrentWorth(stored, record.order, record.ledger);
  const quoted = quote({ state, order: record.order, ledger: record.ledger }, wanted);
  if (!quoted.ok) return quoted;
  const { steps, total, hash } = quoted.value;
  const code = quoteBlocker(state, total.amount);
  const blockedBy = code === undefined ? {} : { blockedBy: code };
  const body = { returnId, steps: stepViews(steps, itemNames(record.order), language), total, hash, ...blockedBy };
  return ok({ status: 200, body, language });
};

const returnOrRequest = fail({
  code: 'invalid_request' as const,
  detail: 'A quote needs either `returnId` or `request`.',
  errors: [
    {
      path: '',
      code: 'required',
      message: 'must have returnId, optionally with lines and shipping, or request alone',
    },
  ],
});

/** Quotes a refund of a return, or of a prospective one, and stores nothing. */
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
      ? returnOrRequest
      : quoteRefund(session, returnId, wanted, language);
  });
