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
  reduced,
  refund as refunded,
  refundedLine,
  refunding,
  unsent,
} from '../example-story.ts';
import { commandErrorCodes } from './commands.ts';
import { ExchangePath, ExchangeResult, NewExchange } from './exchange.ts';
import {
  Compensation,
  FeePath,
  FeeWaiver,
  RecoveryFacts,
  RefundOfReturnPath,
  RefundOrder,
  RefundResult,
  WriteOff,
} from './money.ts';
import { Return, ReturnPath } from './return.ts';

/* Commands on the money of a return. */

export const refund = command({
  path: '/returns/{returnId}/refunds',
  summary: 'Book a refund of a return',
  description:
    'The terms of the return allow a refund in its status. The command needs returns:admin in three cases: above the limit of the terms, for a partly known order, and once the return is completed.\n\nWithout `lines`, the refund covers all units that can be refunded now. If the terms pay in transit, it covers only units that are here or in a parcel that has left. Without `charges`, charges such as duty are refunded only where a law protects the order, with its last refund.\n\nThe service moves no money. There are two ways to pay:\n\n- Book first: the refund is `pending`. Pay it, and report the result with recordRefundResult. Use the id of the refund as the idempotency key at the payment provider.\n- Pay first: send `result` with the reference of the payment, or with the code of its failure. The refund and its result are recorded together, or not at all. If the command fails, the money has moved without a record: read the quote before you pay, and send its `quoteHash`.\n\nWhile the money waits for an inspection, the error is `inspection_pending`. `allowedActions` shows the same code.\n\nAn Idempotency-Key of a refund never expires. After 24 hours, a repeat returns the return in its current state.',
  tool: {
    use: 'Use it after quoteReturn, with its `hash`, when goods have come back or the terms allow it.',
    confirmedByPerson: true,
    input: ['returnId', 'lines', 'amount', 'method', 'quoteHash'],
  },
  params: ReturnPath,
  body: RefundOrder,
  answers: Return,
  errors: [
    ...commandErrorCodes,
    'return_line_not_found',
    'quote_stale',
    'inspection_pending',
    'refund_above_limit',
    'refund_exceeds_ceiling',
    'refund_exceeds_payments',
    'override_requires_admin',
    'shipping_refund_exceeds_paid',
    'resolution_not_allowed',
    'currency_mismatch',
  ],
  example: { body: { quoteHash: entry.hash }, output: { ...refunding, refunds: [pending], refundStatus: 'pending' } },
});

export const compensate = command({
  path: '/returns/{returnId}/compensations',
  summary: 'Reduce a price or pay on top',
  description:
    'The payment is a refund of the return without units: it has a status and takes its result by recordRefundResult.\n\n- `price_reduction`: the customer gets a part of the price of units and keeps them. Cancel the units, or close the return. If they come back after all, the refund of them pays only the rest. A later return of the same units is worth the rest, too.\n- `return_postage`, `compensation` and `bonus` are on top of what was paid for the order. No later refund subtracts them, and the customer never owes them back.\n\n`return_postage` needs returns:admin unless the basis of the return makes the shop liable: defect, warranty, wrong_item, transit_damage or recall. `compensation` needs returns:admin. `bonus` needs it unless the terms allow a bonus. Above the limit of the terms for its kind, or above the approval limit of refunds, each needs returns:admin.\n\nThe service moves no money. Pay first and send `result`, or book first and report the result.',
  params: ReturnPath,
  body: Compensation,
  answers: Return,
  errors: [
    ...commandErrorCodes,
    'return_line_not_found',
    'refund_above_limit',
    'refund_exceeds_ceiling',
    'refund_exceeds_payments',
    'resolution_not_allowed',
    'currency_mismatch',
  ],
  example: {
    body: { type: 'price_reduction', lineId, amount: eur(300), reason: 'goodwill' },
    output: { ...accepted, version: 8, refunds: [reduced], refundStatus: 'pending' },
  },
});

export const recordRefundResult = command({
  path: '/returns/{returnId}/refunds/{refundId}/result',
  summary: 'Record the result of a refund',
  description:
    'The result follows the status of the refund:\n\n- `pending` becomes `submitted`, `succeeded`, `failed`, `unknown` or `cancelled`.\n- `submitted` becomes `succeeded`, `failed` or `unknown`.\n- `unknown` becomes `succeeded` or `failed`.\n- `failed` becomes `submitted` again or `cancelled`.\n- `succeeded` becomes `reversed`.\n\nA repeated report of the same status changes nothing.',
  tool: { use: 'Use it when the payment provider has said whether a refund was paid.', confirmedByPerson: true },
  params: RefundOfReturnPath,
  body: RefundResult,
  answers: Return,
  errors: [...commandErrorCodes, 'refund_not_found'],
  example: {
    body: { status: 'submitted', providerRef: 'pay-1' },
    output: {
      ...refunding,
      version: 9,
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
  summary: 'Exchange units for a new item',
  description:
    'No money or goods were given for the units.\n\nThe exchange takes the worth of the units from the refundable amount, and you place the order of the new item. Once it is ordered, the difference is owed. A new item that costs less: a refund pays the difference, as soon as it would pay for the units. A dearer one: the customer owes the difference in `recoveryDue`. Record its payment with recordRecovery. A refund of other units subtracts it.\n\nWithout a price of the new item, nothing more is owed for the units. If money without lines was recorded for the return, give the price.',
  params: ReturnPath,
  body: NewExchange,
  answers: Return,
  errors: [
    ...commandErrorCodes,
    'return_line_not_found',
    'currency_mismatch',
    'refund_exceeds_ceiling',
    'resolution_not_allowed',
  ],
  example: { body: { lineId, quantity: 1, newItem }, output: exchanging },
});

export const exchangeResult = command({
  path: '/returns/{returnId}/exchanges/{exchangeId}/result',
  summary: 'Record the result of an exchange',
  description:
    '`requested` becomes `ordered` or `cancelled`. `ordered` becomes `fulfilled` or `cancelled`.\n\nA cancelled exchange releases its units. A repeated report of the same status changes nothing.\n\n`newOrder` links the order of the new item: `getOrder` shows its `origin`, and so does `getReturn` for a return of it. Send it with `ordered` or `fulfilled`, before or after the order is registered.',
  params: ExchangePath,
  body: ExchangeResult,
  answers: Return,
  errors: [...commandErrorCodes, 'exchange_not_found'],
  example: {
    body: { status: 'ordered', externalRef: '1002' },
    output: {
      ...exchanging,
      version: 4,
      exchanges: [{ ...exchanged, externalRef: '1002', status: 'ordered' }],
      recoveryDue: eur(200),
      refundStatus: 'recovery_due',
    },
  },
});

export const remindRefund = command({
  path: '/returns/{returnId}/refund-reminders',
  summary: 'Emit a reminder of a due refund',
  description:
    'The customer is owed money, and the terms of the return set a due date.\n\nFrom three days before the due date, the command emits `refund.due_soon`. After the due date, it emits `refund.overdue`. Both are entries of the history and events.\n\nEach event is emitted once for a due date. A call before that time, or after the event, changes nothing. A schedule of the service sends the command every 15 minutes.',
  params: ReturnPath,
  answers: Return,
  errors: commandErrorCodes,
  example: {
    output: {
      ...accepted,
      version: 8,
      refundReminders: { dueSoon: at.due },
    },
  },
});

export const waiveFee = adminCommand({
  path: '/returns/{returnId}/fees/{type}/waive',
  summary: 'Waive a fee',
  description: 'Waives the part of the fee that no refund has applied yet.',
  params: FeePath,
  body: FeeWaiver,
  answers: Return,
  errors: [...commandErrorCodes, 'fee_not_open'],
  example: {
    body: { reason: 'goodwill' },
    output: { ...accepted, version: 8, fees: [{ ...fee, reason: 'goodwill' }] },
  },
});

export const recordRecovery = command({
  path: '/returns/{returnId}/recoveries',
  summary: 'Record a recovery from the customer',
  description:
    'The customer has paid or given back money, at most `recoveryDue`. It first pays the differences of exchanges.\n\nThe units that the recovery covers no longer count as refunded. If they arrive later, they are refunded.',
  params: ReturnPath,
  body: RecoveryFacts,
  answers: Return,
  errors: [...commandErrorCodes, 'recovery_exceeds_due', 'currency_mismatch'],
  example: {
    body: { amount: eur(1999), reference: 'bank-1' },
    output: {
      ...unsent,
      version: 5,
      refunds: [refunded],
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
  summary: 'Write off an outstanding recovery',
  description: 'The customer owes money.\n\nAll of `recoveryDue` is written off: the shop no longer asks for it.',
  params: ReturnPath,
  body: WriteOff,
  answers: Return,
  errors: commandErrorCodes,
  example: {
    body: { reason: 'goodwill' },
    output: {
      ...unsent,
      version: 5,
      lines: unsent.lines.map((line) => ({
        ...line,
        quantities: { ...line.quantities, refunded: 1 },
        amounts: { ...line.amounts, refunded: eur(1999) },
      })),
      refunds: [refunded],
      refundStatus: 'refunded',
      recoveries: [{ ...recovery, type: 'written_off', amount: eur(1999), reason: 'goodwill' }],
    },
  },
});
