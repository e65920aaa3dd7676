import { reading, type Operation } from '../operation.ts';

/* The operations on webhook endpoints, which events are sent to, as lib/contract/operations.ts has those on returns. */

export const createWebhookEndpoint = {
  name: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint, which events are sent to',
  method: 'POST',
  path: '/webhook-endpoints',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [201],
  refusals: ['endpoint_limit_reached', 'endpoint_url_forbidden'],
} as const satisfies Operation;

export const listWebhookEndpoints = /* @__PURE__ */ reading({
  name: 'listWebhookEndpoints',
  summary: 'List the webhook endpoints',
  path: '/webhook-endpoints',
  scope: 'returns:admin',
  query: [],
  refusals: [],
});

export const getWebhookEndpoint = /* @__PURE__ */ reading({
  name: 'getWebhookEndpoint',
  summary: 'Read a webhook endpoint',
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  query: [],
  refusals: ['endpoint_not_found'],
});

export const updateWebhookEndpoint = {
  name: 'updateWebhookEndpoint',
  summary: 'Change a webhook endpoint, disable it or enable it again (RFC 7396)',
  method: 'PATCH',
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: false,
  ifMatch: 'required',
  dryRun: true,
  success: [200],
  refusals: ['endpoint_not_found', 'endpoint_url_forbidden', 'version_mismatch', 'precondition_required'],
} as const satisfies Operation;

export const deleteWebhookEndpoint = {
  name: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint with its secrets',
  method: 'DELETE',
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: false,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['endpoint_not_found', 'version_mismatch'],
} as const satisfies Operation;

export const rotateWebhookSecret = {
  name: 'rotateWebhookSecret',
  summary: 'Give a webhook endpoint a new secret',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/secret',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'heeded',
  dryRun: true,
  success: [200],
  refusals: ['endpoint_not_found', 'version_mismatch'],
} as const satisfies Operation;

export const testWebhookEndpoint = {
  name: 'testWebhookEndpoint',
  summary: 'Send an event to a webhook endpoint to see whether it arrives',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/test',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: false,
  ifMatch: 'ignored',
  dryRun: false,
  success: [200],
  refusals: ['endpoint_not_found'],
} as const satisfies Operation;

export const listWebhookDeliveries = /* @__PURE__ */ reading({
  name: 'listWebhookDeliveries',
  summary: 'List what a webhook endpoint was sent, the newest first',
  path: '/webhook-endpoints/{endpointId}/deliveries',
  scope: 'returns:admin',
  query: ['status', 'type', 'from', 'limit', 'cursor'],
  refusals: ['endpoint_not_found', 'invalid_cursor'],
});

export const getWebhookDelivery = /* @__PURE__ */ reading({
  name: 'getWebhookDelivery',
  summary: 'Read what became of an event for a webhook endpoint',
  path: '/webhook-endpoints/{endpointId}/deliveries/{eventId}',
  scope: 'returns:admin',
  query: [],
  refusals: ['endpoint_not_found', 'webhook_delivery_not_found'],
});

export const redeliverWebhook = {
  name: 'redeliverWebhook',
  summary: 'Send an event to a webhook endpoint once more',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/deliveries/{eventId}/redeliver',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [200],
  refusals: ['endpoint_not_found', 'webhook_delivery_not_found', 'endpoint_disabled'],
} as const satisfies Operation;

export const redeliverWebhooks = {
  name: 'redeliverWebhooks',
  summary: 'Send events to a webhook endpoint once more, a page of them',
  method: 'POST',
  path: '/webhook-endpoints/{endpointId}/redeliveries',
  scope: 'returns:admin',
  query: [],
  idempotencyKey: true,
  ifMatch: 'ignored',
  dryRun: true,
  success: [200],
  refusals: ['endpoint_not_found', 'endpoint_disabled', 'invalid_cursor'],
} as const satisfies Operation;
