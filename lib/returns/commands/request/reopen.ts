import type { Decision } from '../../failure.ts';
import { undecided } from '../../goods/quantities.ts';
import type { Event } from '../../history/entry.ts';
import { after } from '../../history/fold.ts';
import type { DecisionRenewed, Renewed, Reopened } from '../../history/life-events.ts';
import type { Fault } from '../../model/reason.ts';
import type { Return, Unversioned } from '../../model/return.ts';
import type { Terms } from '../../model/terms.ts';
import { evidenceObjections, mayDemandEvidence } from '../../rules/eligibility.ts';
import { reopenedLines } from '../../rules/room.ts';
import type { Situation } from '../../situation.ts';
import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { approval, type Judged } from './settle-request.ts';

/** What a policy says of a return anew, by its lines in their order. */
export type JudgedAnew = {
  readonly judged: Judged;
  readonly terms: Terms;
  /** Whose fault the reason of each line says that it is. */
  readonly faults: readonly (Fault | undefined)[];
};

/**
 * What a new decision says of a return. Evidence that a line did not want when it was asked for is not demanded later;
 * evidence that no law lets be asked for under the new terms is not demanded any more.
 */
export const renewalOf = ({ lines, basis }: Return, { judged, terms, faults }: JudgedAnew): Renewed => {
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

const nowhere = () => '';

/**
 * What follows at once from a new decision: an approval of all that is open, where the policy allows all of it and no
 * evidence is wanting. It rejects nothing, neither the return nor lines of it: who reopened a return that the policy had
 * rejected would have it rejected again for the same reason, and what waits for somebody since it was asked for is theirs
 * to answer. The verdict stands in the decision, and what does not qualify takes an override to approve. A return that a
 * platform manages is approved there.
 */
const settledAnew = (state: Unversioned): readonly Event[] => {
  const open = state.lines.filter(({ quantities }) => undecided(quantities) > 0);
  const isAllowed =
    state.decision?.verdict === 'approved' && open.every(({ eligibility }) => eligibility === undefined);
  if (!isAllowed || open.length === 0 || state.managedBy === 'platform') return [];
  return evidenceObjections(open, state.evidence, nowhere).length > 0 ? [] : [approval(state, () => true)];
};

/** Decides on a return that waits to be decided on, whose decision rested on facts that are others now. */
export const renewDecision = (
  situation: Omit<Situation, 'admin' | 'observed'>,
  data: DecisionRenewed,
): Decision<Outcome> => {
  const { state, now } = situation;
  const renewed: Event = { type: 'decision.renewed', data };
  return conclude(situation, [renewed, ...settledAnew(after(state, { ...renewed, at: now }))]);
};

/** Whether a reopened return is to be decided on: what was approved once stays so, by its old decision and terms. */
export const isOpenToDecision = ({ approvedAt }: Pick<Return, 'approvedAt'>): boolean => approvedAt === undefined;

/**
 * Decides on a new start of a return that was closed: what was open then is open again, to be decided on where it never
 * was approved. Refused where another return has the units meanwhile.
 *
 * @param renewed the new decision of a policy, where one is for the order and the return never was approved: it may
 *   approve at once, and rejects nothing (`settledAnew`)
 */
export const reopen = (
  situation: Situation,
  reopening: Reopened['reopening'],
  renewed?: Renewed,
): Decision<Outcome> => {
  const admission = admitted(situation, 'reopen');
  if (!admission.ok) return admission;
  const { state, now } = situation;
  const lines = reopenedLines(state);
  const status = isOpenToDecision(state) ? 'requested' : 'approved';
  const data = { reopening, status, lines, ...(renewed === undefined ? {} : { renewed }) } as const;
  const reopened: Event = { type: 'return.reopened', data };
  const settled = renewed === undefined ? [] : settledAnew(after(state, { ...reopened, at: now }));
  return conclude(situation, [reopened, ...settled]);
};
