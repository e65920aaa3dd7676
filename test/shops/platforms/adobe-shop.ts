import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type CommerceRows, openCommerce, type Row } from '../../../lib/tools/local/shops/adobe/shop.ts';
import { rsaSignature } from '../../../lib/tools/signing/sign-delivery.ts';
import { startServer, type Answer, type Received } from '../../support/http-server.ts';

/* Adobe at its wire: the REST API of a Commerce shop, the origin of the public keys, and I/O Events. */

export const clientId = '3c8f2f1d9a0b4c5e8d7f6a5b4c3d2e1f';
export const accessToken = 'integration-token-of-the-shop';

/** Ids as in Adobe's documented deliveries: ten letters and digits, although its guide specifies a UUID. */
export const keyPaths = ['/prod/keys/pub-key-lyTiz3gQe4.pem', '/prod/keys/pub-key-kruhWwu4Or.pem'] as const;

const pairOf = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pairs = [pairOf(), pairOf()] as const;

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

export const rma = (over: Row = {}): Row => ({
  increment_id: '000000004',
  entity_id: 4,
  order_id: 12,
  order_increment_id: '000000123',
  store_id: 1,
  customer_id: 7,
  date_requested: '2026-11-03 09:15:00',
  customer_custom_email: null,
  status: 'pending',
  items: [rmaItem()],
  comments: [
    { comment: 'We placed your Return request.', admin: true, created_at: '2026-11-03 09:15:00', status: 'pending' },
    { comment: 'The sleeves are too short.', admin: false, created_at: '2026-11-03 09:15:01', status: 'pending' },
  ],
  tracks: [],
  ...over,
});

export const rmaItem = (over: Row = {}): Row => ({
  entity_id: 9,
  rma_entity_id: 4,
  order_item_id: 31,
  qty_requested: 2,
  qty_authorized: null,
  qty_returned: null,
  qty_approved: null,
  reason: '5',
  condition: '8',
  resolution: '11',
  status: 'pending',
  ...over,
});

export const orderItem = (over: Row = {}): Row => ({
  item_id: 31,
  order_id: 12,
  parent_item_id: null,
  product_type: 'simple',
  product_id: 501,
  sku: 'SHIRT-M',
  name: 'Shirt',
  is_virtual: 0,
  qty_ordered: 3,
  qty_shipped: 3,
  qty_invoiced: 3,
  price: 16.8067,
  price_incl_tax: 20,
  row_total: 50.42,
  row_total_incl_tax: 60,
  tax_amount: 9.58,
  tax_percent: 19,
  discount_amount: 0,
  discount_tax_compensation_amount: 0,
  ...over,
});

/** A tax rate of an item or of the shipping, in the details of an order. */
export const applied = (percent: number, amount: number): Row => ({
  code: `DE ${percent}`,
  title: `DE ${percent}`,
  percent,
  amount,
  base_amount: amount,
});

export const order = (over: Row = {}): Row => ({
  entity_id: 12,
  increment_id: '000000123',
  created_at: '2026-10-20 18:00:00',
  order_currency_code: 'EUR',
  customer_id: 7,
  customer_email: 'ann@example.com',
  customer_firstname: 'Ann',
  customer_lastname: 'Lee',
  remote_ip: '192.0.2.7',
  grand_total: 65,
  total_paid: 65,
  shipping_amount: 4.2,
  shipping_tax_amount: 0.8,
  shipping_discount_amount: 0,
  shipping_refunded: null,
  items: [orderItem()],
  billing_address: { country_id: 'DE' },
  payment: { entity_id: 12, method: 'checkmo', amount_paid: 65 },
  extension_attributes: {
    shipping_assignments: [{ shipping: { address: { country_id: 'DE', region_code: 'BER' } } }],
  },
  ...over,
});

export const memo = (over: Row = {}): Row => ({
  entity_id: 77,
  increment_id: '000000077',
  order_id: 12,
  state: 2,
  order_currency_code: 'EUR',
  created_at: '2026-11-10 10:00:00',
  updated_at: '2026-11-10 10:00:05',
  transaction_id: 'txn-1',
  grand_total: 25,
  shipping_amount: 4.2,
  shipping_tax_amount: 0.8,
  items: [
    { entity_id: 1, order_item_id: 31, qty: 1, row_total: 16.81, tax_amount: 3.19, discount_amount: 0 },
    { entity_id: 2, order_item_id: 999, qty: 1, row_total: 0 },
  ],
  ...over,
});

/** Starts a shop with replaceable rows and with events that Adobe signs. */
export const startAdobe = async () => {
  const rows: CommerceRows = {
    returns: [rma()],
    orders: [order()],
    creditmemos: [memo()],
    shipments: [
      { entity_id: 1, order_id: 12, created_at: '2026-10-21 08:00:00', items: [{ order_item_id: 31, qty: 2 }] },
      { entity_id: 2, order_id: 12, created_at: '2026-10-23 08:00:00', items: [{ order_item_id: 31, qty: 1 }] },
    ],
    tracks: [],
  };
  /** Other answers of the next requests for a path. */
  const answers = new Map<string, Answer>();
  const known = new Map<string, Answer>(
    keyPaths.map((path, index) => [path, { status: 200, body: pemOf((pairs[index] ?? pairs[0]).publicKey) }]),
  );
  const { answer } = openCommerce({ accessToken, rows });
  const respond = (request: Received): Answer => {
    const { pathname } = new URL(request.path, 'http://shop.example');
    return answers.get(pathname) ?? known.get(pathname) ?? answer(request);
  };
  const server = await startServer(respond);
  return {
    rows,
    answers,
    requests: server.requests,
    origin: server.origin,
    entry: { clientId, accessToken, apiUrl: server.origin, keyOrigin: server.origin },
    close: () => server[Symbol.asyncDispose](),
  };
};

export const topic = (event: string): string => `com.adobe.commerce.observer.${event}`;

/** Returns an event in the format of I/O Events. */
export const event = (name: string, value: Row, over: Row = {}): Row => ({
  specversion: '1.0',
  id: 'a4b3c2d1-0000-4000-8000-000000000001',
  source: 'urn:uuid:7ab2b2b6-0000-4000-8000-000000000000',
  type: topic(name),
  datacontenttype: 'application/json',
  time: '2026-11-03T09:15:02.000Z',
  event_id: 'b555a1b1-935b-4541-b410-1915775338b5',
  eventid: 'b555a1b1-935b-4541-b410-1915775338b5',
  recipient_client_id: clientId,
  recipientclientid: clientId,
  data: { key: 'k', value, source: 'magento', _metadata: { storeId: '1' } },
  ...over,
});

/** Returns the bytes and the headers of an event, signed by both of Adobe's keys. */
export const delivered = (content: unknown): { readonly body: Buffer; readonly headers: Record<string, string> } => {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  return {
    body,
    headers: {
      'x-adobe-event-id': 'b555a1b1-935b-4541-b410-1915775338b5',
      'x-adobe-event-code': topic('rma_save_commit_after'),
      'x-adobe-provider': 'dx_commerce_events',
      'x-adobe-digital-signature-1': rsaSignature(body, pairs[0].privateKey),
      'x-adobe-public-key1-path': keyPaths[0],
      'x-adobe-digital-signature-2': rsaSignature(body, pairs[1].privateKey),
      'x-adobe-public-key2-path': keyPaths[1],
    },
  };
};
