import { expiresAt } from './deadlines.ts';
import { needsOverride } from './eligibility.ts';
import { leftToApprove } from '../money/approval-limit.ts';
import { feesOf, openFee } from '../money/deductions.ts';
import { owed } from '../money/owed.ts';
import { partOfWorth, payableUnits } from '../money/refund-ceiling.ts';
import type { Instant } from '../order.ts';
import type { Return } from '../return.ts';
import { sum } from '../sum.ts';
import { scopeOf, type Command, type Scope } from './states.ts';

/** The scope that a command needs now: only an admin lets a return expire before its time, or approves against a policy. */
export const scopeNow = (state: Return, command: Command, now: Instant): Scope => {
  const usual = scopeOf(command, state.status);
  if (command === 'approve' && needsOverride(state)) return 'returns:admin';
  if (command !== 'expire') return usual;
  const time = expiresAt(state);
  return time !== undefined && time <= now ? usual : 'returns:admin';
};

/** The least that a refund can come to, in minor units: a unit of a line less all fees, or the smallest sum beside goods. */
const leastRefund = (state: Return): number => {
  const open = state.lines.filter((line) => payableUnits(line, state.terms) > 0);
  if (open.length === 0) return 1;
  const least = Math.min(...open.map((line) => Number(partOfWorth(line, 1n))));
  return Math.max(1, least - sum(feesOf(state).map(openFee)));
};

/**
 * The scope to tell a caller beforehand. A refund above the limit of the terms needs an admin, and so does an end that
 * leaves money unpaid which a law wants paid.
 */
export const scopeToTell = (state: Return, command: Command, now: Instant): Scope => {
  const left = command === 'refund' ? leftToApprove(state) : undefined;
  if (left !== undefined && left < leastRefund(state)) return 'returns:admin';
  const isBelow = command === 'complete' && state.terms.floor !== null && owed(state) > 0;
  return isBelow ? 'returns:admin' : scopeNow(state, command, now);
};
