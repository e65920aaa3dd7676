import type { Json } from '../../../lib/tools/local/shops/woocommerce/refunds.ts';
import { openSite } from '../../../lib/tools/local/shops/woocommerce/site.ts';
import { startServer, type Answer } from '../../support/http-server.ts';

/** The order of WooCommerce's own documentation, shortened. */
export const documentedOrder = (changes: Json = {}): Json => ({
  id: 723,
  parent_id: 0,
  number: '723',
  order_key: 'wc_order_58d17c18352',
  created_via: 'checkout',
  version: '9.0.0',
  status: 'completed',
  currency: 'USD',
  date_created: '2017-03-21T16:16:00',
  date_created_gmt: '2017-03-21T19:16:00',
  date_modified_gmt: '2017-03-21T19:16:00',
  discount_total: '0.00',
  shipping_total: '10.00',
  total: '39.00',
  total_tax: '0.00',
  prices_include_tax: false,
  customer_id: 26,
  billing: { first_name: 'John', last_name: 'Doe', state: 'CA', country: 'US', email: 'john.doe@example.com' },
  shipping: { first_name: 'John', last_name: 'Doe', state: 'CA', country: 'US' },
  payment_method: 'bacs',
  transaction_id: '',
  date_paid_gmt: null,
  date_completed_gmt: '2017-03-25T10:00:00',
  meta_data: [{ id: 13106, key: '_download_permissions_granted', value: 'yes' }],
  line_items: [
    {
      id: 311,
      name: 'Woo Album #2',
      product_id: 87,
      variation_id: 0,
      quantity: 1,
      tax_class: '',
      subtotal: '9.00',
      subtotal_tax: '0.00',
      total: '9.00',
      total_tax: '0.00',
      taxes: [],
      meta_data: [],
      sku: '',
      price: 9,
    },
    {
      id: 313,
      name: 'Woo Ninja',
      product_id: 34,
      variation_id: 70,
      quantity: 2,
      subtotal: '20.00',
      subtotal_tax: '0.00',
      total: '20.00',
      total_tax: '0.00',
      meta_data: [],
      sku: 'WOO-NINJA',
      price: 10,
    },
  ],
  tax_lines: [],
  shipping_lines: [{ id: 312, method_title: 'Flat Rate', method_id: 'flat_rate', total: '10.00', total_tax: '0.00' }],
  fee_lines: [],
  refunds: [],
  ...changes,
});

/** A refund in the format of `GET /orders/<id>/refunds/<id>`, of one unit of the line 313. */
export const documentedRefund = (changes: Json = {}): Json => ({
  id: 726,
  date_created: '2017-03-21T17:07:11',
  date_created_gmt: '2017-03-21T20:07:11',
  amount: '10.00',
  reason: 'the sleeve came off',
  refunded_by: 1,
  refunded_payment: true,
  meta_data: [],
  line_items: [
    {
      id: 67,
      name: 'Woo Ninja',
      product_id: 34,
      variation_id: 70,
      quantity: -1,
      subtotal: '-10.00',
      subtotal_tax: '0.00',
      total: '-10.00',
      total_tax: '0.00',
      meta_data: [{ id: 605, key: '_refunded_item_id', value: '313' }],
    },
  ],
  ...changes,
});

/** The changes of an order from which a consumer has withdrawn. */
export const withdrawn = (changes: Json = {}): Json =>
  documentedOrder({
    status: 'processing',
    date_completed_gmt: null,
    meta_data: [{ id: 13107, key: '_order_withdrawal_requested', value: 'yes' }],
    date_modified_gmt: '2017-03-22T08:30:11',
    ...changes,
  });

/** The note that WooCommerce 11.1 adds, in the format of `GET /orders/<id>/notes`. */
export const withdrawalNote = (type = 'The full order', changes: Json = {}): Json => ({
  id: 281,
  author: 'system',
  date_created: '2017-03-22T05:30:12',
  date_created_gmt: '2017-03-22T08:30:12',
  note: `Order withdrawal requested. Withdrawal type: ${type}.`,
  customer_note: false,
  ...changes,
});

/** Starts the used part of a WooCommerce site's REST API; `fail` replaces the next answers. */
export const startSite = async () => {
  const failures: Answer[] = [];
  const noteFailures: Answer[] = [];
  let key = 'Basic none';
  let isWritable = false;
  const site = openSite({
    clock: () => Date.parse('2017-03-26T00:00:00Z'),
    authorization: () => key,
    mayWrite: () => isWritable,
  });
  const server = await startServer((request) => {
    const failure = failures.shift();
    if (failure !== undefined) return failure;
    const isOfNotes = new URL(request.path, 'http://site').pathname.endsWith('/notes');
    return (isOfNotes ? noteFailures.shift() : undefined) ?? site.answer(request);
  });
  return {
    server,
    orders: site.orders,
    refunds: site.refunds,
    notes: site.notes,
    put: site.put,
    /** Whether the key may write. */
    permitWrites: (isPermitted: boolean) => void (isWritable = isPermitted),
    accept: (consumerKey: string, consumerSecret: string) =>
      void (key = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`),
    fail: (...answers: readonly Answer[]) => void failures.push(...answers),
    /** Replaces the next answers with notes. */
    failNotes: (...answers: readonly Answer[]) => void noteFailures.push(...answers),
  };
};
