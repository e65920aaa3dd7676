import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { startShop, type Shop } from '../../../lib/local/shop/shop.ts';
import { offer } from '../remote.ts';
import type { ShopEntry } from '../webhook/sender.ts';

/* Shopify in a process of its own: its Admin API, and signed deliveries as events of the function. */

export type ColdShop = {
  /** Opens the shop, and returns its entry in the platform's secrets. */
  readonly open: (input: null) => Promise<ShopEntry>;
  /** Returns this number of events, each with a delivery of its own. */
  readonly deliveries: (input: { readonly count: number }) => Promise<string[]>;
};

let shop: Shop | undefined;

type Delivery = Pick<APIGatewayProxyEventV2, 'version' | 'headers' | 'pathParameters' | 'body' | 'isBase64Encoded'> & {
  readonly requestContext: { readonly http: { readonly method: string } };
};

/** Returns the event of a delivery for an order of its own, with the fields that the function reads. */
const signed = (): Delivery => {
  if (shop === undefined) throw new Error('the shop is not open');
  const [orderId = ''] = shop.sell(1);
  const { headers, body } = shop.webhook(orderId, { quantity: 1 });
  return {
    version: '2.0',
    headers: { ...headers },
    pathParameters: { platform: 'shopify' },
    requestContext: { http: { method: 'POST' } },
    body: body.toString(),
    isBase64Encoded: false,
  };
};

offer(
  {
    open: async () => {
      shop = await startShop({ port: 0 });
      const { shopDomain: domain, webhookSecret, accessToken, url } = shop;
      return { domain, entry: { webhookSecrets: [webhookSecret], accessToken, apiUrl: url } };
    },
    deliveries: async ({ count }) => Array.from({ length: count }, () => JSON.stringify(signed())),
  } satisfies ColdShop,
  async () => shop?.close(),
);
