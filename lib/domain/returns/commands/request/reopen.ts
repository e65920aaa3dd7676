import type { Result } from '../../failure.ts';
import { undecided } from '../../goods/quantities.ts';
import type { Event } from '../../history/entry.ts';
import { applyEvent } from '../../history/fold.ts';
import type { DecisionRenewed, Reevaluation, ReturnReopened } from '../../history/lifecycle-events.ts';
import type { Return, UnversionedReturn, LiableParty } from '../../model/return.ts';
import type { Terms } from '../../model/terms.ts';
import { evidenceFailures, mayDemandEvidence } from '../../rules/eligibility.ts';
import { reopenedLines } from '../../rules/limits.ts';
import type { Situation } from '../../situation.ts';
import { checkTransition } from '../check-transition.ts';
import { toOutcome, type Outcome } from '../outcome.ts';
import { approvalEvent, type PolicyDecisionByLine } from './decide-request.ts';

/** A new policy decision on a return, with its lines in order. */
export type NewPolicyDecision = {
  readonly decisionByLine: PolicyDecisionByLine;
  readonly terms: Terms;
  /** The liable party for the reason of each line. */
  readonly liableParties: readonly (LiableParty | undefined)[];
};

/**
 * Makes the re-evaluation of a return from a new policy decision.
 * A line that required no evidence at the request does not require it later. Evidence that the law forbids under the
 * new terms is no longer required.
 */
export const toReevaluation = (
  { lines, basis }: Return,
  { decisionByLine, terms, liableParties }: NewPolicyDecision,
): Reevaluation => {
  const { lines: eligibilities, ...judgement } = decisionByLine;
  const named = lines.flatMap(({ id, orderLineId, evidenceRequired }, index) => {
    const eligibility = eligibilities[index];
    const isDemanded =
      evidenceRequired === true && mayDemandEvidence(liableParties[index], orderLineId, { terms, basis });
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
 * Approves all open units, if the new policy decision allows all of them.
 * No required evidence may be missing.
 *
 * It never rejects the return or lines of it. Otherwise a reopened return would be rejected again for the same reason.
 * Staff decides on a return that waits since its request. The decision stores the verdict, and an ineligible line needs
 * an override. The platform approves a return that it manages.
 */
const approvalAfterReevaluation = (state: UnversionedReturn): readonly Event[] => {
  const open = state.lines.filter(({ quantities }) => undecided(quantities) > 0);
  const isAllowed =
    state.decision?.verdict === 'approved' && open.every(({ eligibility }) => eligibility === undefined);
  if (!isAllowed || open.length === 0 || state.managedBy === 'platform') return [];
  return evidenceFailures(open, state.evidence, noPath).length > 0 ? [] : [approvalEvent(state, () => true)];
};

/** Decides to re-evaluate an undecided return whose decision rests on outdated facts. */
export const renewDecision = (
  situation: Omit<Situation, 'admin' | 'observed'>,
  data: DecisionRenewed,
): Result<Outcome> => {
  const { state, now } = situation;
  const renewed: Event = { type: 'decision.renewed', data };
  return toOutcome(situation, [renewed, ...approvalAfterReevaluation(applyEvent(state, { ...renewed, at: now }))]);
};

/** Returns whether a reopened return awaits a decision. An approved return keeps its decision and terms. */
export const isAwaitingDecision = ({ approvedAt }: Pick<Return, 'approvedAt'>): boolean => approvedAt === undefined;

/**
 * Decides to reopen a closed return. The units that were open then are open again, undecided if the return was never
 * approved. It fails when another return has taken the units.
 *
 * @param renewed the new policy decision, if the return was never approved and its order has a policy. It may approve
 * at once and never rejects (`approvalAfterReevaluation`).
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
  const approvals = renewed === undefined ? [] : approvalAfterReevaluation(applyEvent(state, { ...reopened, at: now }));
  return toOutcome(situation, [reopened, ...approvals]);
};
