import type { Event, EventOf } from '../history/entry.ts';
import { feesOf, openFee } from '../money/deductions.ts';
import type { Return } from '../model/return.ts';
import type { Sealed } from '../model/personal.ts';
import { completionGuards } from './guards/completion-guards.ts';

/** The events of the end of a return. It waives what no refund could take of the fees. */
export const completion = (
  state: Return,
  waiver: { readonly reason: Sealed } | undefined,
): readonly [Event, ...Event[]] => {
  const waived = feesOf(state)
    .filter((fee) => openFee(fee) > 0)
    .map(({ type }): EventOf<'fee.waived'> => ({ type: 'fee.waived', data: { type, reason: 'not_coverable' } }));
  const completed: Event = { type: 'return.completed', data: waiver === undefined ? {} : { waiver } };
  const [first, ...others]: readonly Event[] = [...waived, completed];
  return [first ?? completed, ...others];
};

/**
 * Whether money is owed, so that only a waiver ends the return. No refund can give more for an order than was paid for it:
 * then nothing is left to settle.
 *
 * @param left what may still be given for the order, in minor units
 */
export const isUnsettled = (state: Return, left: bigint): boolean =>
  left > 0n && completionGuards.some((guard) => guard(state)?.code === 'unsettled');
