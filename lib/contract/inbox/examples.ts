import { at, returnId } from '../example-story.ts';
import type Type from 'typebox';
import type { DeliveryList } from './inbox.ts';

export const delivery: Type.Static<typeof DeliveryList>['items'][number] = {
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

export { reopened };
