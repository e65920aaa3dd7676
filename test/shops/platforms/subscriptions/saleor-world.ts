import { openSaleor } from '../../../../lib/tools/local/shops/saleor/shop.ts';
import { putEntry, startHookServer } from './subscription-world.ts';

/** Starts a Saleor whose app has no webhook. */
export const startSaleorWorld = async () => {
  const { app, answer } = openSaleor({ clock: () => Date.now(), token: 'token-of-the-app', reasons: true });
  const { url, ...server } = await startHookServer(answer, ({ body }) => !body.includes('mutation'));
  putEntry('shop', { accessToken: 'token-of-the-app', apiUrl: `${url}/graphql` });
  const { webhooks, permissions } = app;
  const changeAll = (change: object) => {
    for (const [id, webhook] of webhooks) webhooks.set(id, { ...webhook, ...change });
  };
  return {
    ...server,
    webhooks,
    permissions,
    source: 'shop',
    address: 'https://hooks.example/webhooks/saleor/shop',
    formerAddress: 'https://old.example/webhooks/saleor/shop',
    addresses: () => [...webhooks.values()].map(({ targetUrl }) => targetUrl),
    moveAll: (targetUrl: string) => changeAll({ targetUrl }),
    disableAll: () => changeAll({ isActive: false }),
    removeAll: () => webhooks.clear(),
  };
};
