import type { Instant } from '../model/order.ts';
import type { Discrepancy, Exchange, FeeType, Recovery, Refund, RefundResult } from '../model/refund.ts';
import type { UnversionedReturn } from '../model/return.ts';
import { bookings } from '../money/bookings.ts';
import { withExchanges } from '../money/exchanges.ts';
import { type ReportedRefundStatus, applyResult } from '../money/refund-status.ts';
import { sum } from '../units-by-line.ts';
import type { Appliers } from './lines.ts';

type RefundsAndRecoveries = Pick<UnversionedReturn, 'refunds' | 'recoveries'>;

/** Applies refunds and recoveries to a return, and updates the refunded units of its lines. */
const applyMoney = (
  { lines, refunds, recoveries }: Pick<UnversionedReturn, 'lines'> & RefundsAndRecoveries,
  changed: Partial<RefundsAndRecoveries>,
): Pick<UnversionedReturn, 'lines'> & RefundsAndRecoveries => {
  const money = { refunds, recoveries, ...changed };
  const shares = bookings(money).flatMap(({ returnLines }) => returnLines);
  return {
    ...money,
    lines: lines.map((line) => {
      const own = shares.filter(({ lineId }) => lineId === line.id);
      const units = sum(own.map(({ quantity }) => quantity));
      const amount = sum(own.map(({ gross }) => gross.amount));
      return {
        ...line,
        quantities: { ...line.quantities, refunded: units },
        amounts: { ...line.amounts, refunded: { ...line.amounts.refunded, amount } },
      };
    }),
  };
};

/** A completed exchange, with the order of the new item if it was reported. */
export type ExchangeUpdated = { readonly exchangeId: string } & Pick<Exchange, 'externalRef' | 'newOrder'>;

/** The due date that a refund reminder is about, near or passed. */
export type RefundReminder = { readonly refundDueBy: Instant };

/** The events that give the customer money or new items for goods, or take them back. */
export type MoneyEvents = {
  readonly 'refund.requested': { readonly refund: Refund };
  readonly 'refund.submitted': RefundResult;
  readonly 'refund.succeeded': RefundResult;
  readonly 'refund.failed': RefundResult;
  readonly 'refund.unknown': RefundResult;
  readonly 'refund.reversed': RefundResult;
  readonly 'refund.cancelled': RefundResult;
  readonly 'refund.recorded': { readonly refund: Refund };
  readonly 'fee.waived': { readonly type: FeeType; readonly reason: string };
  readonly 'recovery.recorded': { readonly recovery: Recovery };
  readonly 'recovery.written_off': { readonly recovery: Recovery };
  readonly 'refund.due_soon': RefundReminder;
  readonly 'refund.overdue': RefundReminder;
  readonly 'discrepancy.found': { readonly discrepancies: readonly Discrepancy[] };
  readonly 'exchange.requested': { readonly exchange: Exchange };
  readonly 'exchange.ordered': ExchangeUpdated;
  readonly 'exchange.fulfilled': ExchangeUpdated;
  readonly 'exchange.cancelled': ExchangeUpdated;
};

const applyRefundResult =
  (status: ReportedRefundStatus) =>
  (state: UnversionedReturn, result: RefundResult): Partial<UnversionedReturn> =>
    applyMoney(state, {
      refunds: state.refunds.map((refund) =>
        refund.id === result.refundId ? applyResult(refund, status, result) : refund,
      ),
    });

const updateExchange =
  (status: Exchange['status']) =>
  (state: UnversionedReturn, { exchangeId, externalRef, newOrder }: ExchangeUpdated) => {
    const moved = { status, ...(externalRef !== undefined && { externalRef }), ...(newOrder && { newOrder }) };
    return withExchanges(
      state,
      state.exchanges.map((exchange) => (exchange.id === exchangeId ? { ...exchange, ...moved } : exchange)),
    );
  };

/** The changes that money events make to a return. */
export const moneyAppliers = {
  'refund.requested': (state, { refund }) => applyMoney(state, { refunds: [...state.refunds, refund] }),
  'refund.submitted': applyRefundResult('submitted'),
  'refund.succeeded': applyRefundResult('succeeded'),
  'refund.failed': applyRefundResult('failed'),
  'refund.unknown': applyRefundResult('unknown'),
  'refund.reversed': applyRefundResult('reversed'),
  'refund.cancelled': applyRefundResult('cancelled'),
  'refund.recorded': (state, { refund }) => ({
    ...applyMoney(state, { refunds: [...state.refunds, refund] }),
    discrepancies: [...state.discrepancies, ...refund.discrepancies],
  }),
  'fee.waived': (state, { type, reason }) => ({ waivers: [...state.waivers, { type, reason }] }),
  'recovery.recorded': (state, { recovery }) => applyMoney(state, { recoveries: [...state.recoveries, recovery] }),
  'recovery.written_off': (state, { recovery }) => ({ recoveries: [...state.recoveries, recovery] }),
  'refund.due_soon': ({ refundReminders }, { refundDueBy }) => ({
    refundReminders: { ...refundReminders, dueSoon: refundDueBy },
  }),
  'refund.overdue': ({ refundReminders }, { refundDueBy }) => ({
    refundReminders: { ...refundReminders, overdue: refundDueBy },
  }),
  'discrepancy.found': (state, { discrepancies }) => ({
    discrepancies: [...state.discrepancies, ...discrepancies],
  }),
  'exchange.requested': (state, { exchange }) => withExchanges(state, [...state.exchanges, exchange]),
  'exchange.ordered': updateExchange('ordered'),
  'exchange.fulfilled': updateExchange('fulfilled'),
  'exchange.cancelled': updateExchange('cancelled'),
} satisfies Appliers<MoneyEvents>;
