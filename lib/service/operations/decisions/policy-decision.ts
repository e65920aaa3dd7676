import type { KeptFacts, PolicyRequest } from '../../../domain/policies/decision/facts-of.ts';
import {
  evaluationDigest,
  type FactDigests,
  type StoredDecision,
} from '../../../domain/policies/decision/stored-decision.ts';
import type { CompiledPolicy } from '../../../domain/policies/evaluate/compile.ts';
import type { Evaluation } from '../../../domain/policies/evaluation.ts';
import type { Facts } from '../../../domain/policies/facts.ts';
import type { PolicyDocument } from '../../../domain/policies/lifecycle/golden.ts';
import { type Candidate, versionName } from '../../../domain/policies/lifecycle/in-force.ts';
import type { PolicyDecisionByLine } from '../../../domain/returns/commands/request/decide-request.ts';
import type { Instant, Order } from '../../../domain/returns/model/order.ts';
import type { Eligibility, ReasonDefinition } from '../../../domain/returns/model/return.ts';
import { newUlid } from '../../../runtime/new-ids.ts';

/** A policy decision on a request, with all of its inputs. */
export type PolicyDecision = Candidate & {
  readonly document: PolicyDocument;
  readonly compiled: CompiledPolicy;
  readonly facts: Facts;
  readonly evaluation: Evaluation;
};

/** The requester, the units and the time of a request. */
export type EvaluationRequest = {
  readonly order: Order;
  readonly request: PolicyRequest;
  readonly requestedAt: Instant;
  /** The shop's reasons, each with its liable party. */
  readonly reasons: ReadonlyMap<string, Pick<ReasonDefinition, 'fault'>>;
  /** What the customer keeps of the order after the request. */
  readonly kept: KeptFacts;
  /** The re-evaluated return. It does not count as an earlier return of the customer. */
  readonly returnId?: string;
};

/** Returns the eligibility that binds a return, line by line; undefined for an allowed line. */
export const eligibilityOf = ({ evaluation }: PolicyDecision): readonly (Eligibility | undefined)[] =>
  evaluation.lines.map(({ verdict, code }) =>
    verdict === 'eligible' ? undefined : { verdict, code: code ?? 'needs_review' },
  );

type StoredDecisionParts = Pick<StoredDecision, 'at' | 'order' | 'returnId' | 'shadow'>;

/** Makes the stored form of a policy decision on a return. */
export const toStoredDecision = (
  { policyId, version, facts, evaluation }: PolicyDecision,
  { at, order: { platform, orderId }, ...about }: StoredDecisionParts,
): StoredDecision => ({
  id: `dec_${newUlid(Date.parse(at))}`,
  at,
  order: { platform, orderId },
  ...about,
  policyId,
  version,
  facts,
  digest: evaluationDigest(evaluation),
});

/** Makes the part of a policy decision that a new return stores. */
export const decisionForReturn = (
  policyDecision: PolicyDecision,
  decisionId: string,
  changed: readonly (keyof FactDigests)[],
): PolicyDecisionByLine => ({
  decisionId,
  policyVersion: versionName(policyDecision),
  verdict: policyDecision.evaluation.verdict,
  ...(changed.length === 0 ? {} : { changedSinceQuote: changed }),
  lines: eligibilityOf(policyDecision),
});
