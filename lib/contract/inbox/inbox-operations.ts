import { reading, type Operation } from '../operation.ts';

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

export const replay = {
  name: 'replay',
  summary: 'Work a webhook off once more that has ended',
  method: 'POST',
  path: '/inbox/deliveries/{deliveryKey}/replay',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [200],
  refusals: ['delivery_not_found', 'invalid_transition'],
} as const satisfies Operation;

export const replayRange = {
  name: 'replayRange',
  summary: 'Work webhooks off once more that have ended, a page of them',
  method: 'POST',
  path: '/inbox/replays',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [200],
  refusals: ['invalid_cursor'],
} as const satisfies Operation;

export const redrive = {
  name: 'redrive',
  summary: 'Work webhooks off once more that were given up, from the dead-letter queue',
  method: 'POST',
  path: '/inbox/redrive',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [200],
  refusals: [],
} as const satisfies Operation;
