import type { ShopReply, ShopRequest } from '../shop-server.ts';
import { answerHooks, type StoreHook } from './hooks.ts';
import { type Json, nodesIn, quote, type RefundFault, refundOf, type StoredOrder, StoreError } from './refunds.ts';

const json = (value: unknown, status = 200): ShopReply => ({
  status,
  // { raw: '…' } is a number that JavaScript cannot represent.
  body: JSON.stringify(value).replaceAll(/\{"raw":"([\d.]+)"\}/g, '$1'),
});
const listed = (items: readonly Json[]): ShopReply => (items.length === 0 ? { status: 204, body: '' } : json(items));
const missing = json([{ status: 404, message: 'The requested resource was not found.' }], 404);

const time = (value: unknown): number => Date.parse(String(value));
const modified = (order: Json): number => time(order['date_modified']);

const list = (orders: readonly Json[], query: URLSearchParams): readonly Json[] => {
  const [minimum, maximum] = [
    time(query.get('min_date_modified')),
    time(query.get('max_date_modified') ?? '2999-01-01'),
  ];
  return orders
    .filter((order) => modified(order) >= minimum && modified(order) <= maximum)
    .filter(({ id }) => Number(id) >= Number(query.get('min_id') ?? 0))
    .toSorted((a, b) =>
      query.get('sort') === 'id:asc' ? Number(a['id']) - Number(b['id']) : modified(a) - modified(b),
    )
    .slice(0, Number(query.get('limit')));
};

export type StoreOptions = { readonly hash: string; readonly clock: () => number; readonly token: () => string };

/** Opens the data of a BigCommerce store, and the used part of its API. */
export const openStore = ({ hash, clock, token }: StoreOptions) => {
  const orders = new Map<string, StoredOrder>();
  const paid: { readonly amount: number; readonly reason: string }[] = [];
  const hooks = new Map<string, StoreHook>();
  let refundFault: RefundFault | undefined;
  let lastId = 500;

  const refund = (id: string, stored: StoredOrder, body: Json): ShopReply => {
    const fault = refundFault;
    refundFault = undefined;
    const created = refundOf(stored, body, { id: (lastId += 1), now: new Date(clock()).toISOString() });
    const isDeclined = fault === 'declined';
    const payments = nodesIn(created['payments']).map((payment) => ({ ...payment, is_declined: isDeclined }));
    const [{ reason = '' } = {}] = nodesIn(created['items']);
    if (!isDeclined) paid.push({ amount: Number(created['total_amount']), reason: String(reason) });
    if (fault === 'died_after_payment') return json({ status: 500 }, 500);
    const node = { ...created, payments };
    orders.set(id, { ...stored, refunds: [...stored.refunds, node] });
    return json({ data: node, meta: {} }, 201);
  };

  const answerFor = (request: ShopRequest): ShopReply => {
    const { pathname, searchParams } = new URL(request.path, 'http://store.invalid');
    if (pathname.startsWith(`/stores/${hash}/v3/hooks`))
      return answerHooks(request, { hooks, hash, nextId: () => (lastId += 1), now: clock() });
    const [version, , id, part, action] = pathname.replace(`/stores/${hash}/`, '').split('/');
    const all = [...orders.values()].map(({ order }) => order);
    if (id === undefined) return listed(list(all, searchParams));
    const found = orders.get(id);
    if (found === undefined) return missing;
    if (request.method === 'POST' && action === 'refund_quotes')
      return json({ data: quote(found, JSON.parse(request.body) as Json), meta: {} });
    if (request.method === 'POST') return refund(id, found, JSON.parse(request.body) as Json);
    if (version === 'v3') return json({ data: found.refunds, meta: {} });
    if (part === undefined) return json(found.order);
    const [limit, page] = ['limit', 'page'].map((name) => Number(searchParams.get(name)));
    const start = (limit ?? 0) * ((page ?? 1) - 1);
    return listed(found.products.slice(start, start + (limit ?? 0)));
  };

  return {
    orders,
    /** The hooks of the app, by their ids. */
    hooks,
    /** What the providers have paid. */
    paid: paid as readonly { readonly amount: number; readonly reason: string }[],
    /** Sets what goes wrong inside the store with the next refund. */
    failRefund: (fault: RefundFault | undefined): void => void (refundFault = fault),
    put: (order: Json, products: readonly Json[], ...refunds: readonly Json[]): void =>
      void orders.set(JSON.stringify(order['id']).replaceAll(/\D/g, ''), { order, products, refunds }),
    answer: (request: ShopRequest): ShopReply => {
      if (request.headers['x-auth-token'] !== token()) return json({ status: 401 }, 401);
      try {
        return answerFor(request);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        return json({ status: 422, title: error.message }, 422);
      }
    },
  };
};
