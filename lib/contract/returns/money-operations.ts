import { adminCommand, command } from '../entry.ts';
import {
  accepted,
  at,
  entry,
  eur,
  exchanged,
  exchanging,
  fee,
  lineId,
  newItem,
  pending,
  recovery,
  refundedLine,
} from '../example-story.ts';
import { commandErrorCodes } from './commands.ts';
import { ExchangePath, ExchangeResult, NewExchange } from './exchange.ts';
import { FeePath, FeeWaiver, RecoveryFacts, RefundOfReturnPath, RefundOrder, RefundResult, WriteOff } from './money.ts';
import { Return, ReturnPath } from './return.ts';

/* The commands on the money of a return. */

export const refund = command({
  path: '/returns/{returnId}/refunds',
  summary: 'Book a refund of units of a return',
  description:
    'Without lines all units that may be refunded now. Without `charges` what the order paid beside goods and shipping goes back with the last of the whole order where a law protects it, else not. While the money waits for an inspection it is refused with `inspection_pending`, which `allowedActions` names too. It is booked as `pending` and moves no money: whoever pays it reports by recordRefundResult, with the id of the refund as the idempotency key at the provider. A key is kept for ever: when it comes again after its 24 hours, the return is answered as it is then. Above the limit of the terms, of an order that is known in part, and once the return is completed it takes returns:admin.',
  params: ReturnPath,
  body: RefundOrder,
  answers: Return,
  refuses: [
    ...commandErrorCodes,
    'return_line_not_found',
    'quote_stale',
    'inspection_pending',
    'refund_above_limit',
    'refund_exceeds_ceiling',
    'shipping_refund_exceeds_paid',
    'resolution_not_allowed',
    'currency_mismatch',
  ],
  example: { body: { quoteHash: entry.hash }, output: { ...accepted, refunds: [pending], refundStatus: 'pending' } },
});

export const recordRefundResult = command({
  path: '/returns/{returnId}/refunds/{refundId}/result',
  summary: 'Record what became of a refund',
  description:
    '`pending` becomes `submitted` or `cancelled`; `submitted` becomes `succeeded`, `failed` or `unknown`; `unknown` becomes `succeeded` or `failed`; `failed` becomes `submitted` again or `cancelled`; `succeeded` becomes `reversed`. The same status told again changes nothing.',
  params: RefundOfReturnPath,
  body: RefundResult,
  answers: Return,
  refuses: [...commandErrorCodes, 'refund_not_found'],
  example: {
    body: { status: 'submitted', providerRef: 'pay-1' },
    output: {
      ...accepted,
      refunds: [
        {
          ...pending,
          status: 'submitted',
          attempts: [{ status: 'submitted', submittedAt: at.decided, providerRef: 'pay-1' }],
          providerRef: 'pay-1',
        },
      ],
      refundStatus: 'pending',
    },
  },
});

export const exchange = command({
  path: '/returns/{returnId}/exchanges',
  summary: 'Exchange units of a return for a new item',
  description:
    'The units take what they are worth from what may still be refunded; without `credit` all of it goes towards the new item. You place the order and settle the `balance`: above zero the customer pays it, below zero you do. What you pay counts towards the limit of the terms, and where the new item has no price the whole credit: above the limit it takes returns:admin.',
  params: ReturnPath,
  body: NewExchange,
  answers: Return,
  refuses: [
    ...commandErrorCodes,
    'return_line_not_found',
    'currency_mismatch',
    'refund_above_limit',
    'refund_exceeds_ceiling',
    'resolution_not_allowed',
  ],
  example: { body: { lineId, quantity: 1, newItem }, output: exchanging },
});

export const exchangeResult = command({
  path: '/returns/{returnId}/exchanges/{exchangeId}/result',
  summary: 'Tell what became of an exchange',
  description:
    'From `requested` to `ordered` or `cancelled`, from `ordered` to `fulfilled` or `cancelled`. What is told again changes nothing. A cancelled exchange gives back its units.',
  params: ExchangePath,
  body: ExchangeResult,
  answers: Return,
  refuses: [...commandErrorCodes, 'exchange_not_found'],
  example: {
    body: { status: 'ordered', externalRef: '1002' },
    output: {
      ...exchanging,
      version: 4,
      exchanges: [{ ...exchanged, externalRef: '1002', status: 'ordered' }],
    },
  },
});

export const remindRefund = command({
  path: '/returns/{returnId}/refund-reminders',
  summary: 'Tell that a refund is due soon, or overdue',
  description:
    'From three days before the date by which the terms want it paid it says so in the history and to whoever hears of events, as `refund.due_soon`, and once that has passed as `refund.overdue`: each once for a date. Before that, and when it was told, nothing changes. A schedule of ours asks for it every 15 minutes.',
  params: ReturnPath,
  answers: Return,
  refuses: commandErrorCodes,
  example: {
    output: {
      ...accepted,
      deadlines: { refundDueBy: at.due },
      refundReminders: { dueSoon: at.due },
      refundStatus: 'due',
    },
  },
});

export const waiveFee = adminCommand({
  path: '/returns/{returnId}/fees/{type}/waive',
  summary: 'Give up a fee of a return',
  description: 'As far as no refund has taken it. It takes returns:admin.',
  params: FeePath,
  body: FeeWaiver,
  answers: Return,
  refuses: [...commandErrorCodes, 'fee_not_open'],
  example: {
    body: { reason: 'goodwill' },
    output: { ...accepted, fees: [{ ...fee, reason: 'goodwill' }], refundStatus: 'due' },
  },
});

export const recordRecovery = command({
  path: '/returns/{returnId}/recoveries',
  summary: 'Record money that the customer gave back',
  description:
    'At most `recoveryDue`. Units that it gives the money back for are refunded no more: when they come after all, they are paid.',
  params: ReturnPath,
  body: RecoveryFacts,
  answers: Return,
  refuses: [...commandErrorCodes, 'recovery_exceeds_due', 'currency_mismatch'],
  example: {
    body: { amount: eur(1999), reference: 'bank-1' },
    output: {
      ...accepted,
      recoveries: [
        {
          ...recovery,
          type: 'recovered',
          amount: eur(1999),
          lines: [{ ...refundedLine, lineId }],
          reference: 'bank-1',
        },
      ],
    },
  },
});

export const writeOffRecovery = adminCommand({
  path: '/returns/{returnId}/recoveries/write-off',
  summary: 'Ask no more for money that the customer has to give back',
  description: 'All of `recoveryDue`. It takes returns:admin.',
  params: ReturnPath,
  body: WriteOff,
  answers: Return,
  refuses: commandErrorCodes,
  example: {
    body: { reason: 'goodwill' },
    output: { ...accepted, recoveries: [{ ...recovery, type: 'written_off', amount: eur(1999), reason: 'goodwill' }] },
  },
});
