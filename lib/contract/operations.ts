import { reading, type Operation } from './operation.ts';

/*
 * The operations of the contract (section 7), as data without schemas: functions and the client carry this file, and
 * a bundle keeps only the entries it names, which calls that are marked as pure allow. lib/contract/schemas.ts holds
 * what each of them takes and answers.
 */

export const registerOrder = {
  name: 'registerOrder',
  summary: 'Register the facts of an order, or tell more of a known one',
  method: 'PUT',
  path: '/orders/{platform}/{orderId}',
  scope: 'returns:write',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: true,
  success: [200, 201],
  refusals: ['order_facts_frozen', 'currency_mismatch'],
} as const satisfies Operation;

export const getOrder = /* @__PURE__ */ reading({
  name: 'getOrder',
  summary: 'Read an order as it is known',
  path: '/orders/{platform}/{orderId}',
  scope: 'returns:read',
  query: [],
  refusals: ['order_not_found'],
});

export const getReturnable = /* @__PURE__ */ reading({
  name: 'getReturnable',
  summary: 'Read what of an order may still be returned',
  path: '/orders/{platform}/{orderId}/returnable',
  scope: 'returns:read',
  query: [],
  refusals: ['order_not_found'],
});

export const recordRefund = {
  name: 'recordRefund',
  summary: 'Record a refund that was paid outside',
  method: 'PUT',
  path: '/orders/{platform}/{orderId}/refunds/{externalId}',
  scope: 'returns:write',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201, 200],
  refusals: [
    'order_not_found',
    'order_line_not_found',
    'return_not_found',
    'currency_mismatch',
    'idempotency_key_reused',
  ],
} as const satisfies Operation;

export const createReturn = {
  name: 'createReturn',
  summary: 'Request the return of units of a registered order',
  method: 'POST',
  path: '/returns',
  scope: 'returns:write',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201],
  refusals: [
    'order_not_found',
    'order_line_not_found',
    'duplicate_return',
    'quantity_exceeds_returnable',
    'reason_unknown',
    'quote_stale',

    'resolution_not_allowed',
  ],
} as const satisfies Operation;

export const listReturns = /* @__PURE__ */ reading({
  name: 'listReturns',
  summary: 'List returns, the newest, the last changed or the last fallen due first',
  path: '/returns',
  scope: 'returns:read',
  query: [
    'status',
    'platform',
    'orderId',
    'customerId',
    'rmaNumber',
    'trackingNumber',
    'externalRef',
    'sku',
    'reason',
    'createdFrom',
    'updatedFrom',
    'overdue',
    'dueBefore',
    'sort',
    'limit',
    'cursor',
  ],
  refusals: ['invalid_cursor'],
});

export const getReturn = /* @__PURE__ */ reading({
  name: 'getReturn',
  summary: 'Read a return',
  path: '/returns/{returnId}',
  scope: 'returns:read',
  query: ['asOf'],
  refusals: ['return_not_found'],
});

export const updateReturn = {
  name: 'updateReturn',
  summary: 'Change tags, metadata and external references of a return (RFC 7396)',
  method: 'PATCH',
  path: '/returns/{returnId}',
  scope: 'returns:write',
  query: [],
  idempotencyKey: false,
  ifMatch: 'required',
  dryRun: true,
  success: [200],
  refusals: ['return_not_found', 'duplicate_return', 'version_mismatch', 'precondition_required'],
} as const satisfies Operation;

export const getHistory = /* @__PURE__ */ reading({
  name: 'getHistory',
  summary: 'Read the history of a return, oldest entry first',
  path: '/returns/{returnId}/history',
  scope: 'returns:read',
  query: ['limit', 'cursor'],
  refusals: ['return_not_found', 'invalid_cursor'],
});

export const verifyHistory = /* @__PURE__ */ reading({
  name: 'verifyHistory',
  summary: 'Verify the history of a return from its first entry to the return as it is',
  path: '/returns/{returnId}/history/verification',
  scope: 'returns:read',
  query: [],
  refusals: ['return_not_found'],
});

export * from './returns/command-operations.ts';
export * from './policies/policy-operations.ts';
export * from './inbox/inbox-operations.ts';
export * from './jobs/job-operations.ts';
export * from './events/event-operations.ts';
export * from './webhook-endpoints/webhook-endpoint-operations.ts';
export * from './statistics/statistics-operations.ts';

export const health = /* @__PURE__ */ reading({
  name: 'health',
  summary: 'Tell whether returns can be served',
  path: '/health',
  scope: null,
  query: [],
  refusals: [],
});

export const asyncapi = /* @__PURE__ */ reading({
  name: 'asyncapi',
  summary: 'Read the AsyncAPI document of the events',
  path: '/asyncapi.json',
  scope: null,
  query: [],
  refusals: [],
});

export const openapi = /* @__PURE__ */ reading({
  name: 'openapi',
  summary: 'Read this document',
  path: '/openapi.json',
  scope: null,
  query: [],
  refusals: [],
});
