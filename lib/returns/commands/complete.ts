import { admitted, overruled } from './admitted.ts';
import { conclude, type Outcome } from './conclude.ts';
import { leftOfOrder } from '../money/amounts.ts';
import { feesOf, openFee } from '../money/deductions.ts';
import type { Event, EventOf } from '../history/entry.ts';
import type { Decision } from '../failure.ts';
import type { Sealed } from '../return.ts';
import type { Situation } from '../situation.ts';

/** Why money that is owed is not paid, already sealed. */
export type Complete = { readonly waiver?: { readonly reason: Sealed } };

/**
 * Decides on the end of a return: nothing is to come, to be looked at or to be paid, or the payment is waived. What no
 * refund could take of the fees is waived too.
 */
export const complete = (situation: Situation, { waiver }: Complete): Decision<Outcome> => {
  // No refund can give more for the order than was paid for it: then nothing is left to settle.
  const isPaidOut = leftOfOrder(situation.order, situation.ledger) === 0n;
  const waivedGuard = waiver === undefined && !isPaidOut ? undefined : 'unsettled';
  const admission = admitted(situation, 'complete', waivedGuard);
  if (!admission.ok) return admission;
  const waived = feesOf(situation.state)
    .filter((fee) => openFee(fee) > 0)
    .map(({ type }): EventOf<'fee.waived'> => ({ type: 'fee.waived', data: { type, reason: 'not_coverable' } }));
  const completed: Event = { type: 'return.completed', data: waiver === undefined ? {} : { waiver } };
  const [first, ...others]: readonly Event[] = [...waived, completed];
  return conclude(situation, [first ?? completed, ...others, ...overruled(situation, 'complete', waivedGuard)]);
};
