import { randomUUID } from 'node:crypto';
import type { Node } from '../medusa/order-changes.ts';
import { openMedusaShop } from '../medusa/shop.ts';
import { type ShopRequest, startShopServer } from '../shop-server.ts';
import { signDelivery } from '../../../signing/sign-delivery.ts';
import { numbersFrom, type ShopDelivery, type StartServedShop } from './served-shop.ts';

const source = 'local';
const secret = `whsec_${Buffer.from('local-medusa-webhook-secret-0001').toString('base64')}`;
const apiKey = 'sk_local';

const itemOf = (id: string, title: string, price: number, quantity: number): Node => ({
  id,
  title,
  product_title: title,
  product_id: `prod_${title}`,
  variant_sku: title.toUpperCase(),
  unit_price: price,
  quantity,
  is_tax_inclusive: true,
  tax_total: 0,
  discount_total: 0,
  tax_lines: [],
  adjustments: [],
  detail: { fulfilled_quantity: quantity, shipped_quantity: quantity },
});

const orderOf = (number: number, now: string): Node => {
  const [id, shirt] = [`order_${number}`, `ordli_${number}_1`];
  const payment = {
    id: `pay_${number}`,
    amount: 44.9,
    currency_code: 'eur',
    provider_id: 'pp_stripe_stripe',
    updated_at: now,
    captures: [{ id: `capt_${number}`, amount: 44.9 }],
    refunds: [],
    payment_collection: { id: `paycol_${number}`, order: { id } },
  };
  return {
    id,
    display_id: number,
    custom_display_id: null,
    status: 'completed',
    version: 1,
    currency_code: 'eur',
    email: 'ada@example.com',
    customer_id: 'cus_1',
    created_at: now,
    updated_at: now,
    summary: { pending_difference: 0, current_order_total: 44.9 },
    customer: { id: 'cus_1', first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com' },
    shipping_address: { country_code: 'de' },
    items: [itemOf(shirt, 'Shirt', 19.95, 2)],
    shipping_methods: [
      {
        id: `ordsm_${number}`,
        name: 'Standard',
        amount: 5,
        is_tax_inclusive: true,
        tax_lines: [],
        adjustments: [],
        detail: { id: `ordspmv_${number}`, return_id: null, claim_id: null, exchange_id: null },
      },
    ],
    fulfillments: [
      {
        id: `ful_${number}`,
        location_id: 'sloc_1',
        shipped_at: now,
        delivered_at: null,
        canceled_at: null,
        items: [{ id: `fulit_${number}`, line_item_id: shirt, quantity: 2 }],
      },
    ],
    payment_collections: [{ id: `paycol_${number}`, payments: [payment] }],
    transactions: [],
  };
};

const reasons: readonly Node[] = [
  { id: 'rr_1', value: 'too_small', label: 'Too small', return_reason_children: [] },
  { id: 'rr_2', value: 'wrong_size', label: 'Wrong size', return_reason_children: [] },
];

/** Starts a Medusa shop. Its subscriber reports returns and refunds, and no orders. */
export const startMedusa: StartServedShop = async (port, deliver) => {
  const nextId = numbersFrom(Date.now());
  const shop = openMedusaShop({ clock: Date.now, apiKey: () => apiKey, firstId: nextId() });
  shop.hold({ reasons: [...reasons] });

  const delivery = (type: string, data: Node): ShopDelivery => {
    const at = Date.now();
    const body = Buffer.from(JSON.stringify({ type, timestamp: new Date(at).toISOString(), data }));
    const headers = signDelivery('medusa', body, { secret, source, topic: type, id: `msg_${randomUUID()}`, at });
    return { by: 'http', path: `medusa/${source}`, headers, body };
  };
  const ofReturn = (type: string, returnId: string): ShopDelivery => {
    const found = shop.shelf.returns.find(({ id }) => id === returnId);
    return delivery(type, { order_id: found?.['order_id'], return_id: returnId });
  };

  /** Returns what a request has changed, as events of the shop. A cancelled return has none. */
  const deliveriesAfter = ({ method, path }: ShopRequest): readonly ShopDelivery[] => {
    const [name, id = '', ...rest] = new URL(path, 'http://shop.invalid').pathname.split('/').slice(2);
    const step = `${method} ${name} ${rest.join('/')}`;
    if (step === 'POST returns request') return [ofReturn('order.return_requested', id)];
    if (step === 'POST returns receive/confirm') return [ofReturn('order.return_received', id)];
    return step === 'POST payments refund' ? [delivery('payment.refunded', { id })] : [];
  };

  const authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
  /** Sends a request of the staff. */
  const ask = (path: string, fields: Node): Node => {
    const request = {
      method: 'POST',
      path: `/admin/${path}`,
      headers: { authorization },
      body: JSON.stringify(fields),
    };
    return JSON.parse(shop.answer(request).body) as Node;
  };
  const sell = (): string => {
    const order = orderOf(nextId(), new Date().toISOString());
    shop.shelf.orders.push(order);
    return String(order['id']);
  };
  const takeBack = (orderId: string): string => {
    const items = shop.shelf.orders.find(({ id }) => id === orderId)?.['items'] as readonly Node[];
    const { id } = ask('returns', { order_id: orderId, location_id: 'sloc_1' })['return'] as { readonly id: string };
    ask(`returns/${id}/request-items`, { items: [{ id: items[0]?.['id'], quantity: 1, reason_id: 'rr_1' }] });
    ask(`returns/${id}/request`, {});
    return id;
  };

  const server = await startShopServer({
    port,
    answer: (request) => {
      const reply = shop.answer(request);
      if (reply.status === 200) for (const sent of deliveriesAfter(request)) deliver(sent);
      return reply;
    },
  });
  return {
    url: server.url,
    source,
    entries: { webhooks: { webhookSecrets: [secret] }, api: { secretApiKey: apiKey, apiUrl: server.url } },
    sell,
    hasOrder: (orderId) => shop.shelf.orders.some(({ id }) => id === orderId),
    acts: {
      order: () => ({}),
      return: (orderId) => {
        const returnId = takeBack(orderId);
        return { returnId, delivery: ofReturn('order.return_requested', returnId) };
      },
    },
    close: server.close,
  };
};
