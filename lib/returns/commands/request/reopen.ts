import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { Event } from '../../history/entry.ts';
import type { Renewed, Reopened } from '../../history/life-events.ts';
import { after } from '../../history/fold.ts';
import type { Decision } from '../../failure.ts';
import type { Return } from '../../model/return.ts';
import { reopenedLines } from '../../rules/reopened-lines.ts';
import { settledAnew } from './renew-decision.ts';
import type { Situation } from '../../situation.ts';

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
