import { paidUnits, refundable, settledUnits, worth, type Model, type World } from './model.ts';
import { allOf, feeOf, loose, recoveryDue } from './money.ts';
import type { StepOf, Verdict } from './step.ts';
import { no, yes } from './verdicts.ts';

/** Units of a line that the customer has the money for and is not due it. */
const overpaid = (model: Model, at: number): number =>
  Math.max(0, Math.min(settledUnits(model, at), paidUnits(model, at) - refundable(model, at)));

/** The fee that is made right with the last of what is due: taken where goods bear it, given up where it was too much. */
const feeOfLast = (model: Model): number => {
  const { open, applied } = feeOf(model);
  return open < 0 ? open : Math.min(open, Math.max(0, allOf(model) - applied));
};

/** Undoes whole overpaid units as far as the money goes, with what earlier parts left of it; the last of it, all. */
export const recordRecovery = (world: World, { cents: told }: StepOf<'recordRecovery'>): Verdict => {
  const { now } = world;
  const due = recoveryDue(now);
  const cents = told === 'all' ? due : told;
  if (due === 0) return no('invalid_transition');
  if (cents > due) return no('recovery_exceeds_due');
  let left = cents + Math.max(0, -loose(now));
  const units = now.lines.map((_, at) => {
    const price = worth(now.lines.map((_line, place) => (place === at ? 1 : 0)));
    const maximum = overpaid(now, at);
    const undone = cents === due ? maximum : Math.min(maximum, Math.max(0, Math.floor(left / price)));
    left -= undone * price;
    return undone;
  });
  const fee = cents === due ? feeOfLast(now) : 0;
  return yes(world, { recoveries: [...now.recoveries, { units, cents, fee, after: now.refunds.length }] });
};

/** Nobody asks for it again, and nothing is undone by it. */
export const writeOffRecovery = (world: World, admin: boolean): Verdict => {
  const { now } = world;
  const due = recoveryDue(now);
  if (due === 0) return no('invalid_transition');
  return admin ? yes(world, { writtenOff: now.writtenOff + due }) : no('insufficient_scope');
};
