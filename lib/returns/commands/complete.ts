import { admitted, overruled } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import { leftOfOrder } from '../money/amounts.ts';
import type { Decision } from '../failure.ts';
import type { Sealed } from '../model/personal.ts';
import { completion, isUnsettled } from '../rules/completion.ts';
import type { Situation } from '../situation.ts';

/** Why money that is owed is not paid, already sealed. */
export type Complete = { readonly waiver?: { readonly reason: Sealed } };

/**
 * Decides on the end of a return: nothing is to come, to be looked at or to be paid, or the payment is waived. What no
 * refund could take of the fees is waived too.
 */
export const complete = (situation: Situation, { waiver }: Complete): Decision<Outcome> => {
  const { state, order, ledger } = situation;
  const waivedGuard = waiver === undefined && isUnsettled(state, leftOfOrder(order, ledger)) ? undefined : 'unsettled';
  const admission = admitted(situation, 'complete', waivedGuard);
  if (!admission.ok) return admission;
  return conclude(situation, [...completion(state, waiver), ...overruled(situation, 'complete', waivedGuard)]);
};
