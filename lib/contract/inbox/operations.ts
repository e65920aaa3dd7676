import { adminCommand, reading } from '../entry.ts';
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
import { delivery, reopened } from './examples.ts';

/* The operations on deliveries of shop platforms. */

export const listDeliveries = reading({
  path: '/inbox/deliveries',
  scope: 'returns:admin',
  summary: 'List webhooks that shops sent, the newest first',
  description:
    "Of this deployment, whichever way it is: a request is never passed on to a Returns Service. Filters narrow together, and `orderId` needs `platform`, which is the order's then. Eventually consistent: a page may be short, or empty, and still have a next one. By `orderId` and `returnId` deliveries are found once they are settled. They are kept for 30 days.",
  query: DeliveryQuery,
  answers: DeliveryList,
  refuses: ['invalid_cursor'],
  example: { output: { items: [delivery], nextCursor: null } },
});

export const getDelivery = reading({
  path: '/inbox/deliveries/{deliveryKey}',
  scope: 'returns:admin',
  summary: 'Read a webhook as a shop sent it, and what became of it',
  description: 'With its headers, credentials apart, and its exact bytes: as text where they are that, else in base64.',
  params: DeliveryPath,
  answers: Delivery,
  refuses: ['delivery_not_found'],
  example: {
    output: {
      ...delivery,
      runs: [],
      headers: { 'content-type': 'application/json', 'x-shopify-topic': 'returns/request' },
      body: { encoding: 'utf8' as const, content: '{"id":1}' },
    },
  },
});

export const replay = adminCommand({
  path: '/inbox/deliveries/{deliveryKey}/replay',
  summary: 'Work a webhook off once more that has ended',
  description:
    'One that has not ended is `invalid_transition`. Its return is not made twice: what ends as before names the same one. Attempts are counted on, and how it ended before stands in its `runs`.',
  params: DeliveryPath,
  answers: DeliverySummary,
  ifMatch: 'ignored',
  refuses: ['delivery_not_found', 'invalid_transition'],
  example: { output: { ...reopened, status: 'received' as const } },
});

export const replayRange = adminCommand({
  path: '/inbox/replays',
  summary: 'Work webhooks off once more that have ended, a page of them',
  description:
    'At most `limit` are looked at in a request, the last received first; the body again with `nextCursor` as its `cursor`, and a key of its own, goes on. With `dryRun` nothing is opened, and `replayed` tells how many would be. One that is being worked off is none of them. Each is worked off by itself: a request that ends half way, with a 503, may have opened some, and goes on when it is repeated. What was given up has a message in the dead-letter queue, which `redrive` takes away.',
  body: ReplayRange,
  answers: ReplayedRange,
  ifMatch: 'ignored',
  refuses: ['invalid_cursor'],
  example: {
    body: { platform: 'shopify', receivedFrom: '2026-11-21T08:00:00Z', receivedTo: '2026-11-21T12:00:00Z' },
    output: { replayed: 7, looked: 7, nextCursor: null },
  },
});

export const redrive = adminCommand({
  path: '/inbox/redrive',
  summary: 'Work webhooks off once more that were given up, from the dead-letter queue',
  description:
    'For when what made them fail is mended. Each is opened again, with how it ended among its `runs`, and tried as a new one is. Messages that are of no use are deleted, with the reason; what they are of is told by `deliveryKey`, where there is one. At most `limit` messages are taken in a request, those that are left are counted by the queue, about. With `dryRun` nothing is moved or deleted.',
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
