import type Type from 'typebox';
import { adminCommand, reading } from '../entry.ts';
import { at, returnId } from '../example-story.ts';
import {
  Delivery,
  DeliveryList,
  DeliveryPath,
  DeliveryQuery,
  DeliverySummary,
  Redrive,
  Redriven,
  ReplayRange,
  ReplayedRange,
} from './inbox.ts';

const delivery: Type.Static<typeof DeliveryList>['items'][number] = {
  deliveryKey: 'c2hvcGlmeSNhY21lLm15c2hvcGlmeS5jb20jcmV0dXJucyUyRnJlcXVlc3QjYjdk',
  platform: 'shopify',
  source: 'acme.myshopify.com',
  topic: 'returns/request',
  deliveryId: 'b7d',
  eventId: '6c1f0e52-3b7a-4d0e-9a61-2f8d5c4b7e19',
  triggeredAt: at.decided,
  apiVersion: '2026-10',
  receivedAt: at.decided,
  status: 'done',
  attempts: 1,
  settledAt: at.decided,
  returnId,
  orderId: '1001',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
};

const { settledAt: _, returnId: __, ...reopened } = delivery;

/* The operations on webhook deliveries that shop platforms sent. */

export const listInboxDeliveries = reading({
  path: '/inbox/deliveries',
  scope: 'returns:admin',
  summary: 'List inbound webhook deliveries',
  description:
    'Returns webhooks that shops sent to this deployment, the newest first. The connected mode answers from its own inbox and does not forward the request.\n\n- All filters must match. `orderId` needs `platform`, the platform of the order.\n- `orderId` and `returnId` find a delivery once it is settled.\n- The list is eventually consistent. A page may be short or empty and still have a next page.\n\nThe service stores deliveries for 30 days.',
  query: DeliveryQuery,
  answers: DeliveryList,
  errors: ['invalid_cursor'],
  example: { output: { items: [delivery], nextCursor: null } },
});

export const getInboxDelivery = reading({
  path: '/inbox/deliveries/{deliveryKey}',
  scope: 'returns:admin',
  summary: 'Read an inbound webhook delivery',
  description:
    'Returns the webhook as the shop sent it, and the result of its processing. The headers are without credentials. The body has the exact bytes: as UTF-8 text, as base64 when they are no text, or behind a URL when they are large.',
  params: DeliveryPath,
  answers: Delivery,
  errors: ['delivery_not_found'],
  example: {
    output: {
      ...delivery,
      runs: [],
      headers: { 'content-type': 'application/json', 'x-shopify-topic': 'returns/request' },
      body: { encoding: 'utf8' as const, content: '{"id":9001,"status":"requested","order":{"id":1001}}' },
    },
  },
});

export const replay = adminCommand({
  path: '/inbox/deliveries/{deliveryKey}/replay',
  summary: 'Reprocess a settled webhook delivery',
  description:
    'The delivery must have ended. Its status becomes `received`, and a worker processes it again. `runs` stores the earlier end, and `attempts` continues its count.\n\nThe replay creates no second return. A delivery that ends as before names the same return.\n\nA delivery with the status `received` gets `invalid_transition`.',
  params: DeliveryPath,
  answers: DeliverySummary,
  ifMatch: 'ignored',
  errors: ['delivery_not_found', 'invalid_transition'],
  example: { output: { ...reopened, status: 'received' as const } },
});

export const replayRange = adminCommand({
  path: '/inbox/replays',
  summary: 'Reprocess a range of webhook deliveries',
  description:
    'Selects deliveries that have ended, and reopens each one separately. A delivery with the status `received` is never selected.\n\n- One request examines at most `limit` deliveries, the newest first.\n- For the next page, repeat the body with `nextCursor` as `cursor` and a new `Idempotency-Key`.\n- A failed delivery also has a message in the dead-letter queue. `redrive` removes it.\n\nA request that ends with 503 may have reopened some deliveries. Repeat it to continue.',
  body: ReplayRange,
  answers: ReplayedRange,
  ifMatch: 'ignored',
  errors: ['invalid_cursor'],
  example: {
    body: { platform: 'shopify', receivedFrom: '2026-11-21T08:00:00Z', receivedTo: '2026-11-21T12:00:00Z' },
    output: { replayed: 7, looked: 7, nextCursor: null },
  },
});

export const redrive = adminCommand({
  path: '/inbox/redrive',
  summary: 'Redrive webhook deliveries from the dead-letter queue',
  description:
    'Use it after the cause of failed deliveries is fixed. Each failed delivery is reopened, and a worker retries it like a new one. `runs` stores its earlier end.\n\n- One request takes at most `limit` messages. Repeat it until `remaining` is 0. The queue gives this number only approximately.\n- Useless messages are deleted. `dropped` lists them with the reason, and with `deliveryKey` where one exists.\n- With `dryRun`, no message is moved or deleted.',
  body: Redrive,
  answers: Redriven,
  ifMatch: 'ignored',
  example: {
    body: {},
    output: {
      moved: 3,
      dropped: [
        {
          messageId: '0d9a1d2e-6a51-4e0c-9d4f-3f6e2f1b7a90',
          deliveryKey: delivery.deliveryKey,
          reason: 'delivery_settled' as const,
        },
      ],
      remaining: 0,
    },
  },
});
