import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { Decision } from '../../failure.ts';
import type { Return } from '../../model/return.ts';
import { settleLines } from './settle-lines.ts';
import type { Situation } from '../../situation.ts';

/** Why a return is refused, its free text already sealed. */
export type Reject = Exclude<Return['rejection'], undefined>;

/** Decides on a rejection of the whole return. Its units are free for another. */
export const reject = (situation: Situation, rejection: Reject): Decision<Outcome> => {
  const admission = admitted(situation, 'reject');
  if (!admission.ok) return admission;
  const { state } = situation;
  const lines = settleLines(state, new Map());
  return conclude(situation, [{ type: 'return.rejected', data: { rejection, lines } }]);
};
