import type { PolicyRequest } from '../../policies/decision/facts-of.ts';
import {
  changedFacts,
  factDigests,
  type FactDigests,
  type StoredDecision,
} from '../../policies/decision/stored-decision.ts';
import type { Facts } from '../../policies/facts.ts';
import { toReevaluation } from '../../returns/commands/request/reopen.ts';
import type { Reevaluation } from '../../returns/history/lifecycle-events.ts';
import type { Order } from '../../returns/model/order.ts';
import type { Return } from '../../returns/model/return.ts';
import { mergeReasons } from '../../returns/rules/reasons.ts';
import type { Situation } from '../../returns/situation.ts';
import type { Session } from '../../store/engine/session.ts';
import { readReasons } from '../../store/policies/decisions.ts';
import { readCatalogue } from '../../store/policies/policies.ts';
import { evaluateShadow } from './evaluate-shadow.ts';
import { evaluationFacts, evaluateRequest } from './evaluate-request.ts';
import { decisionForReturn, type EvaluationRequest, toStoredDecision } from './policy-decision.ts';
import { termsForRequest } from './terms-config.ts';

/** A new decision on a return, and what it says of it. */
export type ReEvaluation = { readonly decision: StoredDecision; readonly renewed: Reevaluation };

/** What was asked for, as it was. */
const originalRequest = ({ lines, basis, channel, initiatedBy, isGift }: Return): PolicyRequest => ({
  lines: lines.map(({ orderLineId, quantities, reason, condition, resolution }) => ({
    orderLineId,
    quantity: quantities.requested,
    reason,
    ...(condition === undefined ? {} : { condition }),
    resolution,
  })),
  ...(basis === undefined ? {} : { basis }),
  ...(channel === undefined ? {} : { channel }),
  initiatedBy,
  isGift,
});

/** What a shop says of its reasons later is for later returns: whose fault it is stays as it was decided on before. */
const reasonsIn = ({ facts }: StoredDecision): EvaluationRequest['reasons'] =>
  new Map(facts.lines.flatMap(({ reason, fault }) => (fault === undefined ? [] : [[reason, { fault }] as const])));

/** The time of the request is that of the first decision on it, which a quote may have promised: no window runs on. */
const evaluationRequestOf = (
  state: Return,
  order: Order,
  before: StoredDecision | undefined,
  reasons: EvaluationRequest['reasons'],
): EvaluationRequest => ({
  order,
  request: originalRequest(state),
  requestedAt: before?.facts.requestedAt ?? state.requestedAt,
  reasons,
  returnId: state.id,
});

/**
 * The parts of the facts of a decision that the order tells otherwise now. What is not of the order counts as it was: how
 * often the customer returned, and which lists name one who was known before.
 */
export const factsChangedSince = (
  before: StoredDecision,
  state: Return,
  order: Order,
): readonly (keyof FactDigests)[] => {
  const { segment: _, lists = [], ...counts } = before.facts.customer;
  const { id, segment } = order.facts.customer ?? {};
  const customer: Facts['customer'] = {
    ...counts,
    ...(segment === undefined ? {} : { segment }),
    ...(id === undefined ? {} : { lists }),
  };
  const facts = evaluationFacts(evaluationRequestOf(state, order, before, reasonsIn(before)), customer);
  return facts === undefined ? [] : changedFacts(factDigests(before.facts), facts);
};

/**
 * Judges the request of a return anew, as if it were made again at its time: by the policy that is for the order now, on
 * what is known now. Undefined where no policy is for it.
 *
 * @param before the decision that stands, if there is one
 */
export const reEvaluate = async (
  session: Session,
  { state, order, now }: Pick<Situation, 'state' | 'order' | 'now'>,
  before: StoredDecision | undefined,
  traceId: string,
): Promise<ReEvaluation | undefined> => {
  const [catalogue, reasons] = await Promise.all([
    readCatalogue(session),
    before === undefined ? readReasons(session).then(({ changed }) => mergeReasons(changed)) : reasonsIn(before),
  ]);
  const question = evaluationRequestOf(state, order, before, reasons);
  const ruling = await evaluateRequest(session, catalogue, question, now);
  if (ruling === undefined) return undefined;
  const shadow = await evaluateShadow(session, catalogue, ruling, question, traceId);
  const decision = toStoredDecision(ruling, {
    at: now,
    order,
    returnId: state.id,
    ...(shadow === undefined ? {} : { shadow }),
  });
  const renewed = toReevaluation(state, {
    judged: decisionForReturn(ruling, decision.id, []),
    terms: termsForRequest(ruling, order, question.request, now),
    faults: ruling.facts.lines.map(({ fault }) => fault),
  });
  return { decision, renewed };
};
