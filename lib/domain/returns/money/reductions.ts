import { proportion } from '../../money/proration.ts';
import { claimable } from '../goods/quantities.ts';
import type { PriceReduction, Refund } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { bookings, liveRefunds, paidForGoods, settledBookings, succeededRefunds } from './bookings.ts';
import type { Taxed, UnitsAndMoney } from './order-ledger.ts';
import { isPaidFor } from './refund-ceiling.ts';

/*
 * A price reduction is for units that the customer keeps. While the return still claims them, its money counts as paid
 * for them. So the shop owes only the rest when they come after all. Once the customer keeps them, it lowers the worth
 * of the order line, and the return owes nothing for it.
 */

/** A part of the price that the customer got back for units to keep. */
export type KeptReduction = UnitsAndMoney & { readonly orderLineId: string };

const isEmpty = ({ units, gross }: UnitsAndMoney): boolean => units === 0 && gross === 0;

/** Counts the units of a line that the return claims no money for: they are kept, or go back after a repair. */
export const unclaimed = (line: Line): number =>
  isPaidFor(line) ? line.quantities.requested - claimable(line) : line.quantities.requested;

/**
 * Returns the part of the reductions of a line that is for units that the return does not claim. Several reductions may
 * be for the same unit, so they are for no more units than the line has.
 */
export const keptOfLine = (line: Line | undefined, reductions: readonly PriceReduction[]): UnitsAndMoney => {
  const stated = sum(reductions.map(({ quantity }) => quantity));
  const units = line === undefined ? stated : Math.min(stated, line.quantities.requested);
  const kept = line === undefined ? units : Math.min(units, unclaimed(line));
  const part = (of: 'gross' | 'tax'): number =>
    proportion(sum(reductions.map((reduction) => reduction[of].amount)), kept, units);
  return kept <= 0 ? { units: 0, gross: 0, tax: 0 } : { units: kept, gross: part('gross'), tax: part('tax') };
};

/** Returns the part of the reductions of a line that counts as paid for units that the return claims, in minor units. */
export const countedOfLine = (line: Line, reductions: readonly PriceReduction[]): number =>
  sum(reductions.map(({ gross }) => gross.amount)) - keptOfLine(line, reductions).gross;

/** Returns the reductions of refunds that are for units that the return does not claim, by line. */
const keptReductions = ({ lines }: Pick<UnversionedReturn, 'lines'>, refunds: readonly Refund[]): KeptReduction[] => {
  const reductions = refunds.flatMap(({ breakdown }) => breakdown.reductions ?? []);
  if (reductions.length === 0) return [];
  const byLine = Map.groupBy(reductions, ({ lineId, orderLineId }) => lineId ?? `order line ${orderLineId}`);
  return Array.from(byLine.values(), (ofLine) => ({
    orderLineId: ofLine[0]?.orderLineId ?? '',
    ...keptOfLine(
      lines.find(({ id }) => id === ofLine[0]?.lineId),
      ofLine,
    ),
  })).filter((kept) => !isEmpty(kept));
};

type State = Pick<UnversionedReturn, 'lines' | 'refunds' | 'recoveries'>;

/** Returns the live reductions of a return, in their order. */
export const reductionsOf = (state: Pick<State, 'refunds'>): readonly PriceReduction[] =>
  liveRefunds(state).flatMap(({ breakdown }) => breakdown.reductions ?? []);

const grossOf = (kept: readonly KeptReduction[]): number => sum(kept.map(({ gross }) => gross));

/** Returns the live reductions of a return that are for units that it does not claim. */
export const liveKeptReductions = (state: Pick<State, 'lines' | 'refunds'>): readonly KeptReduction[] =>
  keptReductions(state, liveRefunds(state));

/** Returns the money of live bookings for the goods that a return claims, in minor units. */
export const bookedForGoods = (state: State): number =>
  paidForGoods(bookings(state)) - grossOf(liveKeptReductions(state));

/** Returns the money of settled bookings for the goods that a return claims, in minor units. */
export const settledForGoods = (state: State): number =>
  paidForGoods(settledBookings(state)) - grossOf(keptReductions(state, succeededRefunds(state)));

/** Returns the live reductions of a return that count as paid for units that it claims, in minor units. */
export const countedReductions = (state: Pick<State, 'lines' | 'refunds'>): Taxed => {
  const all = reductionsOf(state);
  const kept = liveKeptReductions(state);
  return {
    gross: sum(all.map(({ gross }) => gross.amount)) - grossOf(kept),
    tax: sum(all.map(({ tax }) => tax.amount)) - sum(kept.map(({ tax }) => tax)),
  };
};

/**
 * Returns what reductions gave for the goods that a return claims, in minor units. No fee takes it back. A new item in
 * place of the units does, so of each line it is at most what refunds may give for it.
 */
export const agreedReductions = ({ lines }: Pick<State, 'lines'>, refunds: readonly Refund[]): number => {
  const reductions = refunds.flatMap(({ breakdown }) => breakdown.reductions ?? []);
  if (reductions.length === 0) return 0;
  const byLine = Map.groupBy(reductions, ({ lineId }) => lineId);
  return sum(
    lines.map((line) => Math.min(line.amounts.maxRefundable.amount, countedOfLine(line, byLine.get(line.id) ?? []))),
  );
};

/** Returns the tax of the reductions of a return that are for units that it claims, by order line. */
export const openReductionTaxes = (state: Pick<State, 'lines' | 'refunds'>): ReadonlyMap<string, number> => {
  const taxes = new Map<string, number>();
  const add = (orderLineId: string, tax: number) => taxes.set(orderLineId, (taxes.get(orderLineId) ?? 0) + tax);
  for (const { orderLineId, tax } of reductionsOf(state)) add(orderLineId, tax.amount);
  for (const { orderLineId, tax } of liveKeptReductions(state)) add(orderLineId, 0 - tax);
  return taxes;
};
