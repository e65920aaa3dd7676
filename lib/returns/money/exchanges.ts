import { roundHalfUp } from '../../money/proration.ts';
import { claimable } from '../goods/quantities.ts';
import type { Exchange } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';

/** As many as a return may have. */
export const maxExchanges = 100;

/** Exchanges that count: those that were cancelled have given back what they took. */
export const liveExchanges = ({ exchanges }: Pick<UnversionedReturn, 'exchanges'>): readonly Exchange[] =>
  exchanges.filter(({ status }) => status !== 'cancelled');

/** Exchanges that wait for their result. */
export const openExchanges = ({ exchanges }: Pick<UnversionedReturn, 'exchanges'>): readonly Exchange[] =>
  exchanges.filter(({ status }) => status === 'requested' || status === 'ordered');

/** The live exchanges of a line. */
export const exchangesOf = (state: Pick<UnversionedReturn, 'exchanges'>, line: Pick<Line, 'id'>): readonly Exchange[] =>
  liveExchanges(state).filter(({ lineId }) => lineId === line.id);

/** Units of a line that may be exchanged: those that nothing was given for yet, neither money nor goods. */
export const exchangeable = (line: Line): number =>
  Math.max(0, claimable(line) - line.quantities.refunded - line.quantities.exchanged);

/**
 * What the customer has, in minor units, for exchanged units that turned out not to be due anything: they did not come,
 * or were refused. Counted are exchanges of these statuses.
 */
export const excessExchangeCredit = (
  state: Pick<UnversionedReturn, 'lines' | 'exchanges'>,
  statuses: readonly Exchange['status'][],
): number =>
  sum(
    state.lines.map((line) => {
      const given = exchangesOf(state, line).filter(({ status }) => statuses.includes(status));
      const units = sum(given.map(({ quantity }) => quantity));
      const over = Math.min(units, line.quantities.exchanged - Math.min(line.quantities.exchanged, claimable(line)));
      const credit = sum(given.map((one) => one.credit.amount));
      return over === 0 ? 0 : Number(roundHalfUp(BigInt(credit) * BigInt(over), BigInt(units)));
    }),
  );

/** The return with these exchanges, and with the units that they took of each of its lines. */
export const withExchanges = (
  { lines }: Pick<UnversionedReturn, 'lines'>,
  exchanges: readonly Exchange[],
): Pick<UnversionedReturn, 'lines' | 'exchanges'> => ({
  exchanges,
  lines: lines.map((line) => {
    const exchanged = sum(exchangesOf({ exchanges }, line).map(({ quantity }) => quantity));
    return { ...line, quantities: { ...line.quantities, exchanged } };
  }),
});

/**
 * Exchanges that have no units left once so many of each line are cancelled. The first that were asked for stay.
 *
 * @param cancelled units by line id
 */
export const exchangesWithoutUnits = (
  state: UnversionedReturn,
  cancelled: ReadonlyMap<string, number>,
): readonly Exchange[] =>
  state.lines.flatMap((line) => {
    let left = claimable(line) - line.quantities.refunded - (cancelled.get(line.id) ?? 0);
    return exchangesOf(state, line).filter(({ quantity }) => {
      const fits = quantity <= left;
      if (fits) left -= quantity;
      return !fits;
    });
  });
