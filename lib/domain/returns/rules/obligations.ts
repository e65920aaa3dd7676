import type { Instant } from '../model/order.ts';
import type { Exchange, ExtraType, Refund } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { bookings, liveRefunds, settledBookings } from '../money/bookings.ts';
import { goodsAmountPaid, totalDeductions } from '../money/deductions.ts';
import { bookedExchanges, differenceOf, itemsToPay } from '../money/differences.ts';
import { excessExchangeWorth, shopExchangePrice } from '../money/exchanges.ts';
import { agreedAmount, owed, recoveryDue, writtenOffGoods } from '../money/recovery.ts';
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

/** Limits what is open of the differences of the shop to what is left of the payments of the order. */
const withinPayments = (differences: readonly Undated[], state: UnversionedReturn): readonly Undated[] => {
  let left = state.paymentsLeft === undefined ? Infinity : Math.max(0, state.paymentsLeft - itemsToPay(state));
  return differences.flatMap((difference) => {
    if (difference.debtor === 'customer') return [difference];
    const open = Math.min(openAmount(difference), left);
    left -= open;
    const amount = difference.booked + difference.settled + open;
    return amount === 0 ? [] : [{ ...difference, amount }];
  });
};

/** What is open of an obligation, and what is booked and settled of it, in minor units. */
type Parts = { readonly open: number; readonly booked: number; readonly settled: number };

const obligation = (head: Pick<Undated, 'cause' | 'debtor'>, { open, booked, settled }: Parts): readonly Undated[] => {
  const amount = open + booked + settled;
  return amount === 0 ? [] : [{ ...head, amount, booked, settled }];
};

/**
 * Returns what the shop owes for the goods, and what the customer must give back of it. With the differences, all that is
 * open adds up to the balance.
 *
 * @param open what is open for the goods; below zero when the difference of the shop pays back a part of them
 */
const ofGoods = (state: UnversionedReturn, open: number, overpaid: number): readonly Undated[] => {
  const lines = state.lines.filter(isPaidFor);
  const less = totalDeductions(state) + shopExchangePrice(state);
  const given = goodsAmountPaid(state) - exchangeIn(bookings(state));
  const paid = settledForGoods(state) + excessExchangeWorth(state, ['fulfilled']) - exchangeIn(settledBookings(state));
  const settled = Math.max(0, Math.min(owedWorth(lines) - less, paid));
  const booked = Math.max(0, Math.min(owedWorth(lines) - less, given) - settled);
  const excess = Math.max(0, paid - Math.max(agreedAmount(state), retainableAmount(lines) - less, 0));
  const recovered = sum(
    state.recoveries
      .filter(({ type }) => type === 'recovered')
      .map(({ amount: { amount: got }, exchange }) => Math.max(0, got + Math.min(0, exchange?.amount ?? 0))),
  );
  const givenBack = recovered + Math.min(excess, writtenOffGoods(state));
  return [
    ...obligation({ cause: 'goods', debtor: 'shop' }, { open: Math.max(0, open), booked, settled }),
    ...obligation(
      { cause: 'overpayment', debtor: 'customer' },
      { open: overpaid + Math.max(0, 0 - open), booked: 0, settled: givenBack },
    ),
  ];
};

/** Returns what the shop and the customer owe by the balance. A waiver settles what the shop owes, and what that pays. */
const ofBalance = (state: UnversionedReturn): readonly Undated[] => {
  const differences = withinPayments(ofExchanges(state), state);
  const openOf = (debtor: Obligation['debtor']): number =>
    sum(differences.map((difference) => (difference.debtor === debtor ? openAmount(difference) : 0)));
  const recovery = recoveryDue(state);
  const setOff = Math.max(0, openOf('customer') - recovery);
  const goods = Math.max(0, owed(state)) + setOff - openOf('shop');
  const owing = [...differences, ...ofGoods(state, goods, Math.max(0, recovery - openOf('customer')))];
  if (state.status !== 'completed' || state.waiver === undefined) return owing;
  const left = { shop: 0, customer: recovery };
  return owing.map((owes) => {
    const open = Math.min(openAmount(owes), left[owes.debtor]);
    left[owes.debtor] -= open;
    return { ...owes, settled: owes.amount - owes.booked - open };
  });
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
