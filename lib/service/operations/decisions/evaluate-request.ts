import { wouldDecide } from '../../../domain/policies/backtest/line-groups.ts';
import { toComparedDecision } from '../../../domain/policies/backtest/outcome.ts';
import { isBetterForCustomer } from '../../../domain/policies/decision/counterfactuals.ts';
import { factsOf } from '../../../domain/policies/decision/facts-of.ts';
import type { ShadowDecision } from '../../../domain/policies/decision/stored-decision.ts';
import { compilePolicy, type CompiledPolicy } from '../../../domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../domain/policies/evaluate/evaluate.ts';
import type { Facts } from '../../../domain/policies/facts.ts';
import { rightsOf } from '../../../domain/policies/law/rights.ts';
import { type Catalogue, findPolicy, shadowedDraft } from '../../../domain/policies/lifecycle/catalogue.ts';
import type { PolicyDocument } from '../../../domain/policies/lifecycle/golden.ts';
import { type Candidate, versionsInForce, selectionFactsOf } from '../../../domain/policies/lifecycle/in-force.ts';
import type { Instant, Order } from '../../../domain/returns/model/order.ts';
import { configured } from '../../../runtime/container.ts';
import { errorName, log } from '../../../runtime/log.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readDocument, readPolicyVersion } from '../../../store/policies/policies.ts';
import { customerHistory, externalScore } from './customer-history.ts';
import type { EvaluationRequest, PolicyDecision } from './policy-decision.ts';
import { termsConfig } from './terms-config.ts';

/** Returns the customer facts for a policy. They do not identify the customer. */
const customerFacts = async (
  session: Session,
  { lists = {} }: PolicyDocument,
  compiled: CompiledPolicy,
  request: EvaluationRequest,
): Promise<Facts['customer']> => {
  const rights = rightsOf(config().statutoryRules, request.order, request.request, request.requestedAt);
  const { id, segment } = request.order.facts.customer ?? {};
  const on = Object.keys(lists).filter((name) => id !== undefined && lists[name]?.includes(id) === true);
  return {
    ...(segment === undefined ? {} : { segment }),
    ...(id === undefined ? {} : { lists: on.toSorted() }),
    ...externalScore(compiled, request),
    ...(await customerHistory(session, compiled, request, rights)),
  };
};

const config = configured(termsConfig);

/** Returns the facts of a request, with customer facts; undefined when the order does not have a line. */
export const evaluationFacts = (
  { order, request, requestedAt, reasons, kept }: EvaluationRequest,
  customer: Facts['customer'],
): Facts | undefined =>
  factsOf(order, request, {
    requestedAt,
    rights: rightsOf(config().statutoryRules, order, request, requestedAt),
    liablePartyOf: (code) => reasons.get(code)?.fault,
    customer,
    kept,
  });

const compiledPolicies = new WeakMap<PolicyDocument, CompiledPolicy>();

/** Compiles a document once. The container caches published documents, and their compiled forms with them. */
export const compileOnce = (document: PolicyDocument): CompiledPolicy => {
  const known = compiledPolicies.get(document) ?? compilePolicy(document);
  compiledPolicies.set(document, known);
  return known;
};

/** Evaluates a document as a policy version; undefined when the order lacks a line of the request. */
const evaluateDocument = async (
  session: Session,
  candidate: Candidate,
  document: PolicyDocument,
  request: EvaluationRequest,
): Promise<PolicyDecision | undefined> => {
  const compiled = compileOnce(document);
  const facts = evaluationFacts(request, await customerFacts(session, document, compiled, request));
  return facts && { ...candidate, document, compiled, facts, evaluation: evaluate(compiled, facts) };
};

/** Evaluates one version of a policy; undefined when the order lacks a line of the request. */
export const evaluateVersion = async (
  session: Session,
  candidate: Candidate,
  request: EvaluationRequest,
): Promise<PolicyDecision | undefined> => {
  const document = await readDocument(session, candidate.policyId, candidate.version);
  if (document === undefined) throw new Error(`${candidate.policyId} has no version ${candidate.version}`);
  return evaluateDocument(session, candidate, document, request);
};

const selectionOf = ({ facts }: Order) => {
  const { country = facts.destination?.country, channel, market, seller, placedAt, customer } = facts;
  return {
    ...selectionFactsOf({ country, channel, market, seller, segment: customer?.segment }),
    ...(placedAt === undefined ? {} : { placedAt: new Date(placedAt).toISOString() }),
  };
};

/**
 * Returns the decision of the policy that applies to an order. It is the version in force when the order was placed. A
 * favorable present version replaces it when it is better for the customer. Undefined when no policy applies.
 */
export const evaluateRequest = async (
  session: Session,
  catalogue: Catalogue,
  request: EvaluationRequest,
  now: Instant,
): Promise<PolicyDecision | undefined> => {
  const candidates = versionsInForce(catalogue, selectionOf(request.order), now);
  const [first, present] = await Promise.all(
    candidates.map(async (candidate) => evaluateVersion(session, candidate, request)),
  );
  if (first === undefined || present === undefined) return first;
  return isBetterForCustomer(present.evaluation, first.evaluation, first.facts) ? present : first;
};

const evaluateDraft = async (
  session: Session,
  { policyId, version }: { readonly policyId: string; readonly version: number },
  request: EvaluationRequest,
): Promise<ShadowDecision | undefined> => {
  const draft = await readPolicyVersion(session, policyId, version);
  // The draft was published or saved again since the catalogue was read. Its current version applies.
  if (draft === undefined || draft.head.published !== undefined) return undefined;
  const policyDecision = await evaluateDocument(session, { policyId, version }, draft.document, request);
  if (policyDecision === undefined) return undefined;
  const { selectors } = draft.document;
  if (!wouldDecide(policyDecision.facts, { policyId }, { policyId, selectors })) return undefined;
  return {
    policyId,
    version,
    revision: draft.head.revision,
    ...toComparedDecision(policyDecision.evaluation, policyDecision.facts),
  };
};

/**
 * Evaluates the shadow draft of the deciding policy. It has no effect: its failures are logged and do not fail the
 * request.
 */
export const evaluateShadow = async (
  session: Session,
  catalogue: Catalogue,
  { policyId, facts }: PolicyDecision,
  request: Omit<EvaluationRequest, 'requestedAt'>,
  traceId: string,
): Promise<ShadowDecision | undefined> => {
  const policy = findPolicy(catalogue, policyId);
  const version = policy && shadowedDraft(policy);
  if (version === undefined) return undefined;
  try {
    return await evaluateDraft(session, { policyId, version }, { ...request, requestedAt: facts.requestedAt });
  } catch (error) {
    log('warn', 'shadow draft not evaluated', { traceId, policyId, version, error: errorName(error) });
    return undefined;
  }
};
