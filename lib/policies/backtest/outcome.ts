import type { OrderRef } from '../../returns/model/order.ts';
import {
  evaluationDigest,
  type StoredDecision,
  refundEstimate,
  type ShadowDecision,
} from '../decision/stored-decision.ts';
import type { CompiledPolicy } from '../evaluate/compile.ts';
import { evaluate } from '../evaluate/evaluate.ts';
import type { Evaluation, LineEvaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';

/** What somebody decided on a request, as far as two such decisions are compared. */
export type ComparedDecision = {
  readonly verdict: Evaluation['verdict'];
  /** In the order of the request. */
  readonly lines: readonly Pick<LineEvaluation, 'verdict' | 'code'>[];
  /** What would be paid, in minor units of the order's currency. */
  readonly refund: number;
};

/** Why a decision cannot be compared: its version is gone, it does not come out again, or it cannot be evaluated at all. */
export type Incomparable = 'version_missing' | 'not_reproduced' | 'not_evaluated';

/** What a draft does to one decision that was made. */
export type BacktestOutcome =
  | {
      readonly kind: 'compared';
      readonly id: string;
      readonly returnId: string;
      readonly order: OrderRef;
      readonly facts: Facts;
      readonly before: ComparedDecision;
      readonly after: ComparedDecision;
    }
  /** It was not, and would not be, the draft's to decide; or it has no shadow of the draft. */
  | { readonly kind: 'other' }
  | { readonly kind: 'failed'; readonly id: string; readonly code: Incomparable };

/** An evaluation as it is compared. */
export const toComparedDecision = (evaluation: Evaluation, facts: Facts): ComparedDecision => ({
  verdict: evaluation.verdict,
  lines: evaluation.lines.map(({ verdict, code }) => ({ verdict, ...(code === undefined ? {} : { code }) })),
  refund: refundEstimate(evaluation, facts),
});

/** A decision beside what else could be said; `after` is asked once it is known that the decision comes out again. */
const compareDecision = (kept: StoredDecision, old: CompiledPolicy, after: () => ComparedDecision): BacktestOutcome => {
  const { id, returnId, order, facts } = kept;
  try {
    const evaluation = evaluate(old, facts);
    if (evaluationDigest(evaluation) !== kept.digest) return { kind: 'failed', id, code: 'not_reproduced' };
    return {
      kind: 'compared',
      id,
      returnId,
      order,
      facts,
      before: toComparedDecision(evaluation, facts),
      after: after(),
    };
  } catch {
    // Facts were checked when they were kept: one decision that cannot be read must not end a report over all of them.
    return { kind: 'failed', id, code: 'not_evaluated' };
  }
};

/**
 * What a draft makes of a decision: both evaluate the facts that were kept with it. `customer.lists` among them holds the
 * names of the lists that the customer was on then, in the version that decided: a draft that changes who is on a list, or
 * names a new one, is compared as if its lists were those of then. Facts that the version did not look at, such as how
 * often a customer returned before, were not kept either: a draft that looks at them finds them unknown.
 *
 * @param old the version that made the decision
 */
export const backtestOutcome = (kept: StoredDecision, old: CompiledPolicy, draft: CompiledPolicy): BacktestOutcome =>
  compareDecision(kept, old, () => toComparedDecision(evaluate(draft, kept.facts), kept.facts));

/** What a draft that was evaluated beside a decision said of it, at the time. */
export const shadowOutcome = (kept: StoredDecision, old: CompiledPolicy, shadow: ShadowDecision): BacktestOutcome =>
  compareDecision(kept, old, () => ({ verdict: shadow.verdict, lines: shadow.lines, refund: shadow.refund }));
