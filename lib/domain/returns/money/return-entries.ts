import { proportion } from '../../money/proration.ts';
import { derived } from '../derived.ts';
import { held } from '../goods/quantities.ts';
import type { Exchange, Refund, RefundedLine } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { assignedAmount, type Booking, bookings, liveRefunds, paidBack, setOff } from './bookings.ts';
import { appliedDifference, paidForItems, reservedDifference } from './differences.ts';
import { liveExchanges } from './exchanges.ts';
import type { LineUnits } from './line-units.ts';
import {
  type Entries,
  type GivenMoney,
  type Ledger,
  moveEntries,
  noEntries,
  type UnitsAndMoney,
} from './order-ledger.ts';
import { type KeptReduction, liveKeptReductions } from './reductions.ts';
import { ownPayments } from './refund-ceiling.ts';

type Compensated = Booking['breakdown']['lines'][number] | Exchange;

/**
 * Returns by how much a platform paid less than the worth of granted units, in minor units. The units are granted for
 * their worth all the same, so that the rest is not the worth of other units. Recovered units take their part of it.
 */
const underpaid = (compensated: readonly Compensated[], units: number, of: 'gross' | 'tax'): number => {
  const lines = compensated.filter((line) => 'worth' in line && line.worth !== undefined) as readonly RefundedLine[];
  if (lines.length === 0) return 0;
  const short = sum(lines.map((line) => (line.worth?.[of] ?? 0) - line[of].amount));
  const whole = sum(compensated.map(({ quantity }) => Math.max(0, quantity)));
  return proportion(Math.max(0, short), Math.max(0, units), whole);
};

const entriesOfLine = (
  { parcels }: UnversionedReturn,
  own: readonly Line[],
  compensated: readonly Compensated[],
  reduced: readonly KeptReduction[] | undefined,
): Entries['lines'][string] => {
  const units = sum(compensated.map(({ quantity }) => quantity));
  const unitsHeld = own.map((line) => held(line, parcels));
  // Granted units stay granted, whatever the later status of their return is.
  const covered = own.map(({ quantities }, index) =>
    Math.min(quantities.refunded + quantities.exchanged, unitsHeld[index] ?? 0),
  );
  return {
    held: sum(unitsHeld),
    refundedAlone: Math.max(0, units - sum(covered)),
    granted: {
      units,
      gross: sum(compensated.map(({ gross }) => gross.amount)) + underpaid(compensated, units, 'gross'),
      // The refunds that count may hold less tax than an earlier one that was recovered and reversed.
      tax: Math.max(0, sum(compensated.map(({ tax }) => tax.amount)) + underpaid(compensated, units, 'tax')),
    },
    ...(reduced !== undefined && { reduced: totalOf(reduced) }),
  };
};

/** Returns the sum of units and of their money. */
const totalOf = (parts: readonly UnitsAndMoney[] = []): UnitsAndMoney => ({
  units: sum(parts.map(({ units }) => units)),
  gross: sum(parts.map(({ gross }) => gross)),
  tax: sum(parts.map(({ tax }) => tax)),
});

/** Returns the money by name, without the parts that are 0. */
const givenMoney = ({ charges, own, money, ...given }: GivenMoney): GivenMoney => ({
  ...given,
  ...(charges === 0 ? {} : { charges }),
  ...(own === 0 ? {} : { own }),
  ...(money === 0 ? {} : { money }),
});

/** Returns the money that refunds gave back by each payment of the order. */
const tendersOf = (refunds: readonly Pick<Refund, 'tenders'>[]): Readonly<Record<`tender/${string}`, number>> => {
  const byPayment: Record<`tender/${string}`, number> = {};
  for (const { paymentId, amount } of refunds.flatMap(({ tenders = [] }) => tenders))
    byPayment[`tender/${paymentId}`] = (byPayment[`tender/${paymentId}`] ?? 0) + amount.amount;
  return byPayment;
};

/** Returns what a return holds and was given, by order line. It follows from the return alone. */
export const entriesOf = /* @__PURE__ */ derived((state: UnversionedReturn): Entries => {
  const booked = bookings(state);
  const own = Map.groupBy(state.lines, ({ orderLineId }) => orderLineId);
  const refunded = Map.groupBy(
    booked.flatMap(({ breakdown }) => breakdown.lines),
    ({ orderLineId }) => orderLineId,
  );
  const exchanges = liveExchanges(state);
  const exchanged = Map.groupBy(exchanges, ({ lineId }) => state.lines.find(({ id }) => id === lineId)?.orderLineId);
  const reduced = Map.groupBy(liveKeptReductions(state), ({ orderLineId }) => orderLineId);
  const names = new Set([...own.keys(), ...refunded.keys(), ...reduced.keys()]);
  const compensatedOf = (name: string) => [...(refunded.get(name) ?? []), ...(exchanged.get(name) ?? [])];
  // The ledger has this money already, because it was given for the order.
  const assigned = assignedAmount(state);
  return {
    lines: Object.fromEntries(
      Array.from(names, (name) => [
        name,
        entriesOfLine(state, own.get(name) ?? [], compensatedOf(name), reduced.get(name)),
      ]),
    ),
    given: givenMoney({
      amount: sum([
        ...booked.map((booking) => paidBack(booking) - (booking.breakdown.exchange?.amount ?? 0)),
        ...exchanges.map(({ gross }) => gross.amount),
        // A new item that costs less leaves money to give.
        -Math.max(0, reservedDifference(state) - appliedDifference(state)),
        -assigned,
      ]),
      shipping: sum(booked.map(({ breakdown }) => breakdown.shipping.amount)),
      charges: sum(booked.map(({ breakdown }) => breakdown.charges?.amount ?? 0)),
      own: ownPayments(state),
      money: sum(booked.map((booking) => paidBack(booking) + setOff(booking))) + paidForItems(state) - assigned,
      ...tendersOf(liveRefunds(state)),
    }),
  };
});

const asUnitsAndMoney = ({ quantity, gross, tax, worth }: RefundedLine): UnitsAndMoney => ({
  units: quantity,
  gross: worth?.gross ?? gross.amount,
  tax: worth?.tax ?? tax.amount,
});

/**
 * Returns the entries of a refund that no return holds.
 *
 * @param alone the units that do not come back
 */
export const entriesOfRefund = (
  { amount, tenders = [], breakdown }: Pick<Refund, 'amount' | 'tenders' | 'breakdown'>,
  alone: readonly LineUnits[],
): Entries => {
  const paid = Map.groupBy(breakdown.lines, ({ orderLineId }) => orderLineId);
  const reduced = Map.groupBy(breakdown.reductions ?? [], ({ orderLineId }) => orderLineId);
  const units = Map.groupBy(alone, ({ orderLineId }) => orderLineId);
  return {
    lines: Object.fromEntries(
      Array.from(new Set([...paid.keys(), ...reduced.keys()]), (name) => [
        name,
        {
          held: 0,
          refundedAlone: sum((units.get(name) ?? []).map(({ quantity }) => quantity)),
          granted: totalOf(paid.get(name)?.map(asUnitsAndMoney)),
          ...(reduced.has(name) && { reduced: totalOf(reduced.get(name)?.map(asUnitsAndMoney)) }),
        },
      ]),
    ),
    given: givenMoney({
      amount: paidBack({ amount, breakdown }),
      shipping: breakdown.shipping.amount,
      charges: breakdown.charges?.amount ?? 0,
      money: paidBack({ amount, breakdown }),
      ...tendersOf([{ tenders }]),
    }),
  };
};

/**
 * Returns the ledger of an order after one of its returns has changed.
 * The ledger is the sum of the entries of its returns, and of refunds without a return.
 *
 * @param before undefined for a new return
 */
export const updateLedger = (
  ledger: Ledger,
  before: UnversionedReturn | undefined,
  after: UnversionedReturn,
): Ledger => ({
  ...moveEntries(ledger, before === undefined ? noEntries : entriesOf(before), entriesOf(after)),
  returns: before === undefined ? ledger.returns + 1 : ledger.returns,
});
