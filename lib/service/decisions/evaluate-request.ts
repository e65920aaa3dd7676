import { isBetterForCustomer } from '../../policies/decision/counterfactuals.ts';
import { factsOf } from '../../policies/decision/facts-of.ts';
import { compilePolicy, type CompiledPolicy } from '../../policies/evaluate/compile.ts';
import { evaluate } from '../../policies/evaluate/evaluate.ts';
import type { Facts } from '../../policies/facts.ts';
import { rightsOf } from '../../policies/law/rights.ts';
import type { Catalogue } from '../../policies/life/catalogue.ts';
import type { PolicyDocument } from '../../policies/life/golden.ts';
import { type Candidate, versionsInForce } from '../../policies/life/in-force.ts';
import { selectionFactsOf } from '../../policies/life/selection.ts';
import type { Instant, Order } from '../../returns/model/order.ts';
import { configured } from '../../runtime/container.ts';
import type { Session } from '../../store/engine/session.ts';
import { readDocument } from '../../store/policies/policies.ts';
import { readReturnTimes } from '../../store/returns/order-returns.ts';
import type { EvaluationRequest, PolicyDecision } from './policy-decision.ts';
import { termsConfig } from './terms-config.ts';

const millisecondsOfDay = 86_400_000;
const countedDays = [30, 90, 365] as const;

/** How often the customer asked for returns before, where the policy looks at it and the shop names the customer. */
const returnCounts = async (
  session: Session,
  { facts }: CompiledPolicy,
  { order, requestedAt, returnId }: EvaluationRequest,
) => {
  const id = order.facts.customer?.id;
  if (id === undefined || !countedDays.some((days) => facts.includes(`customer.returnsLast${days}Days`))) return {};
  const now = Date.parse(requestedAt);
  const times = await readReturnTimes(session, id, now - 365 * millisecondsOfDay, returnId);
  const last = (days: number) => times.filter((at) => at <= now && at >= now - days * millisecondsOfDay).length;
  return { returnsLast30Days: last(30), returnsLast90Days: last(90), returnsLast365Days: last(365) };
};

/** What a policy may know of the customer: nothing that would tell who it is. */
const customerFacts = async (
  session: Session,
  { lists = {} }: PolicyDocument,
  compiled: CompiledPolicy,
  question: EvaluationRequest,
): Promise<Facts['customer']> => {
  const { id, segment } = question.order.facts.customer ?? {};
  const on = Object.keys(lists).filter((name) => id !== undefined && lists[name]?.includes(id) === true);
  return {
    ...(segment === undefined ? {} : { segment }),
    ...(id === undefined ? {} : { lists: on.toSorted() }),
    ...(await returnCounts(session, compiled, question)),
  };
};

const config = configured(termsConfig);

/** What is decided on, with what is known of the customer; undefined for lines that the order does not have. */
export const evaluationFacts = (
  { order, request, requestedAt, reasons }: EvaluationRequest,
  customer: Facts['customer'],
): Facts | undefined =>
  factsOf(order, request, {
    requestedAt,
    rights: rightsOf(config().statutoryRules, order, request, requestedAt),
    faultOf: (code) => reasons.get(code)?.fault,
    customer,
  });

const compiledPolicies = new WeakMap<PolicyDocument, CompiledPolicy>();

/** A document made ready: published ones are kept by the container, and with them what was made of them. */
export const compileOnce = (document: PolicyDocument): CompiledPolicy => {
  const known = compiledPolicies.get(document) ?? compilePolicy(document);
  compiledPolicies.set(document, known);
  return known;
};

/** What a document says, as a version of a policy; undefined for lines that the order does not have, which none decides. */
export const evaluateDocument = async (
  session: Session,
  candidate: Candidate,
  document: PolicyDocument,
  question: EvaluationRequest,
): Promise<PolicyDecision | undefined> => {
  const compiled = compileOnce(document);
  const facts = evaluationFacts(question, await customerFacts(session, document, compiled, question));
  return facts && { ...candidate, document, compiled, facts, evaluation: evaluate(compiled, facts) };
};

/** What one version of a policy says; undefined for lines that the order does not have. */
export const evaluateVersion = async (
  session: Session,
  candidate: Candidate,
  question: EvaluationRequest,
): Promise<PolicyDecision | undefined> => {
  const document = await readDocument(session, candidate.policyId, candidate.version);
  if (document === undefined) throw new Error(`${candidate.policyId} has no version ${candidate.version}`);
  return evaluateDocument(session, candidate, document, question);
};

const selectionOf = ({ facts }: Order) => {
  const { country = facts.destination?.country, channel, market, seller, placedAt, customer } = facts;
  return {
    ...selectionFactsOf({ country, channel, market, seller, segment: customer?.segment }),
    ...(placedAt === undefined ? {} : { placedAt: new Date(placedAt).toISOString() }),
  };
};

/**
 * What the policy says that is for an order: the version in force when it was placed, or the present one where that is to
 * count for older orders too and is better for the customer; undefined where the shop has none for it.
 */
export const evaluateRequest = async (
  session: Session,
  catalogue: Catalogue,
  question: EvaluationRequest,
  now: Instant,
): Promise<PolicyDecision | undefined> => {
  const candidates = versionsInForce(catalogue, selectionOf(question.order), now);
  const [first, present] = await Promise.all(
    candidates.map(async (candidate) => evaluateVersion(session, candidate, question)),
  );
  if (first === undefined || present === undefined) return first;
  return isBetterForCustomer(present.evaluation, first.evaluation, first.facts) ? present : first;
};
