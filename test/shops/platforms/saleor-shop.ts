import type { KeyObject } from 'node:crypto';
import { openSaleor } from '../../../lib/tools/local/shops/saleor/shop.ts';
import { startServer, type Answer } from '../../support/http-server.ts';
import { jwksOf } from './saleor-keys.ts';

type Json = Readonly<Record<string, unknown>>;

/** Returns an id in Saleor's format. */
export const globalId = (type: string, key: string | number): string =>
  Buffer.from(`${type}:${key}`).toString('base64');
export const uuid = (number: number): string => `0d3ec4b0-5b1f-4c5e-9d3a-${String(number).padStart(12, '0')}`;

export const eur = (amount: number) => ({ amount, currency: 'EUR' });
export const taxed = (gross: number, net: number, currency = 'EUR') => ({
  currency,
  gross: { amount: gross, currency },
  net: { amount: net, currency },
});

export const shirt = globalId('OrderLine', uuid(101));
export const mug = globalId('OrderLine', uuid(102));

export const line = (id: string, quantity: number, unit: number, total: number, net: number, more: Json = {}) => ({
  id,
  productName: id === shirt ? 'Shirt' : 'Mug',
  variantName: 'L',
  productSku: id === shirt ? 'SHIRT-L' : null,
  quantity,
  quantityFulfilled: quantity,
  undiscountedUnitPrice: taxed(unit, unit),
  totalPrice: taxed(total, net),
  taxRate: 0.19,
  variant: { id: 'v', product: { id: globalId('Product', 7), category: { id: 'c', name: 'Apparel' } } },
  ...more,
});

/** Returns a fulfillment with its units by order line. */
export const fulfillment = (
  key: number,
  status: string,
  units: readonly (readonly [string, number])[],
  more: Json = {},
) => ({
  id: globalId('Fulfillment', key),
  status,
  created: `2026-11-0${key}T10:00:00.123456+00:00`,
  totalRefundedAmount: null,
  shippingRefundedAmount: null,
  lines: units.map(([id, quantity], index) => ({
    id: globalId('FulfillmentLine', key * 10 + index),
    quantity,
    orderLine: { id },
  })),
  ...more,
});

/** Returns an event of a transaction. */
export const event = (key: number, type: string, amount: number, more: Json = {}) => ({
  id: globalId('TransactionEvent', key),
  type,
  createdAt: `2026-11-${10 + key}T10:00:00+00:00`,
  pspReference: `psp-${key}`,
  amount: eur(amount),
  ...more,
});

export const transaction = (...events: readonly ReturnType<typeof event>[]) => ({
  id: globalId('TransactionItem', uuid(900)),
  name: 'Card',
  refundedAmount: eur(events.filter(({ type }) => type === 'REFUND_SUCCESS').length),
  events,
});

/** Returns a granted refund with its units by order line, and the events that paid it. */
export const grant = (
  key: number,
  amount: number,
  units: readonly (readonly [string, number])[],
  events: readonly { readonly id: string }[],
  more: Json = {},
) => ({
  id: globalId('OrderGrantedRefund', key),
  status: 'SUCCESS',
  updatedAt: `2026-11-${20 + key}T10:00:00+00:00`,
  amount: eur(amount),
  shippingCostsIncluded: false,
  lines: units.map(([id, quantity]) => ({ quantity, orderLine: { id } })),
  transactionEvents: events,
  ...more,
});

/** Two shirts for 39.98 less 3.98, three mugs for 10.00, shipping for 4.90. */
export const order = (number: number, more: Json = {}) => ({
  id: globalId('Order', uuid(number)),
  number: String(number),
  created: '2026-11-01T09:00:00.000000+01:00',
  updatedAt: `2026-11-20T10:00:${String(number).padStart(2, '0')}.000001+00:00`,
  origin: 'CHECKOUT',
  userEmail: 'ann@example.com',
  user: null,
  channel: { slug: 'default-channel' },
  billingAddress: null as { firstName: string; lastName: string } | null,
  shippingAddress: { country: { code: 'DE' }, countryArea: 'Berlin' },
  lines: [line(shirt, 2, 19.99, 36, 30.25), line(mug, 3, 3.33, 10, 8.4)],
  total: taxed(50.9, 42.77),
  shippingPrice: taxed(4.9, 4.12),
  shippingTaxRate: 0.19,
  giftCards: [],
  fulfillments: [],
  transactions: [],
  grantedRefunds: [],
  ...more,
});

export type OrderFixture = ReturnType<typeof order>;

/**
 * Starts a Saleor API on a local port. It checks each query against the schema, and the token.
 * It publishes `publicKey` as the key of its deliveries.
 */
export const startSaleor = async ({ reasons = true, publicKey }: { reasons?: boolean; publicKey?: KeyObject } = {}) => {
  const token = 'the-token-of-the-app';
  const failures: Answer[] = [];
  const shop = openSaleor({ clock: () => Date.now(), token, reasons });
  const server = await startServer((request) => {
    const { method, path } = request;
    if (path === '/.well-known/jwks.json' && publicKey !== undefined)
      return { status: 200, body: JSON.stringify(jwksOf(publicKey)) };
    if (method !== 'POST' || path !== '/graphql/') return { status: 404 };
    return failures.shift() ?? shop.answer(request);
  });
  return {
    entry: { accessToken: token, apiUrl: `${server.origin}/graphql/`, keyOrigin: server.origin },
    put: (one: OrderFixture) => void shop.orders.set(one.id, one),
    fail: (...answers: readonly Answer[]) => void failures.push(...answers),
    requestCount: () => server.requests.length,
    close: () => server[Symbol.asyncDispose](),
  };
};
