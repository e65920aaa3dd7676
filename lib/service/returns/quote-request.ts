import { fail, ok, type Failure, type Result } from '../../contract/result.ts';
import type { Input, Output } from '../../contract/contract.ts';
import { reasonsOf } from '../../returns/rules/reasons.ts';
import type { Reasons } from '../../returns/model/reason.ts';
import { readReasons } from '../../store/policies/reasons.ts';
import type { Session } from '../../store/engine/session.ts';
import { readOrder, type OrderRecord } from '../../store/orders/orders.ts';
import { readCatalogue } from '../../store/policies/policies.ts';
import type { Language } from '../../returns/languages.ts';
import { itemNames } from '../../texts/item.ts';
import { stepViews } from '../../texts/step-views.ts';
import { prospectiveQuote } from '../../returns/commands/money/prospective-quote.ts';
import type { Reply } from '../../contract/port.ts';
import { decisionView } from '../decisions/decision-view.ts';
import { issueToken } from '../decisions/eligibility-token.ts';
import { orderNotFound } from '../../execution/failures.ts';
import { judge } from '../decisions/judge.ts';
import { eligibilityOf, type Ruling } from '../decisions/ruling.ts';
import { ruledTerms } from '../decisions/ruled-terms.ts';

type Request = Exclude<Input<'quoteReturn'>['request'], undefined>;

/** What people write has no part in money, and is not sealed here: that it is there is all that reasons ask. */
const unwritten = (request: Request) => ({
  ...request,
  lines: request.lines.map(({ reason: { code, note }, ...line }) => ({
    ...line,
    reason: { code, ...(note === undefined ? {} : { note: { ref: '', digest: '' } }) },
  })),
});

type Around = { readonly ruling: Ruling | undefined; readonly reasons: Reasons; readonly at: string };

const quoted = ({ order, ledger }: OrderRecord, request: Request, { ruling, reasons, at }: Around) => {
  const terms = ruledTerms(ruling, order, request, at);
  const eligibility = ruling === undefined ? [] : eligibilityOf(ruling);
  return prospectiveQuote({ order, ledger, now: at, reasons }, unwritten(request), terms, eligibility);
};

/** The domain knows the request alone: in the input it has a place of its own. */
const below = (failure: Failure): Failure => ({
  ...failure,
  ...(failure.errors && { errors: failure.errors.map((error) => ({ ...error, path: `/request${error.path}` })) }),
});

/** Works out what would become of a return that was asked for now, and stores nothing. */
export const quoteRequest = async (
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
  const reasons = reasonsOf(changed);
  const ruling = await judge(session, catalogue, { order: record.order, request, requestedAt: at, reasons }, at);
  const money = quoted(record, request, { ruling, reasons, at });
  if (!money.ok) return fail(below(money.failure));
  const { steps, total } = money.value;
  const items = itemNames(record.order);
  const body = { steps: stepViews(steps, items, language), total };
  if (ruling === undefined) return ok({ status: 200, body, language });
  const token = await issueToken(request, ruling);
  if (!token.ok) return token;
  const decision = decisionView(ruling, items, language);
  return ok({ status: 200, body: { ...body, decision, ...token.value }, language });
};
