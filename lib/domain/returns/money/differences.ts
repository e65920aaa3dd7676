import { outstanding, undecided, uninspected } from '../goods/quantities.ts';
import type { Exchange } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { bookings } from './bookings.ts';
import { exchangesOf, givenInAdvance, liveExchanges } from './exchanges.ts';
import { dueClaims } from './refund-ceiling.ts';

/*
 * The differences between the worth of exchanged units and the price of their new items, in minor units. Above zero the
 * shop owes the difference, below zero the customer does. They are booked once the new item is ordered. An item without
 * a price has no difference.
 */

type State = Pick<UnversionedReturn, 'exchanges' | 'recoveries'>;

export const differenceOf = ({ balance }: Exchange): number => (balance === undefined ? 0 : 0 - balance.amount);

const recovered = ({ recoveries }: Pick<State, 'recoveries'>): State['recoveries'] =>
  recoveries.filter(({ type }) => type === 'recovered');

const isBooked = ({ status }: Exchange): boolean => status === 'ordered' || status === 'fulfilled';

/** Returns the exchanges whose difference is owed: their new item is ordered. */
export const bookedExchanges = (state: Pick<State, 'exchanges'>): readonly Exchange[] =>
  liveExchanges(state).filter(isBooked);

/** Returns the differences of the customer that the shop wrote off, as a positive amount. */
const writtenOff = ({ recoveries }: State): number =>
  sum(
    recoveries
      .filter(({ type }) => type === 'written_off')
      .map(({ exchange }) => Math.max(0, 0 - (exchange?.amount ?? 0))),
  );

/** Returns the sum of differences. A write-off counts only as far as the customer still owes a difference. */
const sumOf = (state: State, exchanges: readonly Exchange[]): number => {
  if (exchanges.length === 0) return 0;
  const dearer = sum(exchanges.map((exchange) => Math.max(0, 0 - differenceOf(exchange))));
  return sum(exchanges.map(differenceOf)) + Math.min(dearer, writtenOff(state));
};

/** Returns the differences of all booked exchanges. */
export const difference = (state: State): number => sumOf(state, bookedExchanges(state));

/**
 * Returns the differences that reduce what the customer may have to give back. A difference of the shop counts from the
 * request on, because its money is no debt while the new item is not ordered.
 */
export const certainDifference = (state: State): number =>
  sumOf(
    state,
    liveExchanges(state).filter((exchange) => isBooked(exchange) || differenceOf(exchange) > 0),
  );

/** Returns the differences of all exchanges, also of those that are not ordered. */
export const reservedDifference = (state: State): number => sumOf(state, liveExchanges(state));

/** Returns the exchanges whose units the shop has, or need not wait for. The earliest exchanges take the units first. */
const coveredExchanges = (state: UnversionedReturn): ReadonlySet<Exchange> =>
  new Set(
    state.lines.flatMap((line) => {
      const { quantities } = line;
      const isFinal = undecided(quantities) + outstanding(quantities) + uninspected(quantities) === 0;
      let left = dueClaims(line, state);
      return exchangesOf(state, line).filter(({ quantity }) => {
        left -= quantity;
        return isFinal || left >= 0;
      });
    }),
  );

/** Returns the differences that are payable now. The shop pays one as soon as it would pay for the exchanged units. */
export const payableDifference = (state: UnversionedReturn): number => {
  const booked = bookedExchanges(state);
  if (booked.every((exchange) => differenceOf(exchange) <= 0)) return sumOf(state, booked);
  const covered = coveredExchanges(state);
  return sumOf(
    state,
    booked.filter((exchange) => differenceOf(exchange) <= 0 || covered.has(exchange)),
  );
};

/** Returns the differences that refunds and recoveries settled. A return without any exchange has none. */
export const appliedDifference = (state: State & Pick<UnversionedReturn, 'refunds'>): number =>
  state.exchanges.length === 0 ? 0 : sum(bookings(state).map(({ breakdown }) => breakdown.exchange?.amount ?? 0));

/** Returns what the customer still owes for dearer items, in minor units. Refunds pay it first. */
export const openSetOff = (state: State & Pick<UnversionedReturn, 'refunds'>): number =>
  Math.max(0, appliedDifference(state) - difference(state));

/** Returns the money that the customer paid for new items whose units are not due, in minor units. */
export const paidForItems = (state: State & Pick<UnversionedReturn, 'lines'>): number =>
  Math.min(
    givenInAdvance(state),
    sum(recovered(state).map(({ amount, exchange }) => amount.amount + Math.min(0, exchange?.amount ?? 0))),
  );

/**
 * Returns what new items take of the payments of the order, in minor units: what the customer still owes for dearer items,
 * and for items whose units are not due. What is left of the payments pays for goods.
 */
export const itemsToPay = (state: State & Pick<UnversionedReturn, 'refunds' | 'lines'>): number => {
  const settled = sum(recovered(state).map(({ amount, exchange }) => amount.amount + (exchange?.amount ?? 0)));
  const ofShop = Math.max(0, difference(state) - appliedDifference(state));
  return openSetOff(state) + Math.max(0, givenInAdvance(state) - settled - ofShop);
};
