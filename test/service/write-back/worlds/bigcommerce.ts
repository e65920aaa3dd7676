import { translator } from '../../../../lib/shops/platforms/bigcommerce/platform.ts';
import { type Json, nodesIn } from '../../../../lib/tools/local/shops/bigcommerce/refunds.ts';
import { openStore } from '../../../../lib/tools/local/shops/bigcommerce/store.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { documentedOrder, documentedProduct } from '../../../shops/platforms/bigcommerce-store.ts';
import { wireFaultsOf } from './wire-faults.ts';
import { centsOf, daysAgo, type ShopWorld } from './world.ts';

const source = 'l1ves';
const token = 'token_lives';

/** Starts a BigCommerce store without orders. */
export const startBigcommerceWorld = async (): Promise<ShopWorld> => {
  const store = openStore({ hash: source, clock: () => Date.now(), token: () => token });
  const isRead = ({ path }: { readonly path: string }) => path.endsWith('/refund_quotes');
  const server = await startShopServer({ port: 0, answer: store.answer, isRead, lateMs: 100_000 });
  let last = 900;
  const refundsOf = (orderId: string): readonly Json[] => store.orders.get(orderId)?.refunds ?? [];
  return {
    platform: 'bigcommerce',
    source,
    access: { accessToken: token, apiUrl: `${server.url}/stores/${source}` },
    translator,
    actions: ['refund'],
    currency: 'USD',
    receivesOnce: false,
    sell: () => {
      last += 1;
      const product = (id: number, quantity: number, total: string) =>
        documentedProduct({ id, quantity, total_inc_tax: total, discounted_total_inc_tax: total, total_tax: '0.5000' });
      store.put(
        documentedOrder({
          id: last,
          date_created: daysAgo(6),
          date_shipped: daysAgo(4),
          total_inc_tax: '47.3500',
          providers: ['stripe'],
        }),
        [product(65, 3, '30.0000'), product(66, 1, '5.3500')],
      );
      const lines = [
        { orderLineId: '65', quantity: 3 },
        { orderLineId: '66', quantity: 1 },
      ];
      return { orderId: String(last), lines };
    },
    reports: (orderId) => [{ topic: 'store/order/updated', body: { data: { id: Number(orderId) } } }],
    paid: (orderId) =>
      refundsOf(orderId).map(({ id, total_amount: amount, items }) => {
        const mark = String(nodesIn(items)[0]?.['reason']);
        return { externalId: String(id), amount: centsOf(amount), mark, isOurs: mark.includes('[wbi_') };
      }),
    refundByHand: (orderId, amount) =>
      void store.answer({
        method: 'POST',
        path: `/stores/${source}/v3/orders/${orderId}/payment_actions/refunds`,
        headers: { 'x-auth-token': token },
        body: JSON.stringify({
          items: [{ item_type: 'ORDER', item_id: Number(orderId), amount: amount / 100, reason: 'by hand' }],
          payments: [{ provider_id: 'stripe', amount: amount / 100, offline: false }],
        }),
      }),
    ...wireFaultsOf(server, {}),
    ofKeptUnits: [],
    isMoneySafe: false,
    close: server.close,
  };
};
