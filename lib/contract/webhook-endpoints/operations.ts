import { adminCommand, computing, creating, deleting, patching, reading } from '../entry.ts';
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
import { attempt, endpoint, event, rotated, secret, sent } from './examples.ts';
import { at, returnId } from '../example-story.ts';

/* The operations on webhook endpoints, and on what they receive. */

export const createWebhookEndpoint = creating({
  path: '/webhook-endpoints',
  scope: 'returns:admin',
  summary: 'Create a webhook endpoint, which events are sent to',
  description:
    'It is sent what happens from now on, signed by `secret` as Standard Webhooks has it: the secret is told here and nowhere else. `url` must be https, at a public host: addresses of private and special networks are `endpoint_url_forbidden` in whatever way they are written, and names are looked at again when they are resolved. There may be 50 endpoints.',
  body: NewWebhookEndpoint,
  answers: WebhookEndpointWithSecret,
  refuses: ['endpoint_limit_reached', 'endpoint_url_forbidden'],
  example: { body: { url: endpoint.url, eventTypes: endpoint.eventTypes }, output: { ...endpoint, secret } },
});

export const listWebhookEndpoints = reading({
  path: '/webhook-endpoints',
  scope: 'returns:admin',
  summary: 'List the webhook endpoints',
  description: 'All of them on one page, by their ids.',
  answers: WebhookEndpointList,
  example: { output: { items: [endpoint], nextCursor: null } },
});

export const getWebhookEndpoint = reading({
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  summary: 'Read a webhook endpoint',
  description: 'Without its secrets: of each it is told since when and until when it signs.',
  params: EndpointPath,
  answers: WebhookEndpoint,
  refuses: ['endpoint_not_found'],
  example: { output: endpoint },
});

export const updateWebhookEndpoint = patching({
  path: '/webhook-endpoints/{endpointId}',
  scope: 'returns:admin',
  summary: 'Change a webhook endpoint, disable it or enable it again (RFC 7396)',
  description:
    'A merge patch (RFC 7396): what is left out stays, `null` empties, a list is replaced as a whole. If-Match must be the ETag last seen. With `enabled` `false` nothing is sent any more; with `true` it goes on where it stopped, with what happened meanwhile.',
  params: EndpointPath,
  body: WebhookEndpointPatch,
  answers: WebhookEndpoint,
  refuses: ['endpoint_not_found', 'endpoint_url_forbidden', 'version_mismatch', 'precondition_required'],
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
    'Answers with the endpoint as it was. What is being sent at this moment may still arrive. A repeat is `endpoint_not_found`.',
  params: EndpointPath,
  answers: WebhookEndpoint,
  refuses: ['endpoint_not_found', 'version_mismatch'],
  example: { output: endpoint },
});

export const rotateWebhookSecret = adminCommand({
  path: '/webhook-endpoints/{endpointId}/secret',
  summary: 'Give a webhook endpoint a new secret',
  description:
    'The secret before signs too until `overlapHours` have passed, each delivery having both signatures: a receiver takes the new one in the meantime. At most two are in use: rotating again in that time drops the older one.',
  params: EndpointPath,
  body: SecretRotation,
  answers: WebhookEndpointWithSecret,
  refuses: ['endpoint_not_found', 'version_mismatch'],
  example: { body: { overlapHours: 30 }, output: { ...rotated, secret } },
});

export const testWebhookEndpoint = computing({
  path: '/webhook-endpoints/{endpointId}/test',
  scope: 'returns:admin',
  summary: 'Send an event to a webhook endpoint to see whether it arrives',
  description:
    'A signed event of the type `webhook_endpoint.test` with the sequence 0, at once and once, to a disabled endpoint too. It is kept nowhere. Answers 200 whatever the receiver does: `delivered` tells whether it answered with 2xx within 15 seconds.',
  params: EndpointPath,
  answers: WebhookTest,
  refuses: ['endpoint_not_found'],
  example: { output: { delivered: true, attempt } },
});

export const listWebhookDeliveries = reading({
  path: '/webhook-endpoints/{endpointId}/deliveries',
  scope: 'returns:admin',
  summary: 'List what a webhook endpoint was sent, the newest first',
  description:
    'What was sent, or is tried again; an event that waits for an earlier one of its return is not there yet. Filters narrow together, so that a page may be short, or empty, and still have a next one. Deliveries are kept for 30 days after their last change.',
  params: EndpointPath,
  query: WebhookDeliveryQuery,
  answers: WebhookDeliveryList,
  refuses: ['endpoint_not_found', 'invalid_cursor'],
  example: { output: { items: [sent], nextCursor: null } },
});

export const getWebhookDelivery = reading({
  path: '/webhook-endpoints/{endpointId}/deliveries/{eventId}',
  scope: 'returns:admin',
  summary: 'Read what became of an event for a webhook endpoint',
  description:
    'With its last attempts, and the request as it is sent, to the byte, without its signature. Deliveries are kept for 30 days after their last change.',
  params: EndpointDeliveryPath,
  answers: WebhookDelivery,
  refuses: ['endpoint_not_found', 'webhook_delivery_not_found'],
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
        body: JSON.stringify({ specversion: '1.0', id: event.eventId, subject: returnId }),
      },
    },
  },
});

export const redeliverWebhook = adminCommand({
  path: '/webhook-endpoints/{endpointId}/deliveries/{eventId}/redeliver',
  summary: 'Send an event to a webhook endpoint once more',
  description:
    'The very same event, with its id: receivers know it by that. It is sent soon, beside what is on its way, and its attempt is among the others then. To a disabled endpoint nothing is sent.',
  params: EndpointDeliveryPath,
  answers: WebhookDeliverySummary,
  ifMatch: 'ignored',
  refuses: ['endpoint_not_found', 'webhook_delivery_not_found', 'endpoint_disabled'],
  example: { output: sent },
});

export const redeliverWebhooks = adminCommand({
  path: '/webhook-endpoints/{endpointId}/redeliveries',
  summary: 'Send events to a webhook endpoint once more, a page of them',
  description:
    'At most `limit` are looked at in a request, the newest first; the body again with `nextCursor` as its `cursor`, and a key of its own, goes on. With `dryRun` nothing is sent, and `redelivered` tells how many would be. A request that ends half way, with a 503, may have sent some, and begins anew when it is repeated.',
  params: EndpointPath,
  body: Redelivery,
  answers: Redelivered,
  ifMatch: 'ignored',
  refuses: ['endpoint_not_found', 'endpoint_disabled', 'invalid_cursor'],
  example: { body: { from: at.asked, until: at.came }, output: { redelivered: 1, looked: 3, nextCursor: null } },
});
