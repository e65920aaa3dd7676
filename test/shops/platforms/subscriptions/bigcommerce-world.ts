import { openStore } from '../../../../lib/tools/local/shops/bigcommerce/store.ts';
import { putEntry, startHookServer } from './subscription-world.ts';

/** Starts a BigCommerce store without hooks. */
export const startBigCommerceWorld = async () => {
  const hash = 'abc123';
  const { hooks, answer } = openStore({ hash, clock: () => Date.now(), token: () => 'token-of-the-app' });
  const { url, ...server } = await startHookServer(answer);
  putEntry(hash, { accessToken: 'token-of-the-app', apiUrl: `${url}/stores/${hash}` });
  const changeAll = (change: object) => {
    for (const [id, hook] of hooks) hooks.set(id, { ...hook, ...change });
  };
  return {
    ...server,
    hooks,
    source: hash,
    address: 'https://hooks.example/webhooks/bigcommerce',
    formerAddress: 'https://old.example/webhooks/bigcommerce',
    addresses: () => [...hooks.values()].map(({ destination }) => destination),
    moveAll: (destination: string) => changeAll({ destination }),
    disableAll: () => changeAll({ is_active: false }),
    removeAll: () => hooks.clear(),
  };
};
