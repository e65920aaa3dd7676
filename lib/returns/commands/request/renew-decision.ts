import { approval, type Judged } from './settle-request.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { Decision } from '../../failure.ts';
import { undecided } from '../../goods/quantities.ts';
import type { DecisionRenewed, Renewed } from '../../history/life-events.ts';
import type { Event } from '../../history/entry.ts';
import { after } from '../../history/fold.ts';
import type { Return, Unversioned } from '../../model/return.ts';
import { evidenceObjections, mayDemandEvidence } from '../../rules/evidence-demanded.ts';
import type { Fault } from '../../model/reason.ts';
import type { Terms } from '../../model/terms.ts';
import type { Situation } from '../../situation.ts';

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
export const settledAnew = (state: Unversioned): readonly Event[] => {
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
