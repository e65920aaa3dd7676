/*
 * The creation of a refund in the order of WooCommerce's steps: it saves the refund, lets the gateway pay, restocks, runs
 * the hooks of plugins, and saves the metadata of the request last.
 */

/** A node of the REST API. */
export type Json = Record<string, unknown>;

/** What goes wrong inside the site, while it creates a refund. */
export type RefundFault =
  /** The script ends before it saves the metadata. */
  | 'metadata_lost'
  /** The gateway rejects: the refund is deleted, and no money has moved. */
  | 'gateway_rejected'
  /** A plugin throws in a hook: the refund is deleted, although the money has moved. */
  | 'hook_threw'
  /** The plugin of the gateway answers its provider by a second refund, which moves no money. */
  | 'second_refund'
  /** The script ends after the gateway has paid, and before the site has noted it. */
  | 'died_after_payment';

/** A payment by the gateway to the customer. `key` is the mark in the reason of its refund. */
export type Payment = { readonly orderId: string; readonly amount: string; readonly reason: string };

export type RefundBooks = {
  readonly order: Json;
  readonly refunds: Map<string, Json>;
  readonly payments: Payment[];
  /** The restocked units by the line of the order. */
  readonly stock: Map<string, number>;
  readonly nextId: () => number;
  readonly now: string;
};

type Line = {
  readonly id: number | string;
  readonly quantity?: number;
  readonly refund_total: string;
  readonly refund_tax?: readonly { readonly id: number; readonly refund_total: string }[];
};

const cents = (value: unknown): number => Math.round(Number(value) * 100);
const decimal = (value: number): string => (value / 100).toFixed(2);
const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);

const itemOf = (
  { id, quantity = 0, refund_total: total, refund_tax: taxes = [] }: Line,
  nextId: () => number,
): Json => ({
  id: nextId(),
  quantity: -quantity || 0,
  total: decimal(-cents(total)),
  total_tax: decimal(-taxes.reduce((sum, tax) => sum + cents(tax.refund_total), 0)),
  taxes: taxes.map((tax) => ({ id: tax.id, total: decimal(-cents(tax.refund_total)) })),
  meta_data: [{ id: nextId(), key: '_refunded_item_id', value: String(id) }],
});

const refundOf = (request: Json, { order, nextId, now }: RefundBooks): Json => {
  const lines = Array.isArray(request['line_items']) ? (request['line_items'] as Line[]) : [];
  const itemsFor = (kind: string) => {
    const ids = new Set(listOf(order[kind]).map(({ id }) => String(id)));
    return lines.filter(({ id }) => ids.has(String(id))).map((line) => itemOf(line, nextId));
  };
  return {
    id: nextId(),
    date_created_gmt: now,
    amount: decimal(cents(request['amount'])),
    reason: request['reason'] ?? '',
    refunded_by: 1,
    refunded_payment: false,
    meta_data: [],
    line_items: itemsFor('line_items'),
    fee_lines: itemsFor('fee_lines'),
    shipping_lines: itemsFor('shipping_lines'),
  };
};

const leftOf = ({ order, refunds }: RefundBooks): number =>
  [...refunds.values()].reduce((left, refund) => left - cents(refund['amount']), cents(order['total']));

const cannot = (message: string) => ({
  status: 500,
  body: JSON.stringify({ code: 'woocommerce_rest_cannot_create_order_refund', message, data: { status: 500 } }),
});

const save = (refund: Json, { refunds }: RefundBooks): void => void refunds.set(String(refund['id']), refund);

/** Creates a refund. `books.refunds` has the refunds of the order alone. */
export const createRefund = (request: Json, books: RefundBooks, fault: RefundFault | undefined) => {
  const { order, refunds, payments, stock } = books;
  const amount = cents(request['amount']);
  if (amount < 0 || amount > leftOf(books)) return cannot('Invalid refund amount.');
  const refund = refundOf(request, books);
  save(refund, books);
  const id = String(refund['id']);
  // Both are true where they are missing or no boolean.
  if (request['api_refund'] !== false) {
    if (fault === 'gateway_rejected') {
      refunds.delete(id);
      return cannot('The payment gateway has rejected the refund.');
    }
    payments.push({ orderId: String(order['id']), amount: decimal(amount), reason: String(refund['reason']) });
    if (fault === 'died_after_payment') return { status: 502, body: '' };
    refund['refunded_payment'] = true;
  }
  if (request['api_restock'] !== false)
    for (const { id: line, quantity = 0 } of listOf(request['line_items']) as unknown as Line[])
      stock.set(String(line), (stock.get(String(line)) ?? 0) + quantity);
  if (fault === 'hook_threw') {
    refunds.delete(id);
    return cannot('A plugin has failed.');
  }
  if (fault === 'second_refund')
    save({ ...refundOf({ amount: decimal(amount) }, books), refunded_payment: true }, books);
  if (leftOf(books) <= 0) order['status'] = 'refunded';
  if (fault === 'metadata_lost') return { status: 502, body: '' };
  refund['meta_data'] = listOf(request['meta_data']).map((meta) => ({ id: books.nextId(), ...meta }));
  return { status: 201, body: JSON.stringify(refund) };
};
