import type { Guard } from '../blocker.ts';
import { openRefundDueBy } from '../deadlines.ts';
import { exchangeable, liveExchanges, openExchanges } from '../../money/exchanges.ts';
import { recoveryDue } from '../../money/recovery.ts';
import { mayBeTold } from '../../money/refund-progress.ts';
import { refundTime } from '../refund-wait.ts';
import { room } from '../room.ts';

const unitsToExchange: Guard = ({ lines }) =>
  lines.some((line) => exchangeable(line) > 0)
    ? undefined
    : { code: 'nothing_to_exchange', detail: 'Something was given for every unit, or none is due.' };

const openExchange: Guard = (state) =>
  openExchanges(state).length > 0
    ? undefined
    : { code: 'no_open_exchange', detail: 'No exchange waits for its result.' };

export const noOrderedExchange: Guard = (state) =>
  liveExchanges(state).some(({ status }) => status !== 'requested')
    ? { code: 'ordered_exchange', detail: 'A return whose exchange is ordered cannot be cancelled.' }
    : undefined;

export const noExchange: Guard = (state) =>
  liveExchanges(state).length > 0
    ? { code: 'open_exchange', detail: 'A return with an exchange cannot expire.' }
    : undefined;

/** Refunds from outside that went beyond what was agreed: somebody has to look at them before more is paid. */
const excesses: ReadonlySet<string> = new Set([
  'refund_exceeds_paid',
  'refund_exceeds_return',
  'refund_exceeds_line',
  'shipping_refund_exceeds_paid',
  'charges_refund_exceeds_paid',
  'quantity_exceeds_order',
]);
const noExcess: Guard = ({ discrepancies }) =>
  discrepancies.some(({ code }) => excesses.has(code))
    ? { code: 'discrepancy', detail: 'More was refunded outside than was agreed.' }
    : undefined;

const openRefund: Guard = ({ refunds }) =>
  refunds.some(mayBeTold) ? undefined : { code: 'no_open_refund', detail: 'No refund of it waits for a result.' };

const refundDue: Guard = (state) =>
  openRefundDueBy(state) === undefined
    ? { code: 'no_refund_due', detail: 'No money is owed by a date that its terms set.' }
    : undefined;

const someDue: Guard = (state) =>
  recoveryDue(state) > 0 ? undefined : { code: 'no_recovery_due', detail: 'The customer has nothing to give back.' };

/** What commands want of a return that give the customer something for it, or want it back. */
export const moneyGuards = {
  refund: [refundTime, noExcess],
  recordRefundResult: [openRefund],
  remindRefund: [refundDue],
  recordRecovery: [someDue],
  writeOffRecovery: [someDue],
  exchange: [unitsToExchange, room('exchanges')],
  exchangeResult: [openExchange],
} as const;
