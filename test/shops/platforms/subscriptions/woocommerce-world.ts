import { openSite } from '../../../../lib/tools/local/shops/woocommerce/site.ts';
import { putEntry, startHookServer } from './subscription-world.ts';

/** Starts a WooCommerce site without webhooks. */
export const startWooCommerceWorld = async (source = 'shop') => {
  let isWritable = true;
  const site = openSite({
    clock: () => Date.now(),
    authorization: () => `Basic ${Buffer.from('ck_hooks:cs_hooks').toString('base64')}`,
    mayWrite: () => isWritable,
  });
  const { url, ...server } = await startHookServer(site.answer);
  const entry = { apiUrl: url, consumerKey: 'ck_hooks', consumerSecret: 'cs_hooks' };
  putEntry(source, entry);
  const { webhooks } = site;
  const changeAll = (change: object) => {
    for (const [id, webhook] of webhooks) webhooks.set(id, { ...webhook, ...change });
  };
  return {
    ...server,
    /** The API entry of the site. */
    entry,
    webhooks,
    /** Takes the permission to write from the key. */
    forbidWrites: () => void (isWritable = false),
    source,
    address: `https://hooks.example/webhooks/woocommerce/${source}`,
    formerAddress: `https://old.example/webhooks/woocommerce/${source}`,
    addresses: () => [...webhooks.values()].map(({ delivery_url: address }) => address),
    moveAll: (address: string) => changeAll({ delivery_url: address }),
    disableAll: () => changeAll({ status: 'disabled' }),
    removeAll: () => webhooks.clear(),
  };
};
