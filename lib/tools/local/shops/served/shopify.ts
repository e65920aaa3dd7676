import type { Shop } from '../../shop/shop.ts';
import type { ShopActs, ShopDelivery } from './served-shop.ts';

const httpOf = (sent: Pick<Extract<ShopDelivery, { readonly by: 'http' }>, 'headers' | 'body'>): ShopDelivery => ({
  by: 'http',
  path: 'shopify',
  headers: sent.headers,
  body: sent.body,
});

/** Returns what can be done in the Shopify shop. Shopify reports no order: it is read with its return. */
export const shopifyActs = (shop: Shop): ShopActs => ({
  sell: () => shop.sell(1)[0] ?? '',
  hasOrder: shop.hasOrder,
  acts: {
    order: () => ({}),
    return: (orderId) => {
      const { returnGid, ...sent } = shop.webhook(orderId);
      return { returnId: returnGid, delivery: httpOf(sent) };
    },
    refund: (orderId) => ({ delivery: httpOf(shop.refund(orderId, null, { amount: '10.00' })) }),
  },
});
