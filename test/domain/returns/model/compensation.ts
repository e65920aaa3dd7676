import { accountOf, claimable, isLive, orderLine, postage, sold, sum, worth, type World } from './model.ts';
import { differences, settledDifferences } from './differences.ts';
import { owed, priceLeft } from './money.ts';
import { keptOf, reducedByLine } from './reductions.ts';
import type { StepOf, Verdict } from './step.ts';
import { no, yes } from './verdicts.ts';

/**
 * Returns the most that may be paid of the price of units of a line: at most what is left of the price of the line, of
 * its order line and of the order. Units that the return claims get what is owed for the goods.
 */
const reducible = ({ now }: World, at: number, units: number): number => {
  const line = now.lines[at];
  if (line === undefined) return 0;
  const price = worth(now.lines.map((_, index) => (index === at ? 1 : 0)));
  const own = now.refunds.filter((one) => isLive(one) && one.reduced?.line === at);
  const kept = reducedByLine(now)[orderLine(at)]?.cents ?? 0;
  const ofOrderLine = price * ((sold[orderLine(at)] ?? 0) - (accountOf(now).compensated[orderLine(at)] ?? 0)) - kept;
  const ofLine = price * line.requested - sum(own.map(({ cents }) => cents));
  const reduced = Math.min(line.requested, sum(own.map((one) => one.reduced?.units ?? 0)) + units);
  const others = (reducedByLine(now)[orderLine(at)]?.units ?? 0) - keptOf(now, at, isLive).units;
  if (reduced > (sold[orderLine(at)] ?? 0) - (accountOf(now).compensated[orderLine(at)] ?? 0) - others) return 0;
  const claimed = Math.max(0, reduced - (line.requested - claimable(line)));
  const before = sum(own.map(({ cents }) => cents));
  const forExchanges = Math.max(0, differences(now) - settledDifferences(now));
  const most = before - keptOf(now, at, isLive).cents + Math.max(0, owed(now) - forExchanges);
  const forClaimed = claimed === 0 ? Infinity : Math.floor((most * reduced) / claimed) - before;
  return Math.max(0, Math.min(price * units, ofLine, ofOrderLine, priceLeft(now), forClaimed));
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
