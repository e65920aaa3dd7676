import { randomUUID } from 'node:crypto';
import { openStore } from '../bigcommerce/store.ts';
import type { Json, StoredOrder } from '../bigcommerce/refunds.ts';
import { startShopServer } from '../shop-server.ts';
import { signDelivery } from '../../../signing/sign-delivery.ts';
import { numbersFrom, type ShopDelivery, type StartServedShop } from './served-shop.ts';

const source = 'local';
const secret = 'local-bigcommerce-client-secret';
const token = 'local-bigcommerce-token';

const orderOf = (id: number, now: Date): Json => ({
  id,
  customer_id: 11,
  date_created: now.toUTCString(),
  date_modified: now.toUTCString(),
  date_shipped: now.toUTCString(),
  status_id: 2,
  status: 'Shipped',
  shipping_cost_ex_tax: '5.0000',
  shipping_cost_inc_tax: '5.0000',
  shipping_cost_tax: '0.0000',
  handling_cost_ex_tax: '0.0000',
  handling_cost_inc_tax: '0.0000',
  handling_cost_tax: '0.0000',
  wrapping_cost_ex_tax: '0.0000',
  wrapping_cost_inc_tax: '0.0000',
  wrapping_cost_tax: '0.0000',
  total_ex_tax: '44.9000',
  total_inc_tax: '44.9000',
  total_tax: '0.0000',
  is_tax_inclusive_pricing: false,
  refunded_amount: '0.0000',
  store_credit_amount: '0.0000',
  gift_certificate_amount: '0.0000',
  currency_code: 'EUR',
  default_currency_code: 'EUR',
  billing_address: { first_name: 'Ada', last_name: 'Byron', country_iso2: 'DE', email: 'ada@example.com' },
  order_source: 'www',
  consignments: [{ shipping: [{ id: 99, country_iso2: 'DE' }] }],
  fees: [],
});

const productOf = (orderId: number): Json => ({
  id: orderId * 10 + 1,
  order_id: orderId,
  product_id: 77,
  variant_id: 0,
  name: 'Shirt',
  sku: 'SHIRT-M',
  type: 'physical',
  base_price: '19.9500',
  price_ex_tax: '19.9500',
  price_inc_tax: '19.9500',
  total_ex_tax: '39.9000',
  total_inc_tax: '39.9000',
  total_tax: '0.0000',
  quantity: 2,
  quantity_shipped: 2,
  quantity_refunded: 0,
  return_id: 0,
  parent_order_product_id: null,
  applied_discounts: [],
  discounted_total_inc_tax: '39.9000',
});

const refundOf = (id: number, { order, products }: StoredOrder, now: Date): Json => ({
  id,
  order_id: order['id'],
  user_id: 1,
  created: now.toISOString(),
  reason: 'by staff',
  total_amount: 19.95,
  total_tax: 0,
  uses_merchant_override_values: false,
  payments: [{ id, provider_id: 'stripe', amount: 19.95, offline: false, is_declined: false, declined_message: '' }],
  items: [{ item_type: 'PRODUCT', item_id: products[0]?.['id'], quantity: 1, requested_amount: null }],
});

/** Starts a BigCommerce store. It has no returns: staff refunds. */
export const startBigCommerce: StartServedShop = async (port, deliver) => {
  const store = openStore({ hash: source, clock: Date.now, token: () => token });
  const nextId = numbersFrom(Date.now());

  const delivery = (scope: string, orderId: string): ShopDelivery => {
    const at = Date.now();
    const data = { type: 'order', id: Number(orderId) };
    const content = { scope, store_id: '1', data, hash: randomUUID(), created_at: Math.floor(at / 1000) };
    const body = Buffer.from(JSON.stringify({ ...content, producer: `stores/${source}` }));
    const headers = signDelivery('bigcommerce', body, { secret, source, topic: scope, id: randomUUID(), at });
    return { by: 'http', path: 'bigcommerce', headers, body };
  };
  const sell = (): string => {
    const id = nextId();
    store.put(orderOf(id, new Date()), [productOf(id)]);
    return String(id);
  };

  const server = await startShopServer({
    port,
    isRead: ({ path }) => path.endsWith('/refund_quotes'),
    answer: (request) => {
      const reply = store.answer(request);
      const [, orderId] = /\/orders\/(\d+)\/payment_actions\/refunds$/.exec(request.path) ?? [];
      if (request.method === 'POST' && orderId !== undefined && reply.status === 201)
        deliver(delivery('store/order/refund/created', orderId));
      return reply;
    },
  });
  return {
    url: server.url,
    source,
    entries: {
      webhooks: { webhookSecrets: [secret] },
      api: { accessToken: token, apiUrl: `${server.url}/stores/${source}` },
    },
    sell,
    hasOrder: (orderId) => store.orders.has(orderId),
    acts: {
      order: (orderId) => ({ delivery: delivery('store/order/created', orderId) }),
      refund: (orderId) => {
        const stored = store.orders.get(orderId);
        if (stored !== undefined)
          store.put(stored.order, stored.products, ...stored.refunds, refundOf(nextId(), stored, new Date()));
        return { delivery: delivery('store/order/refund/created', orderId) };
      },
    },
    close: server.close,
  };
};
