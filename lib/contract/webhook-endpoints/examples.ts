import { at, returnId } from '../example-story.ts';
import type Type from 'typebox';
import type { WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookDeliverySummary } from './webhook-endpoint.ts';

export const endpoint: Type.Static<typeof WebhookEndpoint> = {
  endpointId: 'whk_01KAJ3R5C7E9G1J3M5P7R9T1V3',
  url: 'https://hooks.example.com/returns',
  eventTypes: ['return.approved', 'refund.*'],
  enabled: true,
  secrets: [{ createdAt: at.asked }],
  createdAt: at.asked,
  updatedAt: at.asked,
  version: 1,
};
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
export const rotated = {
  ...endpoint,
  version: 2,
  secrets: [{ createdAt: at.decided }, { createdAt: at.asked, expiresAt: at.sent }],
  updatedAt: at.decided,
};
export const attempt = { at: at.decided, ms: 84, status: 204 };
export const sent: Type.Static<typeof WebhookDeliverySummary> = {
  eventId: 'evt_01KAJ3X5D2ZC8V4H6B9GQ1WTSN',
  type: 'return.approved',
  subject: returnId,
  sequence: 2,
  status: 'delivered',
  updatedAt: at.decided,
  lastAttempt: attempt,
};
const { lastAttempt: _, ...event } = sent;

export { event };
