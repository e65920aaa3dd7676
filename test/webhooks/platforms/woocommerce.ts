import { randomUUID } from 'node:crypto';
import { sign } from '../../../lib/shops/platforms/woocommerce/verify.ts';
import { documentedOrder, documentedRefund, startSite } from '../../shops/platforms/woocommerce-site.ts';
import { ofEachWay, orderPlatform, type Shop, type SentEvent } from './shop.ts';

const platform = 'woocommerce';
const secret = 'hushThisIsAWebhookSecret';
const usd = (amount: number) => ({ amount, currency: 'USD' });

/** Opens a WooCommerce site: an order and a refund of it. */
export const openWooCommerce = async (): Promise<Shop> => {
  const site = await startSite();
  site.accept('ck_first', 'cs_first');
  const access = { consumerKey: 'ck_first', consumerSecret: 'cs_first', apiUrl: site.server.origin };
  return {
    platform,
    sources: ofEachWay(platform, { webhookSecrets: [secret], ...access }),
    proofs: ['x-wc-webhook-signature'],
    life: (mode) => {
      const makeEvent = (event: string): SentEvent => {
        const body = Buffer.from(JSON.stringify(site.orders.get('723')));
        const headers = {
          'content-type': 'application/json',
          'x-wc-webhook-source': 'https://shop.example/',
          'x-wc-webhook-topic': `order.${event}`,
          'x-wc-webhook-resource': 'order',
          'x-wc-webhook-event': event,
          'x-wc-webhook-signature': sign(body, secret),
          'x-wc-webhook-id': '1',
          'x-wc-webhook-delivery-id': randomUUID(),
        };
        return { by: 'http', path: `${platform}/${mode}`, headers, body };
      };
      const order = { platform: orderPlatform(platform, mode), orderId: '723' };
      return [
        {
          happens: () => {
            site.put(documentedOrder());
            return makeEvent('created');
          },
          order: {
            ...order,
            facts: { completeness: 'full', country: 'US', lines: [{ lineId: '311' }, { lineId: '313', quantity: 2 }] },
          },
        },
        {
          happens: () => {
            site.put(documentedOrder({ status: 'refunded' }), documentedRefund());
            return makeEvent('updated');
          },
          order,
          refund: {
            externalId: '726',
            facts: {
              amount: usd(1000),
              method: 'original_payment',
              occurredAt: '2017-03-21T20:07:11.000Z',
              lines: [{ orderLineId: '313', quantity: 1, amount: usd(1000), tax: usd(0) }],
            },
          },
        },
      ];
    },
    close: () => site.server[Symbol.asyncDispose](),
  };
};
