import { feesBeyond, takeFees } from './deductions.ts';
import { ceilingWorth } from './refund-ceiling.ts';
import type { Deduction } from './refund.ts';
import type { Unversioned } from '../return.ts';
import { sum } from '../sum.ts';
import { owedAgain, paidBefore } from './unassigned.ts';

/** What a refund of goods takes off their worth, and what it adds to it, in minor units. */
type Net = {
  readonly fees: readonly Deduction[];
  /** What the customer has of it already. */
  readonly before: number;
  /** What is owed besides. */
  readonly again: number;
  readonly amount: number;
};

/** Works out what a refund of goods of this worth comes to. It never comes to less for goods of a higher worth. */
export const netOfGoods = (state: Unversioned, gross: number): Net => {
  const beyond = feesBeyond(state);
  const fees = [...beyond, ...takeFees(state, gross - sum(beyond.map(({ amount }) => amount.amount)))];
  const net = gross - sum(fees.map(({ amount }) => amount.amount));
  const worth = Number(ceilingWorth(state));
  const before = paidBefore(state, worth, net);
  const again = owedAgain(state, worth, net);
  return { fees, before, again, amount: net - before + again };
};
