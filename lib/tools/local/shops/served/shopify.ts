import type { Shop } from '../../shop/shop.ts';
import { type ServedShop, type ShopDelivery, UnknownOrder } from './served-shop.ts';

const httpOf = (sent: Pick<Extract<ShopDelivery, { readonly by: 'http' }>, 'headers' | 'body'>): ShopDelivery => ({
  by: 'http',
  path: 'shopify',
  headers: sent.headers,
  body: sent.body,
});

/** Returns what can be done in the Shopify shop. Shopify reports no order: it is read with its return. */
export const shopifyActs = (shop: Shop): ServedShop['acts'] => {
  const orderFor = (named: string | undefined): string => {
    if (named === undefined) return shop.sell(1)[0] ?? '';
    try {
      return shop.order(named).id;
    } catch {
      throw new UnknownOrder(named);
    }
  };
  return {
    order: () => ({ orderId: orderFor(undefined) }),
    return: (named) => {
      const orderId = orderFor(named);
      const { returnGid, ...sent } = shop.webhook(orderId);
      return { orderId, returnId: returnGid, delivery: httpOf(sent) };
    },
    refund: (named) => {
      const orderId = orderFor(named);
      return { orderId, delivery: httpOf(shop.refund(orderId, null, { amount: '10.00' })) };
    },
  };
};
