import { ulid } from 'ulid';
import type { PolicyRequest } from '../../policies/decision/facts-of.ts';
import { evaluationDigest, type FactDigests, type StoredDecision } from '../../policies/decision/stored-decision.ts';
import type { CompiledPolicy } from '../../policies/evaluate/compile.ts';
import type { Evaluation } from '../../policies/evaluation.ts';
import type { Facts } from '../../policies/facts.ts';
import type { PolicyDocument } from '../../policies/life/golden.ts';
import type { Candidate } from '../../policies/life/in-force.ts';
import { versionName } from '../../policies/life/policy-version.ts';
import type { PolicyDecisionByLine } from '../../returns/commands/request/settle-request.ts';
import type { Instant, Order } from '../../returns/model/order.ts';
import type { ReasonDefinition } from '../../returns/model/reason.ts';
import type { Eligibility } from '../../returns/model/return.ts';

/** What a policy says of a request, and all that it rests on. */
export type PolicyDecision = Candidate & {
  readonly document: PolicyDocument;
  readonly compiled: CompiledPolicy;
  readonly facts: Facts;
  readonly evaluation: Evaluation;
};

/** Who asks to return what, and when. */
export type EvaluationRequest = {
  readonly order: Order;
  readonly request: PolicyRequest;
  readonly requestedAt: Instant;
  /** Those of the shop: whose fault each says that it is. */
  readonly reasons: ReadonlyMap<string, Pick<ReasonDefinition, 'fault'>>;
  /** The return that is judged anew: it is none that the customer asked for before. */
  readonly returnId?: string;
};

/** What of a ruling binds a return, line by line: undefined where a line is allowed. */
export const eligibilityOf = ({ evaluation }: PolicyDecision): readonly (Eligibility | undefined)[] =>
  evaluation.lines.map(({ verdict, code }) =>
    verdict === 'eligible' ? undefined : { verdict, code: code ?? 'needs_review' },
  );

type StoredDecisionParts = Pick<StoredDecision, 'at' | 'order' | 'returnId' | 'shadow'>;

/** A ruling as it is kept beside the return that it is about. */
export const toStoredDecision = (
  { policyId, version, facts, evaluation }: PolicyDecision,
  { at, order: { platform, orderId }, ...about }: StoredDecisionParts,
): StoredDecision => ({
  id: `dec_${ulid(Date.parse(at))}`,
  at,
  order: { platform, orderId },
  ...about,
  policyId,
  version,
  facts,
  digest: evaluationDigest(evaluation),
});

/** A ruling as a new return is told of it. */
export const decisionForReturn = (
  ruling: PolicyDecision,
  decisionId: string,
  changed: readonly (keyof FactDigests)[],
): PolicyDecisionByLine => ({
  decisionId,
  policyVersion: versionName(ruling),
  verdict: ruling.evaluation.verdict,
  ...(changed.length === 0 ? {} : { changedSinceQuote: changed }),
  lines: eligibilityOf(ruling),
});
