/*
 * The changes of an order in Medusa 2.21: a return and its receipt are begun, filled with items and confirmed. An order
 * has one open change at a time. Only the numbers of the order are checked, and a second receipt of an item replaces its
 * units.
 */

/** A node of the Admin API. */
export type Node = Record<string, unknown>;

export type Shelf = { orders: Node[]; returns: Node[]; payments: Node[]; changes: Node[]; reasons: Node[] };

/** An error that Medusa answers. */
export class MedusaError extends Error {
  readonly status: number;
  readonly type: string;

  constructor(type: 'invalid_data' | 'not_allowed' | 'not_found' | 'unknown_error', message: string) {
    super(message);
    this.type = type;
    this.status = { invalid_data: 400, not_allowed: 400, not_found: 404, unknown_error: 500 }[type];
  }
}

export type Books = { readonly shelf: Shelf; readonly nextId: (prefix: string) => string; readonly now: () => string };

export const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : []);
const numberIn = (value: unknown): number => (typeof value === 'number' ? value : 0);
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const exact = (value: number): number => Number(value.toFixed(10));

export const nodeIn = (nodes: readonly Node[], id: unknown): Node => {
  const node = nodes.find((candidate) => candidate['id'] === id);
  if (node === undefined) throw new MedusaError('not_found', `${String(id)} was not found`);
  return node;
};

const orderOf = ({ shelf }: Books, { order_id: id }: Node): Node => nodeIn(shelf.orders, id);

const isOpen = ({ status }: Node): boolean => status === 'pending';

const activeChange = ({ shelf }: Books, found: Node): Node => {
  if (found['canceled_at'] !== null) throw new MedusaError('invalid_data', `${String(found['id'])} has been canceled.`);
  const change = shelf.changes.find((candidate) => isOpen(candidate) && candidate['return_id'] === found['id']);
  if (change === undefined) throw new MedusaError('invalid_data', 'An active Order Change is required to proceed');
  return change;
};

const openChange = ({ shelf, nextId, now }: Books, fields: Node): void => {
  const { order_id: orderId } = fields;
  if (shelf.changes.some((change) => isOpen(change) && change['order_id'] === orderId))
    throw new MedusaError('invalid_data', `Order (${String(orderId)}) already has an existing active order change`);
  shelf.changes.push({ id: nextId('ordch'), status: 'pending', created_at: now(), actions: [], ...fields });
};

const detailOf = (order: Node, id: unknown): Node => {
  const item = nodeIn(nodesIn(order['items']), id);
  item['detail'] ??= {};
  return item['detail'] as Node;
};

type Action = {
  readonly action: string;
  readonly details: { readonly reference_id: string; readonly quantity: number };
};

const actionsIn = ({ actions }: Node): readonly Action[] => (Array.isArray(actions) ? (actions as Action[]) : []);
const count = (detail: Node, name: string): number => numberIn(detail[`${name}_quantity`]);
const add = (detail: Node, name: string, quantity: number): void =>
  void (detail[`${name}_quantity`] = count(detail, name) + quantity);

/** Adds items to the open change of a return. The units are checked against all of the order. */
const addItems = (books: Books, found: Node, kind: string, items: readonly Node[]): void => {
  const change = activeChange(books, found);
  const order = orderOf(books, found);
  const added = items.map(({ id, quantity, reason_id: reason }) => ({
    action: kind,
    details: {
      reference_id: textIn(id),
      quantity: numberIn(quantity),
      ...(reason !== undefined && { reason_id: reason }),
    },
  }));
  const actions = [...actionsIn(change), ...added];
  for (const { details } of added) {
    const detail = detailOf(order, details.reference_id);
    const units = actions
      .filter((action) => action.details.reference_id === details.reference_id)
      .reduce((sum, action) => sum + action.details.quantity, 0);
    const isRequest = kind === 'RETURN_ITEM';
    const left = isRequest
      ? count(detail, 'fulfilled') - count(detail, 'return_requested')
      : count(detail, 'return_requested');
    if (units > left)
      throw new MedusaError('invalid_data', `Cannot ${isRequest ? 'request to return' : 'receive'} more items`);
  }
  change['actions'] = actions;
};

export const beginReturn = (books: Books, body: Node): Node => {
  const { shelf, nextId, now } = books;
  const { order_id: orderId } = body;
  if (textIn(nodeIn(shelf.orders, orderId)['canceled_at']) !== '')
    throw new MedusaError('invalid_data', 'Order has been canceled');
  const id = nextId('return');
  openChange(books, {
    order_id: orderId,
    return_id: id,
    change_type: 'return_request',
    description: body['description'] ?? null,
  });
  const found: Node = {
    id,
    order_id: orderId,
    exchange_id: null,
    claim_id: null,
    status: 'open',
    location_id: body['location_id'] ?? null,
    metadata: body['metadata'] ?? null,
    created_by: 'apk_1',
    created_at: now(),
    updated_at: now(),
    requested_at: null,
    received_at: null,
    canceled_at: null,
    items: [],
    fulfillments: [],
  };
  shelf.returns.push(found);
  return found;
};

export const beginReceipt = (books: Books, found: Node, body: Node): void => {
  if (found['canceled_at'] !== null) throw new MedusaError('invalid_data', 'Return has been canceled.');
  const { order_id: orderId, id } = found;
  openChange(books, {
    order_id: orderId,
    return_id: id,
    change_type: 'return_receive',
    description: body['description'] ?? null,
  });
};

export const requestItems = (books: Books, found: Node, items: readonly Node[]): void =>
  addItems(books, found, 'RETURN_ITEM', items);

export const receiveItems = (books: Books, found: Node, items: readonly Node[], isDamaged: boolean): void => {
  const known = new Set(nodesIn(found['items']).map(({ item_id: id }) => id));
  if (items.some(({ id }) => !known.has(id))) throw new MedusaError('invalid_data', 'Items do not exist in return');
  addItems(books, found, isDamaged ? 'RECEIVE_DAMAGED_RETURN_ITEM' : 'RECEIVE_RETURN_ITEM', items);
};

export const confirmRequest = (books: Books, found: Node): void => {
  const change = activeChange(books, found);
  const actions = actionsIn(change);
  if (actions.length === 0) throw new MedusaError('invalid_data', 'Order return request should have at least 1 item');
  const order = orderOf(books, found);
  found['items'] = actions.map(({ details }) => {
    const { reference_id: id, quantity, ...reason } = details;
    add(detailOf(order, id), 'return_requested', quantity);
    const units = { quantity, received_quantity: 0, damaged_quantity: 0 };
    return { id: books.nextId('retitem'), item_id: id, return_id: found['id'], ...units, ...reason };
  });
  change['status'] = 'confirmed';
  Object.assign(found, { status: 'requested', requested_at: books.now(), updated_at: books.now() });
};

/** Returns the price of a unit with tax. The orders of this shop have no discounts on items. */
const unitPrice = (item: Node): number => {
  const rate = nodesIn(item['tax_lines']).reduce((sum, line) => sum + numberIn(line['rate']), 0);
  return numberIn(item['unit_price']) * (item['is_tax_inclusive'] === true ? 1 : 1 + rate / 100);
};

/** Changes what the customer still has to pay; below zero, the shop owes it. */
export const addDue = (order: Node, amount: number): void => {
  const summary = (order['summary'] ??= {}) as Node;
  summary['pending_difference'] = exact(numberIn(summary['pending_difference']) + amount);
};

export const due = (order: Node): number => numberIn(((order['summary'] ?? {}) as Node)['pending_difference']);

export const confirmReceipt = (books: Books, found: Node): void => {
  const change = activeChange(books, found);
  const order = orderOf(books, found);
  // It fails in the middle for managed stock.
  if (found['location_id'] === null) {
    Object.assign(found, { status: 'received', received_at: books.now() });
    throw new MedusaError('unknown_error', 'An unknown error occurred.');
  }
  const items = nodesIn(found['items']);
  const counted = new Set<unknown>();
  for (const { action, details } of actionsIn(change)) {
    const { reference_id: id, quantity } = details;
    const isDamaged = action === 'RECEIVE_DAMAGED_RETURN_ITEM';
    const item = items.find((candidate) => candidate['item_id'] === id) ?? {};
    if (!counted.has(id)) Object.assign(item, { received_quantity: 0, damaged_quantity: 0 });
    counted.add(id);
    add(item, 'received', quantity);
    if (isDamaged) add(item, 'damaged', quantity);
    const detail = detailOf(order, id);
    add(detail, 'return_requested', -quantity);
    add(detail, isDamaged ? 'return_dismissed' : 'return_received', quantity);
    addDue(order, -unitPrice(nodeIn(nodesIn(order['items']), id)) * quantity);
  }
  change['status'] = 'confirmed';
  const isWhole = items.every((item) => item['received_quantity'] === item['quantity']);
  const state = isWhole ? { status: 'received', received_at: books.now() } : { status: 'partially_received' };
  Object.assign(found, state, { updated_at: books.now() });
};

/** Takes back an open change. A return that was only begun is gone then. */
export const takeBack = (books: Books, found: Node, type: 'return_request' | 'return_receive'): void => {
  const { shelf } = books;
  const change = activeChange(books, found);
  if (change['change_type'] !== type) throw new MedusaError('invalid_data', 'An active Order Change is required');
  shelf.changes = shelf.changes.filter((candidate) => candidate !== change);
  if (type === 'return_request') shelf.returns = shelf.returns.filter((candidate) => candidate !== found);
};

export const cancelReturn = (books: Books, found: Node): void => {
  if (found['canceled_at'] !== null) throw new MedusaError('invalid_data', 'Return has been canceled.');
  const items = nodesIn(found['items']);
  if (nodesIn(found['fulfillments']).some((fulfillment) => fulfillment['canceled_at'] === null))
    throw new MedusaError('not_allowed', 'All fulfillments must be canceled before canceling a return');
  if (items.some((item) => numberIn(item['received_quantity']) > 0))
    throw new MedusaError('not_allowed', "Can't cancel a return which has returned items");
  const order = orderOf(books, found);
  for (const { item_id: id, quantity } of items) add(detailOf(order, id), 'return_requested', -numberIn(quantity));
  Object.assign(found, { status: 'canceled', canceled_at: books.now(), updated_at: books.now() });
};
