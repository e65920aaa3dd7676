import { feesBeyond, takeFees } from './deductions.ts';
import { ceilingWorth } from './refund-ceiling.ts';
import type { Deduction } from '../model/refund.ts';
import type { Unversioned } from '../model/return.ts';
import { sum } from '../sum.ts';
import { owedAgain, paidBefore } from './unassigned.ts';

/** What a refund subtracts from the worth of goods, and what it adds, in minor units. */
type Net = {
  readonly fees: readonly Deduction[];
  /** What was paid before. */
  readonly before: number;
  /** What is owed in addition. */
  readonly again: number;
  readonly amount: number;
};

/** Computes the amount of a refund of goods of this worth. The amount never falls when the worth rises. */
export const netOfGoods = (state: Unversioned, gross: number): Net => {
  const beyond = feesBeyond(state);
  const fees = [...beyond, ...takeFees(state, gross - sum(beyond.map(({ amount }) => amount.amount)))];
  const net = gross - sum(fees.map(({ amount }) => amount.amount));
  const worth = Number(ceilingWorth(state));
  const before = paidBefore(state, worth, net);
  const again = owedAgain(state, worth, net);
  return { fees, before, again, amount: net - before + again };
};
