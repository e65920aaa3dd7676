import { at, returnId } from '../example-story.ts';
import type { Output } from '../schemas.ts';

const endpoint: Output<'getWebhookEndpoint'> = {
  endpointId: 'whk_01KAJ3R5C7E9G1J3M5P7R9T1V3',
  url: 'https://hooks.example.com/returns',
  eventTypes: ['return.approved', 'refund.*'],
  enabled: true,
  secrets: [{ createdAt: at.asked }],
  createdAt: at.asked,
  updatedAt: at.asked,
  version: 1,
};
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const rotated = {
  ...endpoint,
  version: 2,
  secrets: [{ createdAt: at.decided }, { createdAt: at.asked, expiresAt: at.sent }],
  updatedAt: at.decided,
};
const attempt = { at: at.decided, ms: 84, status: 204 };
const sent: Output<'redeliverWebhook'> = {
  eventId: 'evt_01KAJ3X5D2ZC8V4H6B9GQ1WTSN',
  type: 'return.approved',
  subject: returnId,
  sequence: 2,
  status: 'delivered',
  updatedAt: at.decided,
  lastAttempt: attempt,
};
const { lastAttempt: _, ...event } = sent;

/** A receiver that is told of approvals and refunds. */
export const webhookEndpointExamples = {
  createWebhookEndpoint: {
    body: { url: endpoint.url, eventTypes: endpoint.eventTypes },
    output: { ...endpoint, secret },
  },
  listWebhookEndpoints: { body: {}, output: { items: [endpoint], nextCursor: null } },
  getWebhookEndpoint: { body: {}, output: endpoint },
  updateWebhookEndpoint: {
    body: { enabled: false },
    output: {
      ...endpoint,
      enabled: false,
      disabled: { at: at.decided, reason: 'requested' as const },
      updatedAt: at.decided,
      version: 2,
    },
  },
  deleteWebhookEndpoint: { body: {}, output: endpoint },
  rotateWebhookSecret: { body: { overlapHours: 30 }, output: { ...rotated, secret } },
  testWebhookEndpoint: { body: {}, output: { delivered: true, attempt } },
  listWebhookDeliveries: { body: {}, output: { items: [sent], nextCursor: null } },
  getWebhookDelivery: {
    body: {},
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
  redeliverWebhook: { body: {}, output: sent },
  redeliverWebhooks: {
    body: { from: at.asked, until: at.came },
    output: { redelivered: 1, looked: 3, nextCursor: null },
  },
};
