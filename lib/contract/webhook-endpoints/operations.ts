import type Type from 'typebox';
import { adminCommand, computing, creating, deleting, patching, reading } from '../entry.ts';
import { approvedEvent } from '../events/examples.ts';
import { at, returnId } from '../example-story.ts';
import {
  EndpointDeliveryPath,
  EndpointPath,
  NewWebhookEndpoint,
  Redelivered,
  Redelivery,
  SecretRotation,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryQuery,
  WebhookDeliverySummary,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointPatch,
  WebhookEndpointWithSecret,
  WebhookTest,
} from './webhook-endpoint.ts';

const endpoint: Type.Static<typeof WebhookEndpoint> = {
  endpointId: 'whk_01KAJ3R5C7E9G1J3M5P7R9T1V3',
  url: 'https://hooks.example.com/returns',
  eventTypes: ['return.approved', 'refund.*'],
  enabled: true,
  secrets: [{ createdAt: at.requested }],
  createdAt: at.requested,
  updatedAt: at.requested,
  version: 1,
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const rotated = {
  ...endpoint,
  version: 2,
  secrets: [{ createdAt: at.decided }, { createdAt: at.requested, expiresAt: at.sent }],
  updatedAt: at.decided,
};
const attempt = { at: at.decided, ms: 84, status: 204 };
const sent: Type.Static<typeof WebhookDeliverySummary> = {
  eventId: approvedEvent.id,
  type: 'return.approved',
  subject: returnId,
  sequence: 2,
  status: 'delivered',
  updatedAt: at.decided,
  lastAttempt: attempt,
};
const { lastAttempt: _, ...event } = sent;

/* The operations on webhook endpoints and their deliveries. */

export const createWebhookEndpoint = creating({
  path: '/webhook-endpoints',
  scope: 'returns:admin',
  summary: 'Create a webhook endpoint',
  description:
    '`url` must be https at a public host. A deployment has at most 50 endpoints.\n\nThe endpoint receives events that occur from now on. `secret` signs them as Standard Webhooks defines. Store the secret at once: no read operation shows it.\n\nAn address in a private or special network gets `endpoint_url_forbidden`, in any notation. The service also checks host names at each connection. The 51st endpoint gets `endpoint_limit_reached`.',
  body: NewWebhookEndpoint,
  answers: WebhookEndpointWithSecret,
  errors: ['endpoint_limit_reached', 'endpoint_url_forbidden'],
  example: { body: { url: endpoint.url, eventTypes: endpoint.eventTypes }, output: { ...endpoint, secret } },
});

export const listWebhookEndpoints = reading({
  path: '/webhook-endpoints',
  scope: 'returns:admin',
  summary: 'List the webhook endpoints',
  description: 'Returns all endpoints on one page, in the order of their ids.',
  answers: WebhookEndpointList,
  example: { output: { items: [endpoint], nextCursor: null } },
});

export const getWebhookEndpoint = reading({
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  summary: 'Read a webhook endpoint',
  description:
    'Returns the endpoint without its secrets. `secrets` shows when each one was created and when it expires.',
  params: EndpointPath,
  answers: WebhookEndpoint,
  errors: ['endpoint_not_found'],
  example: { output: endpoint },
});

export const updateWebhookEndpoint = patching({
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  summary: 'Change, disable or enable a webhook endpoint',
  description:
    'If-Match must be the ETag that you last read.\n\nThe body is a merge patch (RFC 7396). An absent field stays unchanged, `null` removes a field, and a list replaces the whole list. With `enabled` `false`, the service stops sending. With `true`, it continues where it stopped, and sends the events that occurred meanwhile.\n\nA URL in a private or special network gets `endpoint_url_forbidden`.',
  params: EndpointPath,
  body: WebhookEndpointPatch,
  answers: WebhookEndpoint,
  errors: ['endpoint_not_found', 'endpoint_url_forbidden', 'version_mismatch', 'precondition_required'],
  example: {
    body: { enabled: false },
    output: {
      ...endpoint,
      enabled: false,
      disabled: { at: at.decided, reason: 'requested' as const },
      updatedAt: at.decided,
      version: 2,
    },
  },
});

export const deleteWebhookEndpoint = deleting({
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  summary: 'Delete a webhook endpoint with its secrets',
  description:
    'Returns the endpoint as it was. A request that is already on its way may still arrive.\n\nA repeat gets `endpoint_not_found`.',
  params: EndpointPath,
  answers: WebhookEndpoint,
  errors: ['endpoint_not_found', 'version_mismatch'],
  example: { output: endpoint },
});

export const rotateWebhookSecret = adminCommand({
  path: '/webhook-endpoints/{endpointId}/secret',
  summary: 'Rotate the secret of a webhook endpoint',
  description:
    'Creates a new secret and returns it. The previous secret also signs until `overlapHours` have passed. Each delivery has both signatures in this time, so put the new secret into the receiver meanwhile.\n\nAt most two secrets sign. A second rotation in this time drops the older secret.',
  params: EndpointPath,
  body: SecretRotation,
  answers: WebhookEndpointWithSecret,
  errors: ['endpoint_not_found', 'version_mismatch'],
  example: { body: { overlapHours: 30 }, output: { ...rotated, secret } },
});

export const testWebhookEndpoint = computing({
  path: '/webhook-endpoints/{endpointId}/test',
  scope: 'returns:admin',
  summary: 'Send a test event to a webhook endpoint',
  description:
    'Sends one signed event of the type `webhook_endpoint.test` with the sequence 0. The service sends it at once, without retries, and to a disabled endpoint too. It does not store the event.\n\nThe response is 200, whatever the receiver does. `delivered` says whether the receiver answered with 2xx within 15 seconds.',
  params: EndpointPath,
  answers: WebhookTest,
  errors: ['endpoint_not_found'],
  example: { output: { delivered: true, attempt } },
});

export const listWebhookDeliveries = reading({
  path: '/webhook-endpoints/{endpointId}/deliveries',
  scope: 'returns:admin',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Returns deliveries that were sent or are retried, the newest event first. An event that waits for an earlier event of its return is not in the list yet.\n\nAll filters must match. So a page may be short or empty and still have a next page. The service stores a delivery for 30 days after its last change.',
  params: EndpointPath,
  query: WebhookDeliveryQuery,
  answers: WebhookDeliveryList,
  errors: ['endpoint_not_found', 'invalid_cursor'],
  example: { output: { items: [sent], nextCursor: null } },
});

export const getWebhookDelivery = reading({
  path: '/webhook-endpoints/{endpointId}/deliveries/{eventId}',
  scope: 'returns:admin',
  summary: 'Read a delivery of a webhook endpoint',
  description:
    'Returns the last attempts, and the exact request without its signature. The service stores a delivery for 30 days after its last change.',
  params: EndpointDeliveryPath,
  answers: WebhookDelivery,
  errors: ['endpoint_not_found', 'webhook_delivery_not_found'],
  example: {
    output: {
      ...event,
      attempts: [attempt],
      request: {
        url: endpoint.url,
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.eventId,
          'webhook-timestamp': String(Date.parse(at.decided) / 1000),
        },
        body: JSON.stringify(approvedEvent),
      },
    },
  },
});

export const redeliverWebhook = adminCommand({
  path: '/webhook-endpoints/{endpointId}/deliveries/{eventId}/redeliver',
  summary: 'Send an event to a webhook endpoint again',
  description:
    'The endpoint must be enabled. Otherwise the response is `endpoint_disabled`.\n\nThe service sends the same event with the same id soon, outside the order of its return. A receiver recognises the event by its id. The attempt then appears among the other attempts.',
  params: EndpointDeliveryPath,
  answers: WebhookDeliverySummary,
  ifMatch: 'ignored',
  errors: ['endpoint_not_found', 'webhook_delivery_not_found', 'endpoint_disabled'],
  example: { output: sent },
});

export const redeliverWebhooks = adminCommand({
  path: '/webhook-endpoints/{endpointId}/redeliveries',
  summary: 'Send a range of events again',
  description:
    'The endpoint must be enabled. Otherwise the response is `endpoint_disabled`.\n\n- One request examines at most `limit` deliveries, the newest event first.\n- For the next page, repeat the body with `nextCursor` as `cursor` and a new `Idempotency-Key`.\n- With `dryRun`, the service sends nothing and counts the events.\n\nA request that ends with 503 may have sent some events. A repeat starts again from its beginning.',
  params: EndpointPath,
  body: Redelivery,
  answers: Redelivered,
  ifMatch: 'ignored',
  errors: ['endpoint_not_found', 'endpoint_disabled', 'invalid_cursor'],
  example: { body: { from: at.requested, until: at.came }, output: { redelivered: 1, looked: 3, nextCursor: null } },
});
