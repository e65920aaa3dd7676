import { decided, refused, type Decision } from '../../failure.ts';
import { leftToApprove } from '../../money/approval-limit.ts';
import type { Situation } from '../../situation.ts';

/** Refuses to pay so much more for a return, in minor units, where that takes an admin. A fact has been paid already. */
export const checkLimit = ({ state, ledger, admin, observed }: Situation, amount: number): Decision<null> => {
  const left = leftToApprove(state, ledger);
  if (left === undefined || amount <= left || amount === 0 || admin || observed !== undefined) return decided(null);
  const detail = `Only ${left} in minor units may still be paid for returns of the order. More needs the scope returns:admin.`;
  return refused({ code: 'refund_above_limit', detail });
};
