import type { ShopReply, ShopRequest } from '../shop-server.ts';
import { answerWebhooks, type Webhook } from './webhooks.ts';
import { createRefund, type Json, type Payment, type RefundFault } from './refunds.ts';

const json = (value: unknown, status = 200): ShopReply => ({
  status,
  // { raw: '…' } is a number beyond 2^53.
  body: JSON.stringify(value).replaceAll(/\{"raw":"(\d+)"\}/g, '$1'),
});
const error = (status: number, code: string, message = ''): ShopReply =>
  json({ code, message, data: { status } }, status);
const missing = error(404, 'woocommerce_rest_shop_order_invalid_id', 'Invalid ID.');

const modified = (order: Json): string => String(order['date_modified_gmt']);

const list = (orders: readonly Json[], query: URLSearchParams): readonly Json[] => {
  const [after, before] = [query.get('modified_after') ?? '', query.get('modified_before') ?? '9'];
  const by = query.get('orderby');
  const sorted = orders
    .filter((order) => modified(order) > after && modified(order) < before)
    .toSorted((a, b) => (by === 'id' ? Number(a['id']) - Number(b['id']) : modified(a) < modified(b) ? -1 : 1));
  const offset = Number(query.get('offset') ?? 0);
  return sorted.slice(offset, offset + Number(query.get('per_page')));
};

export type SiteOptions = {
  readonly clock: () => number;
  /** The value of `Authorization` that the site accepts. */
  readonly authorization: () => string;
  readonly mayWrite: () => boolean;
};

/** Returns the id of a node, also of one beyond 2^53. */
const idOf = (node: Json): string => JSON.stringify(node['id']).replaceAll(/\D/g, '');

/** Opens the data of a WooCommerce site and the used part of its REST API (wc/v3). */
export const openSite = ({ clock, authorization, mayWrite }: SiteOptions) => {
  const orders = new Map<string, Json>();
  const refunds = new Map<string, Json>();
  const refundIds = new Map<string, string[]>();
  const notes = new Map<string, readonly Json[]>();
  const webhooks = new Map<string, Webhook>();
  const payments: Payment[] = [];
  const stock = new Map<string, number>();
  let refundFault: RefundFault | undefined;
  let lastId = 100_000;
  const nextId = () => (lastId += 1);
  const now = () => new Date(clock()).toISOString().slice(0, 19);

  const put = (order: Json, ...refundList: readonly Json[]): void => {
    const summary = refundList.map(({ id, reason, amount }) => ({ id, reason, total: `-${String(amount)}` }));
    orders.set(idOf(order), { ...order, refunds: summary });
    refundIds.set(idOf(order), refundList.map(idOf));
    for (const refund of refundList) refunds.set(String(refund['id']), refund);
  };

  const refundsOf = (orderId: string) =>
    new Map((refundIds.get(orderId) ?? []).flatMap((id) => (refunds.has(id) ? [[id, refunds.get(id) ?? {}]] : [])));

  const refund = (orderId: string, request: Json): ShopReply => {
    const order = { ...orders.get(orderId) };
    const own = refundsOf(orderId);
    const reply = createRefund(request, { order, refunds: own, payments, stock, nextId, now: now() }, refundFault);
    refundFault = undefined;
    put({ ...order, date_modified_gmt: now() }, ...own.values());
    return reply;
  };

  const addNote = (orderId: string, { note, customer_note: isForCustomer = false }: Json): ShopReply => {
    const added = { id: nextId(), author: 'API', date_created_gmt: now(), note, customer_note: isForCustomer };
    notes.set(orderId, [...(notes.get(orderId) ?? []), added]);
    return json(added, 201);
  };

  const write = ({ method, body }: ShopRequest, orderId: string, kind: string | undefined): ShopReply => {
    if (!mayWrite()) return error(401, 'woocommerce_rest_cannot_edit');
    const order = orders.get(orderId);
    if (order === undefined) return missing;
    const fields = JSON.parse(body) as Json;
    if (method === 'POST' && kind === 'refunds') return refund(orderId, fields);
    if (method === 'POST' && kind === 'notes') return addNote(orderId, fields);
    const after = { ...order, ...fields, date_modified_gmt: now() };
    orders.set(orderId, after);
    return json(after);
  };

  const read = (orderId: string, kind: string | undefined, refundId = ''): ShopReply => {
    const order = orders.get(orderId);
    if (kind === 'notes') return order === undefined ? missing : json(notes.get(orderId) ?? []);
    const found = kind === undefined ? order : refunds.get(refundId);
    return found === undefined ? missing : json(found);
  };

  return {
    orders,
    refunds,
    /** The webhooks, by their ids. */
    webhooks,
    /** The notes of the orders, by the id of the order. */
    notes,
    /** What the gateway has paid, with or without a refund. */
    payments: payments as readonly Payment[],
    /** The restocked units by the line of the order. */
    stock: stock as ReadonlyMap<string, number>,
    put,
    /** Creates a refund by hand, in the admin pages. */
    refundByHand: (orderId: string, request: Json): ShopReply => refund(orderId, request),
    refundsOf: (orderId: string): readonly Json[] => [...refundsOf(orderId).values()],
    /** Sets what goes wrong inside the site with the next refund. */
    failRefund: (fault: RefundFault | undefined): void => void (refundFault = fault),
    answer: (request: ShopRequest): ShopReply => {
      if (request.headers.authorization !== authorization()) return error(401, 'woocommerce_rest_cannot_view');
      const { pathname, searchParams } = new URL(request.path, 'http://site.invalid');
      if (pathname.startsWith('/wp-json/wc/v3/webhooks'))
        return answerWebhooks(request, { webhooks, nextId, mayWrite: mayWrite() });
      const [order, kind, refundId] = pathname.replace('/wp-json/wc/v3/orders', '').split('/').slice(1);
      if (order === undefined) return json(list([...orders.values()], searchParams));
      return request.method === 'GET' ? read(order, kind, refundId) : write(request, order, kind);
    },
  };
};
