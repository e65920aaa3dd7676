import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import { putEntry } from './subscription-world.ts';

/** Starts a Shopify shop whose app has no subscription. */
export const startShopifyWorld = async () => {
  let writes = 0;
  const shop = await startShop({
    port: 0,
    orders: 1,
    onRequest: ({ query }) => void (writes += query.startsWith('mutation') ? 1 : 0),
  });
  putEntry(shop.shopDomain, { accessToken: shop.accessToken, apiUrl: shop.url });
  const { byId, versions } = shop.subscriptions;
  return {
    versions,
    source: shop.shopDomain,
    address: 'https://hooks.example/webhooks/shopify',
    formerAddress: 'https://old.example/webhooks/shopify',
    failWrite: (fault: 'answer_lost' | 'throttled') => shop.failWrite(fault === 'answer_lost' ? 'cut_after' : fault),
    deny: () => shop.fail({ times: Number.POSITIVE_INFINITY, status: 403 }),
    writes: () => writes,
    addresses: () => [...byId.values()].map(({ uri }) => uri),
    moveAll: (uri: string) => {
      for (const [id, found] of byId) byId.set(id, { ...found, uri });
    },
    removeAll: () => byId.clear(),
    close: shop.close,
  };
};
