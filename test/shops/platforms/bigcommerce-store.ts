import type { Json } from '../../../lib/tools/local/shops/bigcommerce/refunds.ts';
import { openStore } from '../../../lib/tools/local/shops/bigcommerce/store.ts';
import { standardHeaders } from '../../../lib/tools/signing/sign-delivery.ts';
import { startServer, type Answer } from '../../support/http-server.ts';

/** An order as in the V2 API's documentation, shortened. */
export const documentedOrder = (changes: Json = {}): Json => ({
  id: 250,
  customer_id: 11,
  date_created: 'Tue, 05 Mar 2019 21:40:11 +0000',
  date_modified: 'Mon, 11 Mar 2019 15:17:25 +0000',
  date_shipped: 'Thu, 07 Mar 2019 09:00:00 +0000',
  status_id: 2,
  status: 'Shipped',
  shipping_cost_ex_tax: '11.0900',
  shipping_cost_inc_tax: '12.0000',
  shipping_cost_tax: '0.9100',
  handling_cost_ex_tax: '0.0000',
  handling_cost_inc_tax: '0.0000',
  handling_cost_tax: '0.0000',
  wrapping_cost_ex_tax: '0.0000',
  wrapping_cost_inc_tax: '0.0000',
  wrapping_cost_tax: '0.0000',
  total_ex_tax: '64.5300',
  total_inc_tax: '75.6400',
  total_tax: '10.1500',
  is_tax_inclusive_pricing: false,
  refunded_amount: '0.0000',
  store_credit_amount: '0.0000',
  gift_certificate_amount: '0.0000',
  currency_code: 'EUR',
  default_currency_code: 'USD',
  billing_address: {
    first_name: 'Jane',
    last_name: 'Doe',
    state: 'Texas',
    country_iso2: 'US',
    email: 'janedoe@example.com',
  },
  order_source: 'www',
  consignments: [{ shipping: [{ id: 99, state: 'Ontario', country_iso2: 'CA' }] }],
  fees: [],
  ...changes,
});

/** A product of an order, with its part of a discount on the order. */
export const documentedProduct = (changes: Json = {}): Json => ({
  id: 65,
  order_id: 250,
  product_id: 77,
  variant_id: 0,
  name: 'Fog Linen Chambray Towel - Beige Stripe',
  sku: 'S-ORAN',
  type: 'physical',
  base_price: '55.9900',
  price_ex_tax: '55.9900',
  price_inc_tax: '65.2300',
  total_ex_tax: '55.9900',
  total_inc_tax: '65.2300',
  total_tax: '9.2400',
  quantity: 1,
  quantity_shipped: 1,
  quantity_refunded: 0,
  return_id: 0,
  parent_order_product_id: null,
  brand: 'BigCommerce',
  applied_discounts: [{ id: 'manual-discount', amount: '1.5900', code: null, target: 'order' }],
  discounted_total_inc_tax: '63.6400',
  ...changes,
});

/** A refund as in the V3 API's documentation. */
export const documentedRefund = (changes: Json = {}): Json => ({
  id: 3,
  order_id: 250,
  user_id: 0,
  created: '2022-06-16T16:44:15+00:00',
  reason: 'Customer requires a refund.',
  total_amount: 50,
  total_tax: 5,
  uses_merchant_override_values: false,
  payments: [{ id: 13, provider_id: 'stripe', amount: 50, offline: false, is_declined: false, declined_message: '' }],
  items: [{ item_type: 'PRODUCT', item_id: 65, quantity: 1, requested_amount: null }],
  ...changes,
});

/** Returns the headers of a delivery, signed with the bytes of the client secret or with a key. */
export const signed = (body: Buffer, secret: string | Buffer, { id = 'msg_1', at = Date.now() } = {}) => ({
  ...standardHeaders(body, secret, { id, at }),
});

/** Starts the used part of a BigCommerce store's API; `fail` replaces the next answers. */
export const startStore = async (hash: string) => {
  const failures: Answer[] = [];
  let token = 'none';
  const store = openStore({ hash, clock: () => Date.now(), token: () => token });
  const server = await startServer((request) => failures.shift() ?? store.answer(request));
  return {
    server,
    url: `${server.origin}/stores/${hash}`,
    orders: store.orders,
    accept: (accessToken: string) => void (token = accessToken),
    fail: (...answers: readonly Answer[]) => void failures.push(...answers),
    put: store.put,
  };
};
