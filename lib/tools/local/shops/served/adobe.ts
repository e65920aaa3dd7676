import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { type CommerceRows, openCommerce, type Row } from '../adobe/shop.ts';
import { startShopServer } from '../shop-server.ts';
import { rsaSignature } from '../../../signing/sign-delivery.ts';
import { numbersFrom, type ShopDelivery, type StartServedShop } from './served-shop.ts';

const source = 'local';
const clientId = 'local-adobe-client';
const accessToken = 'local-adobe-token';
const keyPath = '/prod/keys/pub-key-local.pem';

const itemOf = (orderId: number): Row => ({
  item_id: orderId * 10 + 1,
  order_id: orderId,
  parent_item_id: null,
  product_type: 'simple',
  product_id: 501,
  sku: 'SHIRT-M',
  name: 'Shirt',
  is_virtual: 0,
  qty_ordered: 2,
  qty_shipped: 2,
  qty_invoiced: 2,
  price: 19.95,
  price_incl_tax: 19.95,
  row_total: 39.9,
  row_total_incl_tax: 39.9,
  tax_amount: 0,
  tax_percent: 0,
  discount_amount: 0,
  discount_tax_compensation_amount: 0,
});

const timeOf = (now: Date): string => now.toISOString().slice(0, 19).replace('T', ' ');

/** The number of an order on papers, by which it is known outside Commerce. */
const numberOf = (id: number): string => String(id).padStart(9, '0');

const orderOf = (id: number, now: Date): Row => ({
  entity_id: id,
  increment_id: numberOf(id),
  created_at: timeOf(now),
  order_currency_code: 'EUR',
  customer_id: 7,
  customer_email: 'ada@example.com',
  customer_firstname: 'Ada',
  customer_lastname: 'Byron',
  grand_total: 44.9,
  total_paid: 44.9,
  shipping_amount: 5,
  shipping_tax_amount: 0,
  shipping_discount_amount: 0,
  shipping_refunded: null,
  items: [itemOf(id)],
  billing_address: { country_id: 'DE' },
  payment: { entity_id: id, method: 'checkmo', amount_paid: 44.9 },
  extension_attributes: { shipping_assignments: [{ shipping: { address: { country_id: 'DE' } } }] },
});

const rmaOf = (id: number, order: Row, now: Date): Row => ({
  increment_id: String(id),
  entity_id: id,
  order_id: order['entity_id'],
  order_increment_id: order['increment_id'],
  store_id: 1,
  customer_id: 7,
  date_requested: timeOf(now),
  customer_custom_email: null,
  status: 'pending',
  items: [
    {
      entity_id: id * 10 + 1,
      rma_entity_id: id,
      order_item_id: Number(order['entity_id']) * 10 + 1,
      qty_requested: 1,
      qty_authorized: null,
      qty_returned: null,
      qty_approved: null,
      reason: '5',
      condition: '8',
      resolution: '11',
      status: 'pending',
    },
  ],
  comments: [],
  tracks: [],
});

/** Starts a shop of Adobe Commerce, with the origin of the keys that sign its events. */
export const startAdobe: StartServedShop = async (port, deliver) => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const rows: CommerceRows = { returns: [], orders: [], creditmemos: [], shipments: [], tracks: [] };
  const shop = openCommerce({ accessToken, rows });
  const nextId = numbersFrom(Date.now());

  const delivery = (event: string, value: Row): ShopDelivery => {
    const id = randomUUID();
    const type = `com.adobe.commerce.observer.${event}`;
    const content = { specversion: '1.0', id, type, time: new Date().toISOString(), event_id: id };
    const data = { key: randomUUID(), value, source: 'local' };
    const body = Buffer.from(JSON.stringify({ ...content, recipient_client_id: clientId, data }));
    const headers = {
      'content-type': 'application/json',
      'x-adobe-event-id': id,
      'x-adobe-event-code': type,
      'x-adobe-digital-signature-1': rsaSignature(body, privateKey),
      'x-adobe-public-key1-path': keyPath,
    };
    return { by: 'http', path: `adobe/${source}`, headers, body };
  };
  const sell = (): string => {
    const order = orderOf(nextId(), new Date());
    const { entity_id: id, increment_id: number } = order;
    const items = [{ order_item_id: Number(id) * 10 + 1, qty: 2 }];
    rows.orders.push(order);
    rows.shipments.push({ entity_id: id, order_id: id, created_at: order['created_at'], items });
    return String(number);
  };
  const orderBy = (number: string): Row | undefined => rows.orders.find((order) => order['increment_id'] === number);

  const server = await startShopServer({
    port,
    answer: (request) => {
      if (request.path === keyPath) return { status: 200, body: pem };
      const reply = shop.answer(request);
      const [, id] = /\/V1\/returns\/(\d+)$/.exec(request.path) ?? [];
      if (request.method === 'PUT' && id !== undefined && reply.status === 200)
        deliver(delivery('rma_save_commit_after', { entity_id: Number(id) }));
      return reply;
    },
  });
  return {
    url: server.url,
    source,
    entries: { webhooks: { clientId, keyOrigin: server.url }, api: { accessToken, apiUrl: server.url } },
    sell,
    hasOrder: (number) => orderBy(number) !== undefined,
    acts: {
      order: (number) => {
        const value = { order_id: orderBy(number)?.['entity_id'] };
        return { delivery: delivery('sales_order_shipment_track_save_commit_after', value) };
      },
      return: (number) => {
        const id = nextId();
        rows.returns.push(rmaOf(id, orderBy(number) ?? {}, new Date()));
        return { returnId: String(id), delivery: delivery('rma_save_commit_after', { entity_id: id }) };
      },
    },
    close: server.close,
  };
};
