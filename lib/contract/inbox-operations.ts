import { reading } from './operation.ts';

/* The operations on the inbox of a deployment: both ways answer them, and neither forwards them. */

export const listDeliveries = /* @__PURE__ */ reading({
  name: 'listDeliveries',
  summary: 'List webhooks that shops sent, the newest first',
  path: '/inbox/deliveries',
  scope: 'returns:admin',
  query: ['status', 'platform', 'source', 'orderId', 'returnId', 'receivedFrom', 'limit', 'cursor'],
  refusals: ['invalid_cursor'],
});

export const getDelivery = /* @__PURE__ */ reading({
  name: 'getDelivery',
  summary: 'Read a webhook as a shop sent it, and what became of it',
  path: '/inbox/deliveries/{deliveryKey}',
  scope: 'returns:admin',
  query: [],
  refusals: ['delivery_not_found'],
});
