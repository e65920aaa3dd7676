import { generateKeyPairSync } from 'node:crypto';
import type { Order } from '../saleor/refunds.ts';
import { openSaleor } from '../saleor/shop.ts';
import { startShopServer } from '../shop-server.ts';
import { saleorHeaders, saleorSignature } from '../../../signing/sign-delivery.ts';
import { numbersFrom, type ShopDelivery, type StartServedShop } from './served-shop.ts';

const token = 'local-saleor-token';
const currency = 'EUR';
const money = (amount: number) => ({ amount, currency });
const taxed = (amount: number) => ({ currency, gross: money(amount), net: money(amount) });

const idOf = (type: string, key: string): string => Buffer.from(`${type}:${key}`).toString('base64');
const uuidOf = (number: number): string => `0d3ec4b0-5b1f-4c5e-9d3a-${String(number).padStart(12, '0')}`;

const fulfillmentOf = (number: number, status: string, lineId: string, quantity: number, now: string) => ({
  id: idOf('Fulfillment', String(number)),
  status,
  created: now,
  totalRefundedAmount: null,
  shippingRefundedAmount: null,
  lines: [{ id: idOf('FulfillmentLine', String(number)), quantity, orderLine: { id: lineId } }],
});

const orderOf = (number: number, now: string): Order => {
  const lineId = idOf('OrderLine', uuidOf(number));
  return {
    id: idOf('Order', uuidOf(number)),
    number: String(number),
    created: now,
    updatedAt: now,
    origin: 'CHECKOUT',
    userEmail: 'ada@example.com',
    user: null,
    channel: { slug: 'default-channel' },
    billingAddress: { firstName: 'Ada', lastName: 'Byron' },
    shippingAddress: { country: { code: 'DE' }, countryArea: '' },
    lines: [
      {
        id: lineId,
        productName: 'Shirt',
        variantName: 'M',
        productSku: 'SHIRT-M',
        quantity: 2,
        quantityFulfilled: 2,
        undiscountedUnitPrice: taxed(19.95),
        totalPrice: taxed(39.9),
        taxRate: 0,
        variant: { id: 'v', product: { id: idOf('Product', '7'), category: { id: 'c', name: 'Apparel' } } },
      },
    ],
    total: taxed(44.9),
    shippingPrice: taxed(5),
    shippingTaxRate: 0,
    giftCards: [],
    fulfillments: [fulfillmentOf(number * 10, 'FULFILLED', lineId, 2, now)],
    transactions: [
      {
        id: idOf('TransactionItem', uuidOf(number)),
        name: 'Card',
        chargedAmount: money(44.9),
        refundedAmount: money(0),
        events: [],
      },
    ],
    grantedRefunds: [],
  };
};

/** Starts a Saleor. It signs with a key of its own, which it publishes. Staff takes goods back. */
export const startSaleor: StartServedShop = async (port, deliver) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwks = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig', kid: '1' }] });
  const shop = openSaleor({ clock: Date.now, token, reasons: true });
  const nextId = numbersFrom(Date.now());
  let source = '';

  const delivery = (topic: string, orderId: string): ShopDelivery => {
    const body = Buffer.from(JSON.stringify({ issuedAt: new Date().toISOString(), order: { id: orderId } }));
    const signature = saleorSignature(body, privateKey);
    const headers = { 'content-type': 'application/json', ...saleorHeaders(signature, { topic, source }) };
    return { by: 'http', path: `saleor/${source}`, headers, body };
  };
  const sell = (): string => {
    const order = orderOf(nextId(), new Date().toISOString());
    shop.orders.set(order.id, order);
    return order.id;
  };

  const server = await startShopServer({
    port,
    isRead: ({ body }) => body.startsWith('{"query":"query'),
    answer: (request) => {
      if (request.path === '/.well-known/jwks.json') return { status: 200, body: jwks };
      const before = new Map(shop.orders);
      const reply = shop.answer(request);
      for (const [id, order] of shop.orders) if (before.get(id) !== order) deliver(delivery('order_updated', id));
      return reply;
    },
  });
  source = new URL(server.url).host;
  return {
    url: server.url,
    source,
    entries: {
      webhooks: { keyOrigin: server.url },
      api: { accessToken: token, apiUrl: `${server.url}/graphql/` },
    },
    sell,
    hasOrder: (orderId) => shop.orders.has(orderId),
    acts: {
      order: (orderId) => ({ delivery: delivery('order_fulfilled', orderId) }),
      return: (orderId) => {
        const order = shop.orders.get(orderId);
        if (order === undefined) return {};
        const now = new Date().toISOString();
        const back = fulfillmentOf(nextId(), 'RETURNED', order.lines[0]?.id ?? '', 1, now);
        const fulfillments = [...(order['fulfillments'] as readonly object[]), back];
        shop.orders.set(orderId, { ...order, updatedAt: now, fulfillments });
        return { returnId: back.id, delivery: delivery('fulfillment_created', orderId) };
      },
    },
    close: server.close,
  };
};
