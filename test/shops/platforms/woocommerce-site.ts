import { startServer, type Answer } from '../../support/http-server.ts';

type Json = Record<string, unknown>;

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

const json = (value: unknown): Answer => ({
  status: 200,
  // { raw: '…' } is a number beyond 2^53.
  body: JSON.stringify(value).replaceAll(/\{"raw":"(\d+)"\}/g, '$1'),
});
const missing: Answer = {
  status: 404,
  body: '{"code":"woocommerce_rest_shop_order_invalid_id","message":"Invalid ID.","data":{"status":404}}',
};

const list = (orders: readonly Json[], query: URLSearchParams): readonly Json[] => {
  const modified = (order: Json) => String(order['date_modified_gmt']);
  const [after, before] = [query.get('modified_after') ?? '', query.get('modified_before') ?? '9'];
  const by = query.get('orderby');
  const sorted = orders
    .filter((order) => modified(order) > after && modified(order) < before)
    .toSorted((a, b) => (by === 'id' ? Number(a['id']) - Number(b['id']) : modified(a) < modified(b) ? -1 : 1));
  const offset = Number(query.get('offset') ?? 0);
  return sorted.slice(offset, offset + Number(query.get('per_page')));
};

/** Starts the used part of a WooCommerce site's REST API; `fail` replaces the next answers. */
export const startSite = async () => {
  const orders = new Map<string, Json>();
  const refunds = new Map<string, Json>();
  const notes = new Map<string, readonly Json[]>();
  const failures: Answer[] = [];
  const noteFailures: Answer[] = [];
  let key = 'Basic none';
  let isWritable = false;
  const server = await startServer(({ method, path, headers, body }) => {
    const failure = failures.shift();
    if (failure !== undefined) return failure;
    if (headers['authorization'] !== key) return { status: 401, body: '{"code":"woocommerce_rest_cannot_view"}' };
    const { pathname, searchParams } = new URL(path, 'http://site');
    const [order, kind, refund] = pathname.replace('/wp-json/wc/v3/orders', '').split('/').slice(1);
    if (order === undefined) return json(list([...orders.values()], searchParams));
    if (method === 'PUT') {
      if (!isWritable) return { status: 401, body: '{"code":"woocommerce_rest_cannot_edit"}' };
      const before = orders.get(order);
      if (before === undefined) return missing;
      const after = { ...before, ...(JSON.parse(body) as Json), date_modified_gmt: '2017-03-26T00:00:00' };
      orders.set(order, after);
      return json(after);
    }
    const noteFailure = kind === 'notes' ? noteFailures.shift() : undefined;
    if (noteFailure !== undefined) return noteFailure;
    if (kind === 'notes') return orders.has(order) ? json(notes.get(order) ?? []) : missing;
    const found = kind === undefined ? orders.get(order) : refunds.get(refund ?? '');
    return found === undefined ? missing : json(found);
  });
  return {
    server,
    orders,
    refunds,
    /** The notes of the orders, by the id of the order. */
    notes,
    /** Whether the key may write. */
    permitWrites: (isPermitted: boolean) => void (isWritable = isPermitted),
    accept: (consumerKey: string, consumerSecret: string) =>
      void (key = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`),
    fail: (...answers: readonly Answer[]) => void failures.push(...answers),
    /** Replaces the next answers with notes. */
    failNotes: (...answers: readonly Answer[]) => void noteFailures.push(...answers),
    put: (order: Json, ...refundList: readonly Json[]) => {
      const summary = refundList.map(({ id, reason, amount }) => ({ id, reason, total: `-${String(amount)}` }));
      const id = JSON.stringify(order['id']).replaceAll(/\D/g, '');
      orders.set(id, { ...order, refunds: summary });
      for (const refund of refundList) refunds.set(String(refund['id']), refund);
    },
  };
};
