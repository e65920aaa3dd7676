import { openSite } from '../../../lib/tools/local/shops/woocommerce/site.ts';
import { startShopServer } from '../../../lib/tools/local/shops/shop-server.ts';
import { documentedOrder } from '../../shops/platforms/woocommerce-site.ts';
import { offer } from '../offer.ts';

/* A WooCommerce site in a process of its own. */

const [consumerKey, consumerSecret] = ['ck_bench', 'cs_bench'];
const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
const site = openSite({ clock: () => Date.now(), authorization: () => authorization, mayWrite: () => true });
const server = await startShopServer({ port: 0, answer: site.answer });
let last = 10_000;

const shop = {
  /** Returns the entry of the site in the secrets of its platform. */
  open: async () => ({
    platform: 'woocommerce',
    domain: 'bench',
    entry: { webhookSecrets: ['a-secret-of-the-bench'], consumerKey, consumerSecret, apiUrl: server.url },
  }),
  /** Sells this number of orders, and returns their ids. */
  sell: async (count: number) =>
    Array.from({ length: count }, () => {
      last += 1;
      site.put(documentedOrder({ id: last }));
      return String(last);
    }),
  /** Returns how many requests the site has got, and how many refunds it has paid. */
  counts: async () => ({ requests: server.requests.length, paid: site.payments.length }),
};

export type WooShop = typeof shop;

offer(shop, server.close);
