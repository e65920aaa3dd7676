import { held } from '../goods/quantities.ts';
import type { Exchange } from '../model/refund.ts';
import type { Line, UnversionedReturn } from '../model/return.ts';
import { sum } from '../units-by-line.ts';
import { assignedAmount, type Booking, bookings } from './bookings.ts';
import { appliedDifference, reservedDifference } from './differences.ts';
import { liveExchanges } from './exchanges.ts';
import { paidAmounts, type Ledger, ledgerLine, type LedgerLine } from './ledger.ts';
import { ownPayments } from './refund-ceiling.ts';

/** The part of one return in the ledger of its order. */
type Contribution = Omit<Ledger, 'returns' | 'withdrawals'>;

const emptyContribution: Contribution = { lines: {}, given: { amount: 0, shipping: 0 } };

type Compensated = Booking['breakdown']['lines'][number] | Exchange;

const contributionToLine = (
  { parcels }: UnversionedReturn,
  own: readonly Line[],
  compensated: readonly Compensated[],
): LedgerLine => {
  const units = sum(compensated.map(({ quantity }) => quantity));
  // Granted units stay granted, whatever the later status of their return is.
  const covered = sum(
    own.map((line) => Math.min(line.quantities.refunded + line.quantities.exchanged, held(line, parcels))),
  );
  return {
    held: sum(own.map((line) => held(line, parcels))),
    refundedAlone: Math.max(0, units - covered),
    granted: {
      units,
      gross: sum(compensated.map(({ gross }) => gross.amount)),
      // The refunds that count may hold less tax than an earlier one that was recovered and reversed.
      tax: Math.max(0, sum(compensated.map(({ tax }) => tax.amount))),
    },
  };
};

/** Returns what a return holds and was given, by order line. It follows from the return alone. */
export const contributionOf = (state: UnversionedReturn): Contribution => {
  const booked = bookings(state);
  const own = Map.groupBy(state.lines, ({ orderLineId }) => orderLineId);
  const refunded = Map.groupBy(
    booked.flatMap(({ breakdown }) => breakdown.lines),
    ({ orderLineId }) => orderLineId,
  );
  const orderLineIds = new Map(state.lines.map(({ id, orderLineId }) => [id, orderLineId]));
  const exchanged = Map.groupBy(liveExchanges(state), ({ lineId }) => orderLineIds.get(lineId));
  const names = new Set([...own.keys(), ...refunded.keys()]);
  const compensatedOf = (name: string) => [...(refunded.get(name) ?? []), ...(exchanged.get(name) ?? [])];
  return {
    lines: Object.fromEntries(
      Array.from(names, (name) => [name, contributionToLine(state, own.get(name) ?? [], compensatedOf(name))]),
    ),
    given: paidAmounts(
      sum([
        ...booked.map(({ amount, breakdown }) => amount.amount - (breakdown.exchange?.amount ?? 0)),
        ...liveExchanges(state).map(({ gross }) => gross.amount),
        // A new item that costs less leaves money to give.
        -Math.max(0, reservedDifference(state) - appliedDifference(state)),
        // The ledger has this money already, because it was given for the order.
        -assignedAmount(state),
      ]),
      sum(booked.map(({ breakdown }) => breakdown.shipping.amount)),
      sum(booked.map(({ breakdown }) => breakdown.charges?.amount ?? 0)),
      ownPayments(state),
    ),
  };
};

/** `now - before + after`, for each number of a ledger line. */
const moveLine = (now: LedgerLine, before: LedgerLine, after: LedgerLine): LedgerLine => ({
  ...now,
  held: now.held - before.held + after.held,
  refundedAlone: now.refundedAlone - before.refundedAlone + after.refundedAlone,
  granted: {
    units: now.granted.units - before.granted.units + after.granted.units,
    gross: now.granted.gross - before.granted.gross + after.granted.gross,
    tax: now.granted.tax - before.granted.tax + after.granted.tax,
  },
});

/**
 * Returns the same for payments of the service's own commands. An old ledger may hold less than its returns paid. A
 * return that pays no more leaves that number unchanged. So a command that moves no money does not write the ledger.
 */
const moveOwnPayments = (now: number, before: number, after: number): number =>
  before === after ? now : Math.max(0, now - before) + after;

const moveContribution = (ledger: Ledger, from: Contribution, to: Contribution): Ledger => {
  const names = [...new Set([...Object.keys(from.lines), ...Object.keys(to.lines)])];
  const lines = names.map((name): [string, LedgerLine] => [
    name,
    moveLine(ledgerLine(ledger, name), ledgerLine(from, name), ledgerLine(to, name)),
  ]);
  return {
    ...ledger,
    lines: { ...ledger.lines, ...Object.fromEntries(lines) },
    given: paidAmounts(
      ledger.given.amount - from.given.amount + to.given.amount,
      ledger.given.shipping - from.given.shipping + to.given.shipping,
      (ledger.given.charges ?? 0) - (from.given.charges ?? 0) + (to.given.charges ?? 0),
      moveOwnPayments(ledger.given.own ?? 0, from.given.own ?? 0, to.given.own ?? 0),
    ),
  };
};

/**
 * Returns the ledger of an order after one of its returns has changed.
 * The ledger is the sum of the contributions of its returns, and of refunds without a return.
 *
 * @param before undefined for a new return
 */
export const updateLedger = (
  ledger: Ledger,
  before: UnversionedReturn | undefined,
  after: UnversionedReturn,
): Ledger => {
  const next = moveContribution(
    ledger,
    before === undefined ? emptyContribution : contributionOf(before),
    contributionOf(after),
  );
  return before === undefined ? { ...next, returns: ledger.returns + 1 } : next;
};
