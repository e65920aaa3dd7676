import { admitted } from '../admitted.ts';
import { conclude, type Outcome } from '../conclude.ts';
import { feesOf, openFee } from '../../money/deductions.ts';
import { refused, type Decision } from '../../failure.ts';
import type { FeeType } from '../../model/refund.ts';
import type { Situation } from '../../situation.ts';

/** A fee that is given up, and a code that says why. */
export type WaiveFee = { readonly type: FeeType; readonly reason: string };

/** Decides to give up a fee, as far as no refund has taken it; it does not come back when the return goes on. */
export const waiveFee = (situation: Situation, { type, reason }: WaiveFee): Decision<Outcome> => {
  const admission = admitted(situation, 'waiveFee');
  if (!admission.ok) return admission;
  const fee = feesOf(situation.state).find((one) => one.type === type);
  if (fee === undefined || openFee(fee) === 0) {
    const errors = [{ path: '/type', code: 'not_open', message: 'must be a fee that is not taken and not waived' }];
    return refused({ code: 'fee_not_open', detail: 'Nothing of this fee is left to waive.', errors });
  }
  return conclude(situation, [{ type: 'fee.waived', data: { type, reason } }]);
};
