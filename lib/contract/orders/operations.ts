import { reading, replacing } from '../entry.ts';
import { Order, OrderFacts, OrderPath, Returnable } from './order.ts';
import { at, customer, eur, facts, order, ref, refund, returnId } from '../example-story.ts';
import { Refund, RefundFacts, RefundPath } from '../returns/refund.ts';

/* The operations on orders. */

export const registerOrder = replacing({
  path: '/orders/{platform}/{orderId}',
  scope: 'returns:write',
  summary: 'Register the facts of an order, or tell more of a known one',
  description:
    'Registering again merges fact by fact: of each the newer `observedAt` stands. Once the order has a return its prices are fixed. Returns of the order that are `requested` are judged anew when what their decision rests on is told otherwise: by their own time, so that no window runs on, and to be approved or to be left to somebody, never to be rejected. Answers 201 for an order that was not known, 200 for one that was.',
  params: OrderPath,
  body: OrderFacts,
  answers: Order,
  ifMatch: 'ignored',
  success: [200, 201],
  refuses: ['order_facts_frozen', 'currency_mismatch'],
  example: { body: { ...facts, customer }, output: order },
});

export const getOrder = reading({
  path: '/orders/{platform}/{orderId}',
  scope: 'returns:read',
  summary: 'Read an order as it is known',
  description: 'The facts of all registrations together, the customer among them.',
  params: OrderPath,
  answers: Order,
  refuses: ['order_not_found'],
  example: { output: { ...order, customer } },
});

export const getReturnable = reading({
  path: '/orders/{platform}/{orderId}/returnable',
  scope: 'returns:read',
  summary: 'Read what of an order may still be returned',
  description: 'For each line the units that reached the customer, less those that returns hold.',
  params: OrderPath,
  answers: Returnable,
  refuses: ['order_not_found'],
  example: {
    output: {
      ...ref,
      lines: [{ lineId: '1', sku: 'SHIRT-M', quantity: 2, fulfilled: 2, held: 1, refunded: 0, returnable: 1 }],
    },
  },
});

export const recordRefund = replacing({
  path: '/orders/{platform}/{orderId}/refunds/{externalId}',
  scope: 'returns:write',
  summary: 'Record a refund that was paid outside',
  description:
    'Money that has moved already is never refused for its amount: what goes beyond the order, the return or what was paid is a discrepancy. The same refund told again is answered with 200 as it is known.',
  params: RefundPath,
  body: RefundFacts,
  answers: Refund,
  ifMatch: 'ignored',
  success: [201, 200],
  refuses: [
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
