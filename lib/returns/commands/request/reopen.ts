import type { Result } from '../../failure.ts';
import { undecided } from '../../goods/quantities.ts';
import type { Event } from '../../history/entry.ts';
import { applyEvent } from '../../history/fold.ts';
import type { DecisionRenewed, Reevaluation, ReturnReopened } from '../../history/lifecycle-events.ts';
import type { Fault } from '../../model/reason.ts';
import type { Return, UnversionedReturn } from '../../model/return.ts';
import type { Terms } from '../../model/terms.ts';
import { evidenceFailures, mayDemandEvidence } from '../../rules/eligibility.ts';
import { reopenedLines } from '../../rules/limits.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { approvalEvent, type PolicyDecisionByLine } from './settle-request.ts';

/** What a policy says of a return anew, by its lines in their order. */
export type NewPolicyDecision = {
  readonly judged: PolicyDecisionByLine;
  readonly terms: Terms;
  /** Whose fault the reason of each line says that it is. */
  readonly faults: readonly (Fault | undefined)[];
};

/**
 * What a new decision says of a return. Evidence that a line did not want when it was asked for is not demanded later;
 * evidence that no law lets be asked for under the new terms is not demanded any more.
 */
export const toReevaluation = (
  { lines, basis }: Return,
  { judged, terms, faults }: NewPolicyDecision,
): Reevaluation => {
  const { lines: eligibilities, ...judgement } = judged;
  const named = lines.flatMap(({ id, orderLineId, evidenceRequired }, index) => {
    const eligibility = eligibilities[index];
    const isDemanded = evidenceRequired === true && mayDemandEvidence(faults[index], orderLineId, { terms, basis });
    if (eligibility === undefined && !isDemanded) return [];
    return [
      {
        lineId: id,
        ...(eligibility === undefined ? {} : { eligibility }),
        ...(isDemanded ? { evidenceRequired: true as const } : {}),
      },
    ];
  });
  return { judgement, terms, lines: named };
};

const noPath = () => '';

/**
 * What follows at once from a new decision: an approval of all that is open, where the policy allows all of it and no
 * evidence is wanting. It rejects nothing, neither the return nor lines of it: who reopened a return that the policy had
 * rejected would have it rejected again for the same reason, and what waits for somebody since it was asked for is theirs
 * to answer. The verdict stands in the decision, and what does not qualify takes an override to approve. A return that a
 * platform manages is approved there.
 */
const approvalAfterReevaluation = (state: UnversionedReturn): readonly Event[] => {
  const open = state.lines.filter(({ quantities }) => undecided(quantities) > 0);
  const isAllowed =
    state.decision?.verdict === 'approved' && open.every(({ eligibility }) => eligibility === undefined);
  if (!isAllowed || open.length === 0 || state.managedBy === 'platform') return [];
  return evidenceFailures(open, state.evidence, noPath).length > 0 ? [] : [approvalEvent(state, () => true)];
};

/** Decides on a return that waits to be decided on, whose decision rested on facts that are others now. */
export const renewDecision = (
  situation: Omit<Situation, 'admin' | 'observed'>,
  data: DecisionRenewed,
): Result<Outcome> => {
  const { state, now } = situation;
  const renewed: Event = { type: 'decision.renewed', data };
  return toOutcome(situation, [renewed, ...approvalAfterReevaluation(applyEvent(state, { ...renewed, at: now }))]);
};

/** Whether a reopened return is to be decided on: what was approved once stays so, by its old decision and terms. */
export const isAwaitingDecision = ({ approvedAt }: Pick<Return, 'approvedAt'>): boolean => approvedAt === undefined;

/**
 * Decides on a new start of a return that was closed: what was open then is open again, to be decided on where it never
 * was approved. Refused where another return has the units meanwhile.
 *
 * @param renewed the new decision of a policy, where one is for the order and the return never was approved: it may
 *   approve at once, and rejects nothing (`approvalAfterReevaluation`)
 */
export const reopen = (
  situation: Situation,
  reopening: ReturnReopened['reopening'],
  renewed?: Reevaluation,
): Result<Outcome> => {
  const admission = checkTransition(situation, 'reopen');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const lines = reopenedLines(state);
  const status = isAwaitingDecision(state) ? 'requested' : 'approved';
  const data = { reopening, status, lines, ...(renewed === undefined ? {} : { renewed }) } as const;
  const reopened: Event = { type: 'return.reopened', data };
  const settled = renewed === undefined ? [] : approvalAfterReevaluation(applyEvent(state, { ...reopened, at: now }));
  return toOutcome(situation, [reopened, ...settled]);
};
