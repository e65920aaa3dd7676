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

/** The fields of a decision that a backtest compares. */
export type ComparedDecision = {
  readonly verdict: Evaluation['verdict'];
  /** In order of the request. */
  readonly lines: readonly Pick<LineEvaluation, 'verdict' | 'code'>[];
  /** The estimated refund, in minor units of the order's currency. */
  readonly refund: number;
};

/** Why a decision cannot be compared. Its version is missing, it cannot be reproduced, or its evaluation fails. */
export type Incomparable = 'version_missing' | 'not_reproduced' | 'not_evaluated';

/** The effect of a draft on one stored decision. */
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
  /** The draft did not and would not decide it, or it has no shadow evaluation of the draft. */
  | { readonly kind: 'other' }
  | { readonly kind: 'failed'; readonly id: string; readonly code: Incomparable };

/** Returns the fields of an evaluation that a backtest compares. */
export const toComparedDecision = (evaluation: Evaluation, facts: Facts): ComparedDecision => ({
  verdict: evaluation.verdict,
  lines: evaluation.lines.map(({ verdict, code }) => ({ verdict, ...(code === undefined ? {} : { code }) })),
  refund: refundEstimate(evaluation, facts),
});

/** Compares a stored decision with another one. `after` runs only when the stored decision can be reproduced. */
const compareDecision = (
  stored: StoredDecision,
  old: CompiledPolicy,
  after: () => ComparedDecision,
): BacktestOutcome => {
  const { id, returnId, order, facts } = stored;
  try {
    const evaluation = evaluate(old, facts);
    if (evaluationDigest(evaluation) !== stored.digest) return { kind: 'failed', id, code: 'not_reproduced' };
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
    // Facts were checked when they were stored. One unreadable decision must not end a report over all of them.
    return { kind: 'failed', id, code: 'not_evaluated' };
  }
};

/**
 * Compares a stored decision with the draft. Both evaluate the stored facts.
 *
 * `customer.lists` holds the lists of the customer in the version that decided. A draft that changes its lists is
 * therefore compared as if it had the lists of that version. Facts that the version did not use, such as the number of
 * earlier returns, are not stored. A draft that uses them finds them unknown.
 * @param old the version that made the decision
 */
export const backtestOutcome = (stored: StoredDecision, old: CompiledPolicy, draft: CompiledPolicy): BacktestOutcome =>
  compareDecision(stored, old, () => toComparedDecision(evaluate(draft, stored.facts), stored.facts));

/** Compares a stored decision with the shadow evaluation of a draft at that time. */
export const shadowOutcome = (stored: StoredDecision, old: CompiledPolicy, shadow: ShadowDecision): BacktestOutcome =>
  compareDecision(stored, old, () => ({ verdict: shadow.verdict, lines: shadow.lines, refund: shadow.refund }));
