import { at, returnId } from '../example-story.ts';
import type { Output } from '../schemas.ts';

const delivery: Output<'listDeliveries'>['items'][number] = {
  deliveryKey: 'c2hvcGlmeSNhY21lLm15c2hvcGlmeS5jb20jcmV0dXJucyUyRnJlcXVlc3QjYjdk',
  platform: 'shopify',
  source: 'acme.myshopify.com',
  topic: 'returns/request',
  deliveryId: 'b7d',
  apiVersion: '2026-07',
  receivedAt: at.decided,
  status: 'done',
  attempts: 1,
  settledAt: at.decided,
  returnId,
  orderId: '1001',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
};

const { settledAt: _, returnId: __, ...reopened } = delivery;

export const inboxExamples = {
  listDeliveries: { body: {}, output: { items: [delivery], nextCursor: null } },
  getDelivery: {
    body: {},
    output: {
      ...delivery,
      runs: [],
      headers: { 'content-type': 'application/json', 'x-shopify-topic': 'returns/request' },
      body: { encoding: 'utf8' as const, content: '{"id":1}' },
    },
  },
  replay: { body: {}, output: { ...reopened, status: 'received' as const } },
  replayRange: {
    body: { platform: 'shopify', receivedFrom: '2026-11-21T08:00:00Z', receivedTo: '2026-11-21T12:00:00Z' },
    output: { replayed: 7, looked: 7, nextCursor: null },
  },
  redrive: {
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
};
