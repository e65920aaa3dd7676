import { openHook } from '../../../../lib/tools/local/shops/vtex/hook.ts';
import { putEntry, startHookServer } from './subscription-world.ts';

/** Starts a VTEX account without a hook. */
export const startVtexWorld = async () => {
  const key = { appKey: 'vtexappkey-acme', appToken: 'app-token-0123456789' };
  const hook = openHook(key);
  const { url, ...server } = await startHookServer((request) => hook.answer(request) ?? { status: 404, body: '{}' });
  putEntry('acme', { ...key, apiUrl: url });
  return {
    ...server,
    hook,
    source: 'acme',
    address: 'https://hooks.example/webhooks/vtex/acme',
    formerAddress: 'https://old.example/webhooks/vtex/acme',
    addresses: () => [hook.config()?.hook.url ?? []].flat(),
    moveAll: (address: string) => {
      const config = hook.config();
      if (config !== undefined) hook.set({ ...config, hook: { ...config.hook, url: address } });
    },
    removeAll: () => hook.set(undefined),
  };
};
