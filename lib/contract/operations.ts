import type { Operation } from './operation.ts';

/*
 * The operations of the contract (section 7), as data without schemas: functions and the client carry this file, and
 * a bundle keeps only the entries it names. lib/contract/schemas.ts holds what each of them takes and answers.
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

export const getOrder = {
  name: 'getOrder',
  summary: 'Read an order as it is known',
  method: 'GET',
  path: '/orders/{platform}/{orderId}',
  scope: 'returns:read',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['order_not_found'],
} as const satisfies Operation;

export const getReturnable = {
  name: 'getReturnable',
  summary: 'Read what of an order may still be returned',
  method: 'GET',
  path: '/orders/{platform}/{orderId}/returnable',
  scope: 'returns:read',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['order_not_found'],
} as const satisfies Operation;

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
  ],
} as const satisfies Operation;

export const listReturns = {
  name: 'listReturns',
  summary: 'List returns, the newest first',
  method: 'GET',
  path: '/returns',
  scope: 'returns:read',
  query: ['status', 'platform', 'orderId', 'customerId', 'rmaNumber', 'externalRef', 'limit', 'cursor'],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['invalid_cursor'],
} as const satisfies Operation;

export const getReturn = {
  name: 'getReturn',
  summary: 'Read a return',
  method: 'GET',
  path: '/returns/{returnId}',
  scope: 'returns:read',
  query: ['asOf'],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['return_not_found'],
} as const satisfies Operation;

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

export const approve = {
  name: 'approve',
  summary: 'Approve a requested return, whole or in part',
  method: 'POST',
  path: '/returns/{returnId}/approve',
  scope: 'returns:write',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['return_not_found', 'return_line_not_found', 'invalid_transition', 'version_mismatch'],
} as const satisfies Operation;

export const reject = {
  name: 'reject',
  summary: 'Refuse a requested return',
  method: 'POST',
  path: '/returns/{returnId}/reject',
  scope: 'returns:write',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['return_not_found', 'invalid_transition', 'version_mismatch'],
} as const satisfies Operation;

export const cancel = {
  name: 'cancel',
  summary: 'Cancel a return, whole or some of its units',
  method: 'POST',
  path: '/returns/{returnId}/cancel',
  scope: 'returns:write',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['return_not_found', 'return_line_not_found', 'invalid_transition', 'version_mismatch'],
} as const satisfies Operation;

export const getHistory = {
  name: 'getHistory',
  summary: 'Read the history of a return, oldest entry first',
  method: 'GET',
  path: '/returns/{returnId}/history',
  scope: 'returns:read',
  query: ['limit', 'cursor'],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['return_not_found', 'invalid_cursor'],
} as const satisfies Operation;

export const health = {
  name: 'health',
  summary: 'Tell whether returns can be served',
  method: 'GET',
  path: '/health',
  scope: null,
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: [],
} as const satisfies Operation;

export const openapi = {
  name: 'openapi',
  summary: 'Read this document',
  method: 'GET',
  path: '/openapi.json',
  scope: null,
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: [],
} as const satisfies Operation;
