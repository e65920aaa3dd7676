import { translator } from '../../../../lib/shops/platforms/woocommerce/platform.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { openSite } from '../../../../lib/tools/local/shops/woocommerce/site.ts';
import { woocommerceOrder } from '../../../shops/platforms/effects/woocommerce-case.ts';
import { wireFaultsOf } from './wire-faults.ts';
import { centsOf, daysAgo, type ShopWorld } from './world.ts';

/** Faults inside the site. A plugin may make a second refund, as a clerk does. */
const siteFaults = ['metadata_lost', 'second_refund'] as const;

/** Starts a WooCommerce site without orders. */
export const startWoocommerceWorld = async (): Promise<ShopWorld> => {
  const authorization = `Basic ${Buffer.from('ck_lives:cs_lives').toString('base64')}`;
  const site = openSite({ clock: () => Date.now(), authorization: () => authorization, mayWrite: () => true });
  const server = await startShopServer({ port: 0, answer: site.answer, lateMs: 100_000 });
  const wire = wireFaultsOf(server, {});
  let last = 700_000;
  return {
    platform: 'woocommerce',
    source: 'lives',
    access: { consumerKey: 'ck_lives', consumerSecret: 'cs_lives', apiUrl: server.url },
    translator,
    actions: ['approve', 'reject', 'cancel', 'close', 'refund'],
    currency: 'USD',
    receivesOnce: false,
    sell: () => {
      last += 1;
      site.put(woocommerceOrder(last, { status: 'completed', date_completed_gmt: daysAgo(4).slice(0, 19) }));
      const lines = [
        { orderLineId: '311', quantity: 3 },
        { orderLineId: '313', quantity: 1 },
      ];
      return { orderId: String(last), lines };
    },
    reports: (orderId) => [{ topic: 'order.updated', body: { id: Number(orderId) } }],
    paid: (orderId) =>
      site.refundsOf(orderId).map(({ id, amount, reason }) => ({
        externalId: String(id),
        amount: centsOf(amount),
        mark: String(reason),
        isOurs: String(reason).includes('[wbi_'),
      })),
    refundByHand: (orderId, amount) =>
      void site.refundByHand(orderId, {
        amount: (amount / 100).toFixed(2),
        reason: 'by hand',
        api_refund: true,
        api_restock: false,
        line_items: [],
      }),
    faults: { ...wire.faults, ...Object.fromEntries(siteFaults.map((name) => [name, []])) },
    ofPlugins: ['second_refund'],
    fail: (name) => {
      const inside = siteFaults.find((fault) => fault === name);
      if (inside === undefined) wire.fail(name);
      else site.failRefund(inside);
    },
    settle: async () => {
      site.failRefund(undefined);
      await wire.settle();
    },
    ofKeptUnits: [],
    isMoneySafe: false,
    close: server.close,
  };
};
