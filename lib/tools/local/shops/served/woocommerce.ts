import { randomUUID } from 'node:crypto';
import { startShopServer } from '../shop-server.ts';
import { signDelivery } from '../../../signing/sign-delivery.ts';
import type { Json } from '../woocommerce/refunds.ts';
import { openSite } from '../woocommerce/site.ts';
import { numbersFrom, type ServedShop, type ShopDelivery, type StartServedShop } from './served-shop.ts';

const source = 'local';
const secret = 'local-woocommerce-webhook-secret';
const [consumerKey, consumerSecret] = ['ck_local', 'cs_local'] as const;

const line = (id: number, sku: string, quantity: number, cents: number): Json => {
  const total = ((quantity * cents) / 100).toFixed(2);
  return {
    id,
    name: sku,
    product_id: id,
    variation_id: 0,
    quantity,
    subtotal: total,
    subtotal_tax: '0.00',
    total,
    total_tax: '0.00',
    taxes: [],
    meta_data: [],
    sku,
    price: cents / 100,
  };
};

const orderOf = (id: number, now: string): Json => ({
  id,
  number: String(id),
  status: 'completed',
  currency: 'EUR',
  date_created_gmt: now,
  date_modified_gmt: now,
  date_paid_gmt: now,
  date_completed_gmt: now,
  discount_total: '0.00',
  shipping_total: '5.00',
  total: '64.90',
  total_tax: '0.00',
  prices_include_tax: false,
  customer_id: 1,
  billing: { first_name: 'Ada', last_name: 'Byron', country: 'DE', email: 'ada@example.com' },
  shipping: { first_name: 'Ada', last_name: 'Byron', country: 'DE' },
  payment_method: 'stripe',
  transaction_id: `pi_${id}`,
  meta_data: [],
  line_items: [line(id * 10 + 1, 'SHIRT-M', 2, 1995), line(id * 10 + 2, 'MUG', 1, 2000)],
  tax_lines: [],
  shipping_lines: [
    { id: id * 10 + 3, method_title: 'Flat rate', method_id: 'flat_rate', total: '5.00', total_tax: '0.00', taxes: [] },
  ],
  fee_lines: [],
});

/** Starts a WooCommerce site. Its core has no returns: staff refunds. */
export const startWooCommerce: StartServedShop = async (port, deliver): Promise<ServedShop> => {
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  const site = openSite({ clock: Date.now, authorization: () => authorization, mayWrite: () => true });
  const nextId = numbersFrom(Date.now());

  const delivery = (event: 'created' | 'updated', orderId: string): ShopDelivery => {
    const body = Buffer.from(JSON.stringify(site.orders.get(orderId)));
    const signing = { secret, source, topic: `order.${event}`, id: randomUUID(), at: Date.now() };
    return { by: 'http', path: `woocommerce/${source}`, headers: signDelivery('woocommerce', body, signing), body };
  };
  const sell = (): string => {
    const id = nextId();
    site.put(orderOf(id, new Date().toISOString().slice(0, 19)));
    return String(id);
  };

  const server = await startShopServer({
    port,
    answer: (request) => {
      const reply = site.answer(request);
      const [, orderId, part] = /\/orders\/(\d+)(?:\/(\w+))?/.exec(request.path) ?? [];
      // A note changes no order.
      if (request.method !== 'GET' && orderId !== undefined && part !== 'notes' && site.orders.has(orderId))
        deliver(delivery('updated', orderId));
      return reply;
    },
  });
  return {
    url: server.url,
    source,
    entries: {
      webhooks: { webhookSecrets: [secret] },
      api: { consumerKey, consumerSecret, apiUrl: server.url },
    },
    sell,
    hasOrder: (orderId) => site.orders.has(orderId),
    acts: {
      order: (orderId) => ({ delivery: delivery('created', orderId) }),
      refund: (orderId) => {
        const items = site.orders.get(orderId)?.['line_items'] as readonly Json[] | undefined;
        site.refundByHand(orderId, {
          amount: '19.95',
          reason: 'by staff',
          line_items: [{ id: items?.[0]?.['id'], quantity: 1, refund_total: '19.95' }],
        });
        return { delivery: delivery('updated', orderId) };
      },
    },
    close: server.close,
  };
};
