import { reading, replacing } from '../entry.ts';
import { Order, OrderFacts, OrderPath, Returnable } from './order.ts';
import { at, customer, eur, facts, order, ref, refund, returnId } from '../example-story.ts';
import { RefundFacts, RefundPath } from '../returns/refund-facts.ts';
import { Refund } from '../returns/refund.ts';

/* Operations on orders. */

export const registerOrder = replacing({
  path: '/orders/{platform}/{orderId}',
  scope: 'returns:write',
  summary: 'Register an order or update its facts',
  description:
    'Facts of a known order are merged one by one: for each fact, the newer `observedAt` wins. Once the order has a return, its prices are fixed (`order_facts_frozen`).\n\nIf facts of a policy decision change, the policy evaluates the `requested` returns of the order again. It uses the time of the request, so that no return window expires. A return is then approved, or waits for staff. It is never rejected.\n\nThe status is 201 for a new order and 200 for a known order.',
  params: OrderPath,
  body: OrderFacts,
  answers: Order,
  ifMatch: 'ignored',
  success: [200, 201],
  errors: ['order_facts_frozen', 'currency_mismatch'],
  example: { body: { ...facts, customer }, output: order },
});

export const getOrder = reading({
  path: '/orders/{platform}/{orderId}',
  scope: 'returns:read',
  summary: 'Read an order',
  description: 'Returns the facts of all registrations together, with the customer.',
  params: OrderPath,
  answers: Order,
  errors: ['order_not_found'],
  example: { output: { ...order, customer } },
});

export const getReturnable = reading({
  path: '/orders/{platform}/{orderId}/returnable',
  scope: 'returns:read',
  summary: 'Read the returnable units of an order',
  description:
    'Returns the returnable units of each line: the units that reached the customer, less the units in returns. Units refunded without a return are subtracted too.',
  tool: {
    use: "Use it before createReturn: it says which units of an order can be returned, with the policy's verdict.",
  },
  params: OrderPath,
  answers: Returnable,
  errors: ['order_not_found'],
  example: {
    output: {
      ...ref,
      lines: [
        { lineId: '1', sku: 'SHIRT-M', quantity: 2, fulfilled: 2, held: 1, refunded: 0, withdrawn: 0, returnable: 1 },
      ],
    },
  },
});

export const recordRefund = replacing({
  path: '/orders/{platform}/{orderId}/refunds/{externalId}',
  scope: 'returns:write',
  summary: 'Record a refund paid outside the service',
  description:
    'The money has already moved, so the service accepts the refund with any amount. An amount or units beyond the order, the return or the payment are recorded as a discrepancy.\n\nThe refund may have been started by `refund` and paid at the platform. Then no other refund is recorded: the first one becomes `succeeded` and gets this id as `external`. Both have the same amount, and `occurredAt` is not before the first one was booked. Both are for the same units, if `lines` states any, and of the same return, if `returnId` is present. A refund whose `providerRef` is this id needs only the same amount.\n\nA repeat of the same refund returns 200 with its current state.',
  params: RefundPath,
  body: RefundFacts,
  answers: Refund,
  ifMatch: 'ignored',
  success: [201, 200],
  errors: [
    'order_not_found',
    'order_line_not_found',
    'return_not_found',
    'currency_mismatch',
    'idempotency_key_reused',
  ],
  example: {
    body: { amount: eur(1999), occurredAt: at.decided, returnId, lines: [{ orderLineId: '1', quantity: 1 }] },
    output: refund,
  },
});
