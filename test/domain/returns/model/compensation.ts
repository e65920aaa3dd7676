import { accountOf, claimable, isLive, orderLine, postage, sold, sum, worth, type World } from './model.ts';
import { owed } from './money.ts';
import type { StepOf, Verdict } from './step.ts';
import { no, yes } from './verdicts.ts';

/** Returns the most that may be paid of the price of units of a line. */
const reducible = ({ now }: World, at: number, units: number): number => {
  const line = now.lines[at];
  if (line === undefined) return 0;
  const price = worth(now.lines.map((_, index) => (index === at ? 1 : 0)));
  const live = now.refunds.filter((one) => isLive(one) && one.reduced !== undefined);
  const ofOrderLine = live.filter(({ reduced }) => orderLine(reduced?.line ?? 0) === orderLine(at));
  const granted = accountOf(now).compensated[orderLine(at)] ?? 0;
  const left = price * ((sold[orderLine(at)] ?? 0) - granted) - sum(ofOrderLine.map(({ cents }) => cents));
  const reduced = sum(live.map((one) => (one.reduced?.line === at ? one.reduced.units : 0))) + units;
  const isForClaimed = Math.min(reduced, line.requested) > line.requested - claimable(line);
  return Math.max(0, Math.min(price * units, left, isForClaimed ? Math.max(0, owed(now)) : Infinity));
};

/** Pays a part of the price of units, or the postage. The return has no units for it. */
export const compensate = (world: World, step: StepOf<'compensate'>, admin: boolean): Verdict => {
  const { now } = world;
  const { line, units, cents } = step;
  const booking = { status: 'pending', units: now.lines.map(() => 0), fee: 0, differences: 0 } as const;
  if (cents === 'postage')
    return admin
      ? yes(world, { refunds: [...now.refunds, { ...booking, cents: 0, extra: postage }] })
      : no('insufficient_scope');
  if (units > (now.lines[line]?.requested ?? 0)) return no('invalid_request');
  if (cents > reducible(world, line, units)) return no('refund_exceeds_ceiling');
  return yes(world, { refunds: [...now.refunds, { ...booking, cents, reduced: { line, units } }] });
};
