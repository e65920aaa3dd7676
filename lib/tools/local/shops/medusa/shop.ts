import type { ShopReply, ShopRequest } from '../shop-server.ts';
import {
  addDue,
  beginReceipt,
  beginReturn,
  type Books,
  cancelReturn,
  confirmReceipt,
  confirmRequest,
  due,
  MedusaError,
  type Node,
  nodeIn,
  nodesIn,
  receiveItems,
  requestItems,
  type Shelf,
  takeBack,
  textIn,
} from './order-changes.ts';

/** What goes wrong inside the shop, while it refunds. */
export type RefundFault =
  /** The provider rejects: the refund is deleted, and no money has moved. */
  | 'provider_rejected'
  /** The process ends after it has stored the refund, and before the provider has paid. */
  | 'died_before_payment'
  /** The process ends after the provider has paid, and before the order has the refund. */
  | 'died_after_payment';

/** A payment by the provider to the customer. */
export type Payment = { readonly refundId: string; readonly amount: number; readonly note: string };

const json = (body: unknown, status = 200): ShopReply => ({ status, body: JSON.stringify(body) });
const missing = json({ type: 'not_found' }, 404);
const sumOf = (nodes: unknown): number => nodesIn(nodes).reduce((sum, { amount }) => sum + Number(amount), 0);

const list = (path: string, nodes: readonly Node[], query: URLSearchParams): ShopReply => {
  const [since, limit, offset] = [query.get('updated_at[$gte]'), query.get('limit'), query.get('offset')];
  const orderBy = query.get('order') ?? 'created_at';
  const found = nodes
    .filter((node) => query.get('order_id') === null || node['order_id'] === query.get('order_id'))
    .filter((node) => since === null || textIn(node['updated_at']) >= since)
    .toSorted((a, b) => textIn(a[orderBy]).localeCompare(textIn(b[orderBy])));
  const start = Number(offset ?? 0);
  return json({ [path]: found.slice(start, start + Number(limit ?? 20)), count: found.length });
};

export type MedusaOptions = {
  readonly clock: () => number;
  readonly apiKey: () => string;
  /**
   * The number before that of the first new object.
   * @default 0
   */
  readonly firstId?: number;
};

/** Opens the data of a Medusa shop, and the used part of its Admin API. */
export const openMedusaShop = ({ clock, apiKey, firstId = 0 }: MedusaOptions) => {
  const shelf: Shelf = { orders: [], returns: [], payments: [], changes: [], reasons: [] };
  const paid: Payment[] = [];
  let refundFault: RefundFault | undefined;
  let lastId = firstId;
  const books: Books = {
    shelf,
    nextId: (prefix) => `${prefix}_${String((lastId += 1)).padStart(8, '0')}`,
    now: () => new Date(clock()).toISOString(),
  };

  const paymentIn = (id: string): { readonly payment: Node; readonly order: Node } => {
    for (const order of shelf.orders)
      for (const { payments } of nodesIn(order['payment_collections']))
        for (const payment of nodesIn(payments)) if (payment['id'] === id) return { payment, order };
    throw new MedusaError('not_found', `Payment id not found: ${id}`);
  };

  /** The order of Medusa's steps: it stores the refund, lets the provider pay, and books it on the order. */
  const refund = (id: string, { amount, note = null }: Node, fault: RefundFault | undefined): Node => {
    const { payment, order } = paymentIn(id);
    const value = Number(amount);
    if (sumOf(payment['captures']) - sumOf(payment['refunds']) - value < -0.005)
      throw new MedusaError('invalid_data', 'You are not allowed to refund more than the captured amount');
    const added = {
      id: books.nextId('ref'),
      amount: value,
      payment_id: id,
      note,
      created_by: 'apk_1',
      created_at: books.now(),
    };
    payment['refunds'] = [...nodesIn(payment['refunds']), added];
    if (fault === 'died_before_payment') throw new MedusaError('unknown_error', 'An unknown error occurred.');
    if (fault === 'provider_rejected') {
      payment['refunds'] = nodesIn(payment['refunds']).filter((candidate) => candidate !== added);
      throw new MedusaError('unknown_error', 'An unknown error occurred.');
    }
    paid.push({ refundId: added.id, amount: value, note: textIn(note) });
    if (fault === 'died_after_payment') throw new MedusaError('unknown_error', 'An unknown error occurred.');
    order['transactions'] = [
      ...nodesIn(order['transactions']),
      { reference: 'refund', reference_id: added.id, amount: -value },
    ];
    // What the order did not owe becomes a credit.
    addDue(order, Math.min(value, Math.max(0, -due(order))));
    return payment;
  };

  const ofReturn = (id: string, step: string, { method, body }: ShopRequest): ShopReply => {
    const found = nodeIn(shelf.returns, id);
    const fields = body === '' ? {} : (JSON.parse(body) as Node);
    const items = nodesIn(fields['items']);
    const steps: Readonly<Record<string, () => void>> = {
      'POST request-items': () => requestItems(books, found, items),
      'POST request': () => confirmRequest(books, found),
      'DELETE request': () => takeBack(books, found, 'return_request'),
      'POST receive': () => beginReceipt(books, found, fields),
      'POST receive-items': () => receiveItems(books, found, items, false),
      'POST dismiss-items': () => receiveItems(books, found, items, true),
      'POST receive/confirm': () => confirmReceipt(books, found),
      'DELETE receive': () => takeBack(books, found, 'return_receive'),
      'POST cancel': () => cancelReturn(books, found),
    };
    const run = steps[`${method} ${step}`];
    if (run === undefined) return missing;
    run();
    return json({ return: found, order_preview: {} });
  };

  const write = (request: ShopRequest, [name, id = '', ...rest]: readonly string[]): ShopReply => {
    const step = rest.join('/');
    if (name === 'returns' && id === '') return json({ return: beginReturn(books, JSON.parse(request.body) as Node) });
    if (name === 'returns') return ofReturn(id, step, request);
    if (name !== 'payments' || step !== 'refund') return missing;
    const fault = refundFault;
    refundFault = undefined;
    return json({ payment: refund(id, JSON.parse(request.body) as Node, fault) });
  };

  const read = (query: URLSearchParams, [name, id, step]: readonly string[]): ShopReply => {
    if (name === 'return-reasons') return json({ return_reasons: shelf.reasons });
    if (name === 'orders' && step === 'changes')
      return json({ order_changes: shelf.changes.filter((change) => change['order_id'] === id) });
    if (name !== 'orders' && name !== 'returns' && name !== 'payments') return missing;
    if (id === undefined) return list(name, shelf[name], query);
    const node = shelf[name].find((candidate) => candidate['id'] === id);
    return node === undefined ? missing : json({ [name.slice(0, -1)]: node });
  };

  return {
    /** Replaces the content of the shop. */
    hold: (held: Partial<Shelf>): void =>
      void Object.assign(shelf, { orders: [], returns: [], payments: [], changes: [], reasons: [] }, held),
    shelf,
    /** What the provider has paid. */
    paid: paid as readonly Payment[],
    /** Sets what goes wrong inside the shop with the next refund. */
    failRefund: (fault: RefundFault | undefined): void => void (refundFault = fault),
    /** Refunds by hand, in the admin pages. */
    refundByHand: (paymentId: string, amount: number, note?: string): void =>
      void refund(paymentId, { amount, ...(note !== undefined && { note }) }, undefined),
    answer: (request: ShopRequest): ShopReply => {
      const credentials = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
      if (credentials !== `${apiKey()}:`) return json({ message: 'Unauthorized' }, 401);
      const { pathname, searchParams } = new URL(request.path, 'http://shop.invalid');
      const path = pathname.split('/').slice(2).map(decodeURIComponent);
      try {
        return request.method === 'GET' ? read(searchParams, path) : write(request, path);
      } catch (error) {
        if (!(error instanceof MedusaError)) throw error;
        return json({ type: error.type, message: error.message }, error.status);
      }
    },
  };
};
