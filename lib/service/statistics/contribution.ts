import type { Line, Return } from '../../domain/returns/model/return.ts';
import { liveRefunds, settledBookings } from '../../domain/returns/money/bookings.ts';
import { countedOfLine } from '../../domain/returns/money/reductions.ts';
import { isPaidFor, partOfWorth, payableUnits } from '../../domain/returns/money/refund-ceiling.ts';
import { mayBeDue, moneyOf, refundStatus, unsettledRefunds } from '../../domain/returns/money/refund-status.ts';
import { sum } from '../../domain/returns/units-by-line.ts';
import type { CounterContribution } from '../../store/statistics/counted-returns.ts';
import type { Figures } from '../../store/statistics/counters.ts';

/*
 * The contribution of one return to the statistics. It depends only on the current state of the return. So the counters
 * are the sum over all returns, whatever their histories.
 */

type Money = ReturnType<typeof moneyOf>;

/** Returns what bookings give for a line: for its units, and as a part of their price. */
const amountFor = (
  line: Line,
  booked: readonly Pick<Return['refunds'][number], 'returnLines' | 'breakdown'>[],
): number =>
  sum(
    booked
      .flatMap(({ returnLines, breakdown: { reductions = [] } }) => [...returnLines, ...reductions])
      .filter(({ lineId }) => lineId === line.id)
      .map(({ gross }) => gross.amount),
  );

/** Returns the money of a line's goods, in minor units, without shipping and before fees. */
const moneyOfLine = (state: Return, line: Line): Money => {
  const payable = mayBeDue(state) && isPaidFor(line) ? payableUnits(line, state.terms) : 0;
  const reductions = liveRefunds(state).flatMap(({ breakdown }) => breakdown.reductions ?? []);
  const own = reductions.filter(({ lineId }) => lineId === line.id);
  return {
    refunded: Math.max(0, amountFor(line, settledBookings(state))),
    due:
      amountFor(line, unsettledRefunds(state)) +
      Math.max(0, Number(partOfWorth(line, BigInt(payable))) - countedOfLine(line, own)),
  };
};

/** Removes zero figures, so that they are not written. */
const withoutZeros = (figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== 0));

const figuresOf = (lines: readonly Line[], money: readonly Money[]): Figures => {
  const units = (name: 'requested' | 'approved' | 'received' | 'accepted') =>
    sum(lines.map(({ quantities }) => quantities[name]));
  const currency = lines[0]?.amounts.gross.currency ?? '';
  return withoutZeros({
    returns: 1,
    requested: units('requested'),
    approved: units('approved'),
    received: units('received'),
    accepted: units('accepted'),
    [`refunded_${currency}`]: sum(money.map(({ refunded }) => refunded)),
    [`due_${currency}`]: sum(money.map(({ due }) => due)),
  });
};

/**
 * Returns the contributions of a return.
 * `value` is empty for a dimension that the return does not have. The day is that of its request, in UTC.
 */
export const contributionOf = (state: Return): readonly CounterContribution[] => {
  const day = state.requestedAt.slice(0, 10);
  const whole = figuresOf(state.lines, [moneyOf(state)]);
  const byLine = (dimension: 'reason' | 'sku', valueOf: (line: Line) => string): readonly CounterContribution[] =>
    [...Map.groupBy(state.lines, valueOf)].map(([value, lines]) => {
      const money = lines.map((line) => moneyOfLine(state, line));
      return { day, dimension, value, figures: figuresOf(lines, money) };
    });
  return [
    { day, dimension: 'status', value: state.status, figures: whole },
    { day, dimension: 'refundStatus', value: refundStatus(state), figures: whole },
    { day, dimension: 'channel', value: state.channel ?? '', figures: whole },
    ...byLine('reason', ({ reason }) => reason.code),
    ...byLine('sku', ({ sku }) => sku ?? ''),
  ];
};
