import type { Instant } from '../model/order.ts';
import type { Exchange, ExtraType, Refund } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { bookings, liveRefunds, settledBookings } from '../money/bookings.ts';
import { goodsAmountPaid, totalDeductions } from '../money/deductions.ts';
import { bookedExchanges, differenceOf } from '../money/differences.ts';
import { excessExchangeWorth, isExchangedAtShop, shopExchangePrice } from '../money/exchanges.ts';
import { agreedAmount, recoveryDue, writtenOffGoods } from '../money/recovery.ts';
import { settledForGoods } from '../money/reductions.ts';
import { isPaidFor } from '../money/refund-ceiling.ts';
import { payableNow } from '../money/refund-status.ts';
import { owedWorth, retainableAmount } from '../money/rounding.ts';
import { sum } from '../units-by-line.ts';
import { openRefundDueBy } from './deadlines.ts';

/*
 * Who owes whom in a return, and why. The obligations are the terms of its balance, one by one: what the shop owes for
 * the goods, the difference of each exchange, what the customer must give back, and what the shop agreed to pay on top.
 */

/** An obligation in minor units. What is neither booked nor settled is open. */
export type Obligation = {
  readonly cause: 'goods' | 'exchange' | 'overpayment' | 'price_reduction' | ExtraType;
  readonly debtor: 'shop' | 'customer';
  readonly amount: number;
  /** The part that refunds without a result cover. */
  readonly booked: number;
  /** The part that is paid, waived, written off or set off. */
  readonly settled: number;
  /** The open part that must be paid now. The rest may fall due when goods come. */
  readonly due: number;
  /** When the shop must have paid the open part. */
  readonly dueBy?: Instant;
  readonly exchangeId?: string;
  readonly refundId?: string;
};

type Undated = Omit<Obligation, 'due' | 'dueBy'>;

type Covered = { readonly amount: number; readonly booked: number; readonly settled: number };

/** Returns how bookings and payments cover an amount. Both are totals in minor units. */
const coveredBy = (amount: number, booked: number, settled: number): Covered => {
  const paid = Math.max(0, Math.min(amount, settled));
  return { amount, booked: Math.max(0, Math.min(amount, booked) - paid), settled: paid };
};

const exchangeIn = (booked: ReturnType<typeof bookings>): number =>
  sum(booked.map(({ breakdown }) => breakdown.exchange?.amount ?? 0));

/** Returns what the shop owes for the goods, and what the customer must give back of it. */
const ofGoods = (state: UnversionedReturn): readonly Undated[] => {
  const lines = state.lines.filter(isPaidFor);
  const less = totalDeductions(state) + shopExchangePrice(state);
  const worth = owedWorth(lines) - less;
  const given = goodsAmountPaid(state) - exchangeIn(bookings(state));
  const settled =
    settledForGoods(state) + excessExchangeWorth(state, ['fulfilled']) - exchangeIn(settledBookings(state));
  const paid = state.paymentsLeft === undefined ? Infinity : Math.max(0, given) + state.paymentsLeft;
  const amount = Math.max(0, isExchangedAtShop(state) ? Math.min(worth, given) : Math.min(worth, paid));
  const excess = Math.max(0, settled - Math.max(agreedAmount(state), retainableAmount(lines) - less, 0));
  const recovered = sum(
    state.recoveries
      .filter(({ type }) => type === 'recovered')
      .map(({ amount: { amount: got }, exchange }) => Math.max(0, got + Math.min(0, exchange?.amount ?? 0))),
  );
  const goods = coveredBy(amount, given, settled);
  const overpaid = coveredBy(excess + recovered, 0, recovered + writtenOffGoods(state));
  return [
    { cause: 'goods' as const, debtor: 'shop' as const, ...goods },
    { cause: 'overpayment' as const, debtor: 'customer' as const, ...overpaid },
  ].filter((obligation) => obligation.amount > 0);
};

/** Returns who owes the difference of an exchange. */
const debtorOf = (exchange: Exchange): 'shop' | 'customer' => (differenceOf(exchange) > 0 ? 'shop' : 'customer');

/**
 * Returns the differences of exchanges. They are set off against each other: what is open is on the side of their sum.
 * The earliest exchanges are settled first.
 */
const ofExchanges = (state: UnversionedReturn): readonly Undated[] => {
  const exchanges = bookedExchanges(state).filter((exchange) => differenceOf(exchange) !== 0);
  const whole = sum(exchanges.map(differenceOf));
  const writtenOff = sum(
    state.recoveries.filter(({ type }) => type === 'written_off').map(({ exchange }) => exchange?.amount ?? 0),
  );
  const openAfter = (applied: number, debtor: 'shop' | 'customer'): number =>
    Math.max(0, (whole - applied) * (debtor === 'shop' ? 1 : -1));
  return (['shop', 'customer'] as const).flatMap((debtor) => {
    const own = exchanges.filter((exchange) => debtorOf(exchange) === debtor);
    const total = sum(own.map((exchange) => Math.abs(differenceOf(exchange))));
    let booked = total - openAfter(exchangeIn(bookings(state)) + writtenOff, debtor);
    let settled = total - openAfter(exchangeIn(settledBookings(state)) + writtenOff, debtor);
    // Money for differences of exchanges that were cancelled since.
    const paid = exchangeIn(debtor === 'shop' ? bookings(state) : settledBookings(state));
    const without = Math.max(0, openAfter(paid, debtor) - total);
    const ofEach = own.map((exchange): Undated => {
      const covered = coveredBy(Math.abs(differenceOf(exchange)), booked, settled);
      booked -= covered.booked + covered.settled;
      settled -= covered.settled;
      return { cause: 'exchange', debtor, ...covered, exchangeId: exchange.id };
    });
    return without === 0 ? ofEach : [...ofEach, { cause: 'exchange', debtor, amount: without, booked: 0, settled: 0 }];
  });
};

/** Returns what the shop agreed to pay without units. Each is covered by its own refund. */
const agreed = ({ id, status, breakdown: { reductions = [], extras = [] } }: Refund): readonly Undated[] =>
  [
    ...reductions.map(({ gross }) => ({ cause: 'price_reduction' as const, amount: gross.amount })),
    ...extras.map(({ type, amount }) => ({ cause: type, amount: amount.amount })),
  ].map((obligation) => ({
    debtor: 'shop',
    ...obligation,
    booked: status === 'succeeded' ? 0 : obligation.amount,
    settled: status === 'succeeded' ? obligation.amount : 0,
    refundId: id,
  }));

/** Returns what is open of an obligation, in minor units. */
export const openAmount = ({ amount, booked, settled }: Covered): number => amount - booked - settled;

/**
 * Limits what is open of the shop to what the payments of the order have left, because the shop owes nothing that was
 * never paid. What the customer owes for dearer items pays for goods too.
 */
const withinPayments = (obligations: readonly Undated[], paymentsLeft: number): readonly Undated[] => {
  const ofCustomer = obligations.filter(({ cause, debtor }) => cause === 'exchange' && debtor === 'customer');
  let left = paymentsLeft + sum(ofCustomer.map(openAmount));
  return obligations.flatMap((obligation) => {
    if (obligation.debtor === 'customer') return [obligation];
    const open = Math.min(openAmount(obligation), left);
    left -= open;
    const amount = obligation.booked + obligation.settled + open;
    return amount === 0 ? [] : [{ ...obligation, amount }];
  });
};

/** Returns what the shop and the customer owe by the balance. A waiver settles what the shop owes. */
const ofBalance = (state: UnversionedReturn): readonly Undated[] => {
  const all = [...ofExchanges(state), ...ofGoods(state)];
  const owing = state.paymentsLeft === undefined ? all : withinPayments(all, state.paymentsLeft);
  if (state.status !== 'completed' || state.waiver === undefined) return owing;
  return owing.map((obligation) =>
    obligation.debtor === 'shop' ? { ...obligation, settled: obligation.amount - obligation.booked } : obligation,
  );
};

/**
 * Returns the obligations of a return: of exchanges, for goods, and what the shop agreed to pay. Money of the customer
 * pays the differences of exchanges first.
 */
export const obligationsOf = (state: UnversionedReturn): readonly Obligation[] => {
  const dueBy = openRefundDueBy(state);
  const left = { shop: payableNow(state), customer: recoveryDue(state) };
  return [...ofBalance(state), ...liveRefunds(state).flatMap(agreed)].map((obligation) => {
    const due = Math.min(openAmount(obligation), left[obligation.debtor]);
    left[obligation.debtor] -= due;
    return { ...obligation, due, ...(obligation.debtor === 'shop' && due > 0 && dueBy !== undefined && { dueBy }) };
  });
};
