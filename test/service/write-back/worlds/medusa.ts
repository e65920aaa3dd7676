import { orderFacts } from '../../../../lib/shops/platforms/medusa/facts.ts';
import { fetchOrder } from '../../../../lib/shops/platforms/medusa/order.ts';
import type { OrderFacts } from '../../../../lib/shops/platforms/platform.ts';
import { translator } from '../../../../lib/shops/platforms/medusa/platform.ts';
import { type Node, nodesIn } from '../../../../lib/tools/local/shops/medusa/order-changes.ts';
import { openMedusaShop } from '../../../../lib/tools/local/shops/medusa/shop.ts';
import { startShopServer } from '../../../../lib/tools/local/shops/shop-server.ts';
import { medusaOrder, reasons } from '../../../shops/platforms/effects/medusa-case.ts';
import { ampleDeadline } from '../../../support/time.ts';
import { wireFaultsOf } from './wire-faults.ts';
import { centsOf, daysAgo, type ShopWorld, valueOf } from './world.ts';

const apiKey = 'sk_lives0123456789ab';

/** Returns an order whose parts no other order has. */
const orderOf = (number: number): Node => {
  const id = `order_${String(number).padStart(26, '0')}`;
  const order = medusaOrder();
  const [at, shipped, delivered] = [daysAgo(6), daysAgo(5), daysAgo(3)];
  const items = nodesIn(order['items']);
  const [collection = {}] = nodesIn(order['payment_collections']);
  const [payment = {}] = nodesIn(collection['payments']);
  return {
    ...order,
    id,
    created_at: at,
    updated_at: at,
    display_id: number,
    fulfillments: [
      {
        id: `ful_${number}`,
        location_id: 'sloc_1',
        shipped_at: shipped,
        delivered_at: delivered,
        canceled_at: null,
        items: items.map((item, index) => ({
          id: `fulit_${number}_${index}`,
          line_item_id: item['id'],
          quantity: item['quantity'],
        })),
      },
    ],
    payment_collections: [
      { payments: [{ ...payment, id: `pay_${number}`, payment_collection: { id: 'paycol', order: { id } } }] },
    ],
  };
};

/** Returns the facts of an order, as a merchant registers them. */
export const readFacts = async (source: string, orderId: string): Promise<OrderFacts> =>
  valueOf(orderFacts(valueOf(await fetchOrder({ source, deadline: ampleDeadline() }, orderId))));

/** Starts a Medusa shop without orders. */
export const startMedusaWorld = async (): Promise<ShopWorld> => {
  const shop = openMedusaShop({ clock: () => Date.now(), apiKey: () => apiKey });
  const server = await startShopServer({ port: 0, answer: shop.answer, lateMs: 50_000 });
  shop.hold({ reasons: [...reasons] });
  let last = 0;
  const paymentOf = (orderId: string): Node => {
    const order = shop.shelf.orders.find(({ id }) => id === orderId) ?? {};
    return nodesIn(nodesIn(order['payment_collections'])[0]?.['payments'])[0] ?? {};
  };
  return {
    platform: 'medusa',
    source: 'lives',
    access: { secretApiKey: apiKey, apiUrl: server.url },
    translator,
    actions: ['approve', 'reject', 'cancel', 'inspect', 'refund'],
    currency: 'EUR',
    receivesOnce: true,
    sell: () => {
      last += 1;
      const order = orderOf(last);
      shop.shelf.orders.push(order);
      shop.shelf.payments.push(...nodesIn(nodesIn(order['payment_collections'])[0]?.['payments']));
      const lines = nodesIn(order['items']).map(({ id, quantity }) => ({
        orderLineId: String(id),
        quantity: Number(quantity),
      }));
      return { orderId: String(order['id']), lines };
    },
    facts: async (orderId) => readFacts('lives', orderId),
    reports: (orderId) => [
      { topic: 'order.return_received', body: { data: { order_id: orderId } } },
      ...(nodesIn(paymentOf(orderId)['refunds']).length === 0
        ? []
        : [{ topic: 'payment.refunded', body: { data: { id: paymentOf(orderId)['id'] } } }]),
    ],
    paid: (orderId) =>
      nodesIn(paymentOf(orderId)['refunds']).map(({ id, amount, note }) => ({
        externalId: String(id),
        amount: centsOf(amount),
        mark: String(note),
        isOurs: String(note).includes('[wbi_'),
      })),
    refundByHand: (orderId, amount) => {
      const left =
        7570 - nodesIn(paymentOf(orderId)['refunds']).reduce((sum, node) => sum + Number(node['amount']), 0) * 100;
      if (amount <= left) shop.refundByHand(String(paymentOf(orderId)['id']), amount / 100);
    },
    ...wireFaultsOf(server, { inSteps: true }),
    ofKeptUnits: ['units_not_returnable'],
    isMoneySafe: false,
    close: server.close,
  };
};
