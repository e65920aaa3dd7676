import { translator } from '../../../../lib/shops/platforms/shopify/platform.ts';
import { startShop } from '../../../../lib/tools/local/shop/shop.ts';
import type { WriteFault } from '../../../../lib/tools/local/shop/write-faults.ts';
import { centsOf, type ShopWorld } from './world.ts';

const gid = (kind: string, id: string): string => `gid://shopify/${kind}/${id}`;

/** The shop's faults, and what each leaves to people: the creation of a return that a repeat could double. */
const faults: Readonly<Record<Exclude<WriteFault, 'stuck'>, readonly string[]>> = {
  cut_before: ['effect_unknown'],
  cut_after: [],
  late: ['effect_unknown'],
  failed_after: [],
  rejected_after: [],
  throttled: [],
};

/** Starts a Shopify shop. Its clock is that of the test. */
export const startShopifyWorld = async (): Promise<ShopWorld> => {
  const shop = await startShop({ port: 0, clock: () => Date.now(), orders: 1 });
  for (const scope of ['write_orders', 'write_returns']) shop.scopes.add(scope);
  return {
    platform: 'shopify',
    source: shop.shopDomain,
    access: {
      accessToken: shop.accessToken,
      apiUrl: shop.url,
      restockLocation: 'gid://shopify/Location/1',
    },
    translator,
    actions: ['approve', 'reject', 'cancel', 'receive', 'inspect', 'close', 'refund'],
    currency: 'EUR',
    receivesOnce: false,
    sell: () => {
      const [orderId = ''] = shop.sell(1);
      const lines = shop.order(orderId).lines.map(({ id, quantity }) => ({ orderLineId: id, quantity }));
      return { orderId, lines };
    },
    reports: (orderId) => {
      const { returns, refunds } = shop.ledger(orderId);
      return [
        { topic: 'requested_order_edit/created', body: { order: { admin_graphql_api_id: gid('Order', orderId) } } },
        ...returns.map(({ id }) => ({ topic: 'returns/update', body: { admin_graphql_api_id: gid('Return', id) } })),
        ...refunds.map(({ id }) => ({ topic: 'refunds/create', body: { admin_graphql_api_id: gid('Refund', id) } })),
      ];
    },
    paid: (orderId) =>
      shop.ledger(orderId).refunds.map(({ id, amount, note, returnId }) => ({
        externalId: id,
        amount: centsOf(amount),
        mark: note ?? id,
        isOurs: note?.startsWith('returns:') === true || returnId !== null,
      })),
    refundByHand: (orderId, amount) =>
      void shop.refund(orderId, null, { amount: (amount / 100).toFixed(2), quantity: 0 }),
    faults,
    fail: (name) => shop.failWrite(name as WriteFault),
    settle: async () => {
      shop.forgetFaults();
      await shop.runLate();
    },
    ofKeptUnits: ['units_not_returnable'],
    isMoneySafe: true,
    close: shop.close,
  };
};
