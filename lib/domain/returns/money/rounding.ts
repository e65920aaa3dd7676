import { refundable } from '../goods/quantities.ts';
import type { Line } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { partOfWorth } from './refund-ceiling.ts';

/*
 * The rounding of order lines. A refund or a recovery of another return may move one minor unit for each paid unit of a
 * line. Neither side owes it. A larger difference is no rounding, and counts in full.
 */

/** Groups the lines of a return that share the rounding of an order line. */
const byOrderLine = (lines: readonly Line[]): readonly (readonly Line[])[] => [
  ...Map.groupBy(lines, ({ orderLineId }) => orderLineId).values(),
];

const worthOf = (lines: readonly Line[]): number => sum(lines.map(({ amounts }) => amounts.maxRefundable.amount));
const paidFor = (lines: readonly Line[]): number => sum(lines.map(({ amounts }) => amounts.refunded.amount));
const paidUnits = (lines: readonly Line[]): number => sum(lines.map(({ quantities }) => quantities.refunded));

/** Returns what the paid units of lines of one order line are worth beyond the money for them, in minor units. */
const shortOf = (lines: readonly Line[]): number =>
  sum(lines.map((line) => Number(partOfWorth(line, BigInt(Math.min(line.quantities.refunded, refundable(line))))))) -
  paidFor(lines);

/** Returns whether more was paid for lines of one order line than they are worth, beyond rounding. */
const isOverpaidLine = (lines: readonly Line[]): boolean =>
  paidUnits(lines) > sum(lines.map(refundable)) || paidFor(lines) > worthOf(lines) + paidUnits(lines);

/** Returns whether more was paid for units of a return than they are worth, or for more units than are due. */
export const hasOverpaidUnits = (lines: readonly Line[]): boolean =>
  lines.some((line) => line.quantities.refunded > refundable(line)) || byOrderLine(lines).some(isOverpaidLine);

/** Returns what the customer may keep for lines of a return, in minor units. */
export const retainableAmount = (lines: readonly Line[]): number =>
  sum(byOrderLine(lines).map((own) => (isOverpaidLine(own) ? worthOf(own) : Math.max(worthOf(own), paidFor(own)))));

/** Returns by how much paid units were underpaid, in minor units. External refunds may state any amount. */
export const underpaidAmount = (lines: readonly Line[]): number =>
  sum(byOrderLine(lines).map((own) => (shortOf(own) > paidUnits(own) ? shortOf(own) : 0)));

/** Returns the minor units that rounding moved to lines of one order line, once all their units are paid. */
const roundedUp = (lines: readonly Line[]): number => {
  if (lines.some((line) => line.quantities.refunded < refundable(line))) return 0;
  const short = shortOf(lines);
  return short > 0 && short <= paidUnits(lines) ? short : 0;
};

/**
 * Returns what the shop owes at most for lines of a return, in minor units. Once all units are paid, a minor unit that
 * rounding gave too much, and that was recovered, is not owed.
 */
export const owedWorth = (lines: readonly Line[]): number => {
  const isAllPaid = lines.every((line) => line.quantities.refunded >= refundable(line));
  const worth = isAllPaid ? worthOf(lines) : retainableAmount(lines);
  return worth - sum(byOrderLine(lines).map(roundedUp));
};
