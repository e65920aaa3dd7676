import { proportion } from '../../money/proration.ts';
import { claimable } from '../goods/quantities.ts';
import type { Exchange } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';

/** The maximum number of exchanges of a return. */
export const maxExchanges = 100;

/** The live exchanges. A cancelled exchange has released its units and their worth. */
export const liveExchanges = ({ exchanges }: Pick<UnversionedReturn, 'exchanges'>): readonly Exchange[] =>
  exchanges.filter(({ status }) => status !== 'cancelled');

/**
 * Whether the shop exchanges units of a return by itself, for a new item of an unknown price. The service does not know
 * how much of the goods it pays for, so nothing is due.
 */
export const isExchangedAtShop = ({ shopExchanges = [] }: Pick<UnversionedReturn, 'shopExchanges'>): boolean =>
  shopExchanges.some(({ price }) => price === undefined);

/**
 * Returns what the new items cost that the shop gives by itself, in minor units. They pay for the goods of the return.
 * The shop settles the rest of a dearer item with the customer.
 */
export const shopExchangePrice = ({ shopExchanges = [] }: Pick<UnversionedReturn, 'shopExchanges'>): number =>
  sum(shopExchanges.map(({ price }) => price?.amount ?? 0));

/** Why nothing is due for a return of which the shop exchanges units. */
export const exchangedAtShop = {
  code: 'exchanged_at_shop',
  detail: 'The shop exchanges units of the return. The price of a new item is unknown, so no money is due here.',
} as const;

/** The exchanges that wait for their result. */
export const openExchanges = ({ exchanges }: Pick<UnversionedReturn, 'exchanges'>): readonly Exchange[] =>
  exchanges.filter(({ status }) => status === 'requested' || status === 'ordered');

export const exchangesOf = (state: Pick<UnversionedReturn, 'exchanges'>, line: Pick<Line, 'id'>): readonly Exchange[] =>
  liveExchanges(state).filter(({ lineId }) => lineId === line.id);

/** Counts the units of a line that may be exchanged: those without a refund or an exchange. */
export const exchangeable = (line: Line): number =>
  Math.max(0, claimable(line) - line.quantities.refunded - line.quantities.exchanged);

/**
 * Returns the worth of exchanged units that are not due, in minor units.
 * The units are missing or refused. Only exchanges in these statuses count.
 */
export const excessExchangeWorth = (
  state: Pick<UnversionedReturn, 'lines' | 'exchanges'>,
  statuses: readonly Exchange['status'][],
): number => {
  if (state.exchanges.length === 0) return 0;
  const exchanged = Map.groupBy(
    liveExchanges(state).filter(({ status }) => statuses.includes(status)),
    ({ lineId }) => lineId,
  );
  return sum(
    state.lines.map((line) => {
      const matching = exchanged.get(line.id);
      if (matching === undefined) return 0;
      const units = sum(matching.map(({ quantity }) => quantity));
      const over = Math.min(units, line.quantities.exchanged - Math.min(line.quantities.exchanged, claimable(line)));
      const worth = sum(matching.map(({ gross }) => gross.amount));
      return over === 0 ? 0 : proportion(worth, over, units);
    }),
  );
};

/** Returns the worth of exchanged units that are not due, whatever the status of the new items is. */
export const givenInAdvance = (state: Pick<UnversionedReturn, 'lines' | 'exchanges'>): number =>
  excessExchangeWorth(state, ['requested', 'ordered', 'fulfilled']);

/** Applies exchanges to a return, and updates the exchanged units of its lines. */
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
 * Returns the exchanges that have no units left after a cancellation.
 * The earliest exchanges keep their units.
 *
 * @param cancelled cancelled units by line id
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
