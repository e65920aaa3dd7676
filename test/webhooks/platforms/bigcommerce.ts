import { randomUUID } from 'node:crypto';
import {
  documentedOrder,
  documentedProduct,
  documentedRefund,
  signed,
  startStore,
} from '../../shops/platforms/bigcommerce-store.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { ofEachWay, orderPlatform, type Shop, type SentEvent } from './shop.ts';

const platform = 'bigcommerce';
const clientSecret = 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15';

/** Opens a BigCommerce store: an order and a refund of it. The path of its deliveries may omit the source. */
export const openBigCommerce = async () => {
  const store = await startStore('abc123');
  store.accept('the-access-token');
  const makeEvent = (mode: Mode, scope: string, id: number): SentEvent => {
    const body = Buffer.from(
      JSON.stringify({
        scope,
        store_id: '1025646',
        data: { type: 'order', id },
        hash: '3f9ea420af83450d7ef9f78b08c8af25b2213637',
        created_at: 1_795_342_000,
        producer: `stores/${mode}`,
      }),
    );
    const headers = { 'content-type': 'application/json', ...signed(body, clientSecret, { id: randomUUID() }) };
    return { by: 'http', path: platform, headers, body };
  };
  const shop: Shop = {
    platform,
    sources: ofEachWay(platform, {
      webhookSecrets: [clientSecret],
      accessToken: 'the-access-token',
      apiUrl: store.url,
    }),
    proofs: ['webhook-signature'],
    life: (mode) => {
      const order = { platform: orderPlatform(platform, mode), orderId: '250' };
      return [
        {
          happens: () => {
            store.put(documentedOrder(), [documentedProduct()]);
            return makeEvent(mode, 'store/order/created', 250);
          },
          order: {
            ...order,
            facts: { currency: 'USD', completeness: 'full', lines: [{ lineId: '65', sku: 'S-ORAN' }] },
          },
        },
        {
          happens: () => {
            store.put(documentedOrder(), [documentedProduct()], documentedRefund());
            return makeEvent(mode, 'store/order/refund/created', 250);
          },
          order,
          refund: {
            externalId: '3',
            facts: {
              amount: { amount: 5000, currency: 'USD' },
              method: 'original_payment',
              occurredAt: '2022-06-16T16:44:15.000Z',
              lines: [{ orderLineId: '65', quantity: 1 }],
            },
          },
        },
      ];
    },
    close: () => store.server[Symbol.asyncDispose](),
  };
  return { ...shop, store, makeEvent };
};
