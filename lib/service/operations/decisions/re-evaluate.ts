import { type PolicyRequest, keptFacts } from '../../../domain/policies/decision/facts-of.ts';
import {
  changedFacts,
  factDigests,
  type FactDigests,
  type StoredDecision,
} from '../../../domain/policies/decision/stored-decision.ts';
import type { Facts } from '../../../domain/policies/facts.ts';
import { toReevaluation } from '../../../domain/returns/commands/request/reopen.ts';
import type { Reevaluation } from '../../../domain/returns/history/lifecycle-events.ts';
import type { Order } from '../../../domain/returns/model/order.ts';
import type { Return } from '../../../domain/returns/model/return.ts';
import type { Terms } from '../../../domain/returns/model/terms.ts';
import { held } from '../../../domain/returns/goods/quantities.ts';
import { type Ledger, ledgerLine } from '../../../domain/returns/money/order-ledger.ts';
import { mergeReasons } from '../../../domain/returns/rules/reasons.ts';
import type { Situation } from '../../../domain/returns/situation.ts';
import { sum } from '../../../domain/returns/units-by-line.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readReasons } from '../../../store/policies/decisions.ts';
import { readCatalogue } from '../../../store/policies/policies.ts';
import { evaluationFacts, evaluateRequest, evaluateShadow } from './evaluate-request.ts';
import { termsOfWithdrawal } from '../../../domain/withdrawals/effect/return-terms.ts';
import { decisionForReturn, type EvaluationRequest, toStoredDecision } from './policy-decision.ts';
import { statutoryRulesInForce, termsForRequest } from './terms-config.ts';

/** A new decision on a return, and its re-evaluation event data. */
export type ReEvaluation = { readonly decision: StoredDecision; readonly renewed: Reevaluation };

/** Returns the original request of a return. */
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

/**
 * Returns the reasons with the liable parties of the earlier decision.
 * A later change of a reason applies to later returns only.
 */
const reasonsIn = ({ facts }: StoredDecision): EvaluationRequest['reasons'] =>
  new Map(facts.lines.flatMap(({ reason, fault }) => (fault === undefined ? [] : [[reason, { fault }] as const])));

/** Returns the score that the request had, as far as the earlier decision read it. */
const scoreIn = (before: StoredDecision | undefined): Pick<PolicyRequest, 'externalScore'> => {
  const { externalScore: value, externalScoreSource: source } = before?.facts.customer ?? {};
  return value === undefined || source === undefined ? {} : { externalScore: { source, value } };
};

/**
 * Returns the original evaluation request. Its time is that of the first decision, which a quote may have promised. So
 * no return window ends in between.
 */
const evaluationRequestOf = (
  state: Return,
  order: Order,
  before: StoredDecision | undefined,
  { reasons, kept }: Pick<EvaluationRequest, 'reasons' | 'kept'>,
): EvaluationRequest => ({
  order,
  request: { ...originalRequest(state), ...scoreIn(before) },
  requestedAt: before?.facts.requestedAt ?? state.terms.withdrawal?.declaredAt ?? state.requestedAt,
  reasons,
  kept,
  returnId: state.id,
});

/** Returns the lines with the units that a decision judged: units that were added since have a decision of their own. */
const decidedLines = ({ lines }: Return, { facts }: StoredDecision): Return['lines'] =>
  facts.lines.flatMap(({ quantity }, index) => {
    const line = lines[index];
    return line === undefined ? [] : [{ ...line, quantities: { ...line.quantities, requested: quantity } }];
  });

/**
 * Returns the reasons for a new decision: those of the earlier decision, and the present ones of lines that were added
 * since.
 */
const reasonsFor = async (
  session: Session,
  { lines }: Return,
  before: StoredDecision | undefined,
): Promise<EvaluationRequest['reasons']> => {
  const earlier = before === undefined ? new Map<string, never>() : reasonsIn(before);
  if (before !== undefined && lines.length <= before.facts.lines.length) return earlier;
  return new Map([...mergeReasons((await readReasons(session)).changed), ...earlier]);
};

/**
 * Returns the parts of a decision's facts that the order has changed since.
 * Facts from outside the order count as unchanged. These are the number of earlier returns, the lists of a known
 * customer, and what other returns have taken.
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
  const decided = { ...state, lines: decidedLines(state, before) };
  const facts = evaluationFacts(
    evaluationRequestOf(decided, order, before, { reasons: reasonsIn(before), kept: before.facts.order }),
    customer,
  );
  return facts === undefined ? [] : changedFacts(factDigests(before.facts), facts);
};

/** Returns the ledger of an order without the units that a return holds. */
const withoutUnitsOf = (ledger: Ledger, { lines, parcels }: Return): Ledger => {
  const own = Map.groupBy(lines, ({ orderLineId }) => orderLineId);
  const less = Array.from(own, ([orderLineId, ofLine]) => {
    const before = ledgerLine(ledger, orderLineId);
    return [orderLineId, { ...before, held: before.held - sum(ofLine.map((line) => held(line, parcels))) }] as const;
  });
  return { ...ledger, lines: { ...ledger.lines, ...Object.fromEntries(less) } };
};

/** Returns new terms of a return. One that carries out a declared withdrawal keeps the deadlines of its law. */
const keepWithdrawal = ({ lines, terms: { withdrawal } }: Return, order: Order, terms: Terms): Terms => {
  if (withdrawal === undefined) return terms;
  const units = lines.map(({ orderLineId, quantities }) => ({ orderLineId, quantity: quantities.requested }));
  return termsOfWithdrawal(statutoryRulesInForce(), terms, { order, lines: units }, withdrawal);
};

/**
 * Re-evaluates the request of a return on current facts, as if it was made at its original time.
 * Uses the policy that applies to the order now; undefined without one.
 *
 * @param before the present decision, if there is one
 */
export const reEvaluate = async (
  session: Session,
  { state, order, ledger, now }: Pick<Situation, 'state' | 'order' | 'ledger' | 'now'>,
  before: StoredDecision | undefined,
  traceId: string,
): Promise<ReEvaluation | undefined> => {
  const [catalogue, reasons] = await Promise.all([readCatalogue(session), reasonsFor(session, state, before)]);
  const kept = keptFacts(order, withoutUnitsOf(ledger, state), originalRequest(state).lines);
  const request = evaluationRequestOf(state, order, before, { reasons, kept });
  const policyDecision = await evaluateRequest(session, catalogue, request, now);
  if (policyDecision === undefined) return undefined;
  const shadow = await evaluateShadow(session, catalogue, policyDecision, request, traceId);
  const lineIds = state.lines.map(({ id }) => id);
  const { terms } = termsForRequest(policyDecision, order, request.request, now, lineIds);
  const decision = toStoredDecision(policyDecision, {
    at: now,
    order,
    returnId: state.id,
    ...(shadow === undefined ? {} : { shadow }),
  });
  const renewed = toReevaluation(state, {
    decisionByLine: decisionForReturn(policyDecision, decision.id, []),
    terms: keepWithdrawal(state, order, terms),
    liableParties: policyDecision.facts.lines.map(({ fault }) => fault),
  });
  return { decision, renewed };
};
