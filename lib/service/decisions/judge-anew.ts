import type { Request } from '../../policies/decision/facts-of.ts';
import {
  changedFacts,
  factDigests,
  type FactDigests,
  type KeptDecision,
} from '../../policies/decision/kept-decision.ts';
import type { Facts } from '../../policies/facts.ts';
import { renewalOf } from '../../returns/commands/request/reopen.ts';
import type { Renewed } from '../../returns/history/life-events.ts';
import type { Order } from '../../returns/model/order.ts';
import type { Return } from '../../returns/model/return.ts';
import { reasonsOf } from '../../returns/rules/reasons.ts';
import type { Situation } from '../../returns/situation.ts';
import type { Session } from '../../store/engine/session.ts';
import { readReasons } from '../../store/policies/decisions.ts';
import { readCatalogue } from '../../store/policies/policies.ts';
import { judgeShadow } from './judge-shadow.ts';
import { factsWith, judge } from './judge.ts';
import { judgedOf, type Question, toKeep } from './ruling.ts';
import { ruledTerms } from './terms-config.ts';

/** A new decision on a return, and what it says of it. */
export type Anew = { readonly decision: KeptDecision; readonly renewed: Renewed };

/** What was asked for, as it was. */
const requestOf = ({ lines, basis, channel, initiatedBy, isGift }: Return): Request => ({
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
const reasonsIn = ({ facts }: KeptDecision): Question['reasons'] =>
  new Map(facts.lines.flatMap(({ reason, fault }) => (fault === undefined ? [] : [[reason, { fault }] as const])));

/** The time of the request is that of the first decision on it, which a quote may have promised: no window runs on. */
const questionOf = (
  state: Return,
  order: Order,
  before: KeptDecision | undefined,
  reasons: Question['reasons'],
): Question => ({
  order,
  request: requestOf(state),
  requestedAt: before?.facts.requestedAt ?? state.requestedAt,
  reasons,
  returnId: state.id,
});

/**
 * The parts of the facts of a decision that the order tells otherwise now. What is not of the order counts as it was: how
 * often the customer returned, and which lists name one who was known before.
 */
export const changedSince = (before: KeptDecision, state: Return, order: Order): readonly (keyof FactDigests)[] => {
  const { segment: _, lists = [], ...counts } = before.facts.customer;
  const { id, segment } = order.facts.customer ?? {};
  const customer: Facts['customer'] = {
    ...counts,
    ...(segment === undefined ? {} : { segment }),
    ...(id === undefined ? {} : { lists }),
  };
  const facts = factsWith(questionOf(state, order, before, reasonsIn(before)), customer);
  return facts === undefined ? [] : changedFacts(factDigests(before.facts), facts);
};

/**
 * Judges the request of a return anew, as if it were made again at its time: by the policy that is for the order now, on
 * what is known now. Undefined where no policy is for it.
 *
 * @param before the decision that stands, if there is one
 */
export const judgeAnew = async (
  session: Session,
  { state, order, now }: Pick<Situation, 'state' | 'order' | 'now'>,
  before: KeptDecision | undefined,
  traceId: string,
): Promise<Anew | undefined> => {
  const [catalogue, reasons] = await Promise.all([
    readCatalogue(session),
    before === undefined ? readReasons(session).then(({ changed }) => reasonsOf(changed)) : reasonsIn(before),
  ]);
  const question = questionOf(state, order, before, reasons);
  const ruling = await judge(session, catalogue, question, now);
  if (ruling === undefined) return undefined;
  const shadow = await judgeShadow(session, catalogue, ruling, question, traceId);
  const decision = toKeep(ruling, { at: now, order, returnId: state.id, ...(shadow === undefined ? {} : { shadow }) });
  const renewed = renewalOf(state, {
    judged: judgedOf(ruling, decision.id, []),
    terms: ruledTerms(ruling, order, question.request, now),
    faults: ruling.facts.lines.map(({ fault }) => fault),
  });
  return { decision, renewed };
};
