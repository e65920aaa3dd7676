import { differences, settledDifferences } from './differences.ts';
import { paidUnits, refundable, settledUnits, worth, type Model, type World } from './model.ts';
import { allOf, feeOf, loose, recoveryDue } from './money.ts';
import type { StepOf, Verdict } from './step.ts';
import { no, yes } from './verdicts.ts';

/** Returns the units of a line that were paid without a claim. */
const overpaid = (model: Model, at: number): number =>
  Math.max(0, Math.min(settledUnits(model, at), paidUnits(model, at) - refundable(model, at)));

/** Returns the fee that the last recovery settles: charged when goods bear it, released when it was too much. */
const feeOfLast = (model: Model): number => {
  const { open, applied } = feeOf(model);
  return open < 0 ? open : Math.min(open, Math.max(0, allOf(model) - applied));
};

/** Undoes whole overpaid units up to the recovered money and earlier rests. The last recovery undoes all. */
export const recordRecovery = (world: World, { cents: stated }: StepOf<'recordRecovery'>): Verdict => {
  const { now } = world;
  const due = recoveryDue(now);
  const cents = stated === 'all' ? due : stated;
  if (due === 0) return no('invalid_transition');
  if (cents > due) return no('recovery_exceeds_due');
  const open = differences(now) - settledDifferences(now);
  const paid = cents === due ? open : Math.max(Math.min(0, open), -cents);
  let left = cents + Math.min(0, paid) + Math.max(0, -loose(now));
  const units = now.lines.map((_, at) => {
    const price = worth(now.lines.map((_line, index) => (index === at ? 1 : 0)));
    const maximum = overpaid(now, at);
    const undone = cents === due ? maximum : Math.min(maximum, Math.max(0, Math.floor(left / price)));
    left -= undone * price;
    return undone;
  });
  const fee = cents === due ? feeOfLast(now) : 0;
  const recovery = { units, cents, fee, differences: paid, after: now.refunds.length };
  return yes(world, { recoveries: [...now.recoveries, recovery] });
};

/** Writes the recovery off. It undoes no unit. */
export const writeOffRecovery = (world: World, admin: boolean): Verdict => {
  const { now } = world;
  const due = recoveryDue(now);
  if (due === 0) return no('invalid_transition');
  const forDifferences = Math.min(due, Math.max(0, settledDifferences(now) - differences(now)));
  const writtenOff = {
    goods: now.writtenOff.goods + due - forDifferences,
    differences: now.writtenOff.differences + forDifferences,
  };
  return admin ? yes(world, { writtenOff }) : no('insufficient_scope');
};
