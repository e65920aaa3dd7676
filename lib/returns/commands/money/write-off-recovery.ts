import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import type { Decision } from '../../failure.ts';
import { recoveryDue } from '../../money/recovery.ts';
import type { Situation } from '../../situation.ts';

/** A code that says why nobody asks for the money any more. */
export type WriteOffRecovery = { readonly reason: string };

/**
 * Decides to ask no more for all that the customer has to give back.
 *
 * @param id of the new write-off
 */
export const writeOffRecovery = (situation: Situation, { reason }: WriteOffRecovery, id: string): Decision<Outcome> => {
  const { state, order, now } = situation;
  const admission = admitted(situation, 'writeOffRecovery');
  if (!admission.ok) return admission;
  const amount = { amount: recoveryDue(state), currency: order.facts.currency };
  const recovery = { id, type: 'written_off' as const, amount, lines: [], fees: [], reason, at: now };
  return conclude(situation, [{ type: 'recovery.written_off', data: { recovery } }]);
};
