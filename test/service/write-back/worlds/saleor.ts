import { callApi } from '../../../../lib/shops/platforms/saleor/api.ts';
import { orderFacts } from '../../../../lib/shops/platforms/saleor/facts.ts';
import { translator } from '../../../../lib/shops/platforms/saleor/platform.ts';
import { type OrderNode, orderQuery } from '../../../../lib/shops/platforms/saleor/queries.ts';
import { openSaleor } from '../../../../lib/tools/local/shops/saleor/shop.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { eur, globalId, mug, order, shirt, uuid } from '../../../shops/platforms/saleor-shop.ts';
import { ampleDeadline } from '../../../support/time.ts';
import { wireFaultsOf } from './wire-faults.ts';
import { centsOf, daysAgo, type ShopWorld, valueOf } from './world.ts';

const source = 'lives';
const token = 'the-token-of-the-lives';

/** Starts a Saleor shop without orders. */
export const startSaleorWorld = async (): Promise<ShopWorld> => {
  const shop = openSaleor({ clock: () => Date.now(), token, reasons: true });
  const isRead = ({ body }: { readonly body: string }) => body.startsWith('{"query":"query');
  const server = await startShopServer({ port: 0, answer: shop.answer, isRead, lateMs: 50_000 });
  let last = 0;
  return {
    platform: 'saleor',
    source,
    access: { accessToken: token, apiUrl: `${server.url}/graphql/`, keyOrigin: server.url },
    translator,
    actions: ['refund'],
    currency: 'EUR',
    receivesOnce: false,
    sell: () => {
      last += 1;
      const [id, created] = [globalId('TransactionItem', uuid(last)), daysAgo(6)];
      const transaction = { id, name: 'Card', chargedAmount: eur(50.9), refundedAmount: eur(0), events: [] };
      const sold = order(last, { created, updatedAt: created, transactions: [transaction] });
      shop.orders.set(sold.id, sold);
      const lines = [
        { orderLineId: shirt, quantity: 2 },
        { orderLineId: mug, quantity: 3 },
      ];
      return { orderId: sold.id, lines };
    },
    facts: async (id) => {
      const shopOf = { source, deadline: ampleDeadline() };
      const { data } = valueOf(await callApi<{ order: OrderNode }>(shopOf, orderQuery, { id }));
      return valueOf(orderFacts(data.order, { whole: true, observedAt: new Date().toISOString() }));
    },
    reports: (orderId) => [{ topic: 'order_updated', body: { order: { id: orderId } } }],
    paid: (orderId) =>
      (shop.orders.get(orderId)?.grantedRefunds ?? []).flatMap(({ id, reason, transactionEvents }) => {
        const mark = String(reason);
        return transactionEvents
          .filter(({ type }) => type === 'REFUND_SUCCESS')
          .map((event) => ({
            externalId: event.id,
            amount: centsOf(event.amount.amount),
            mark: mark.includes('[wbi_') ? mark : id,
            isOurs: mark.includes('[wbi_'),
          }));
      }),
    refundByHand: (orderId, amount) => shop.refundByHand(orderId, amount / 100),
    pass: () => shop.runApp(),
    ...wireFaultsOf(server, { inSteps: true, isGuarded: true }),
    ofKeptUnits: [],
    isMoneySafe: false,
    close: server.close,
  };
};
