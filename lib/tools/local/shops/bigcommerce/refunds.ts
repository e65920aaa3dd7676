/*
 * Refunds of BigCommerce: a quote with the amount that the store computes, then the refund with its payments. The store
 * stores the refund first, and the provider may decline a payment later.
 */

/** A node of the API. */
export type Json = Record<string, unknown>;

/** An order of the store, with its products and refunds. */
export type StoredOrder = {
  readonly order: Json;
  readonly products: readonly Json[];
  readonly refunds: readonly Json[];
};

/** What goes wrong inside the store. */
export type RefundFault =
  /** The provider declines the payment. */
  | 'declined'
  /** The process ends after the provider has paid, and before the refund is stored. */
  | 'died_after_payment';

type Item = {
  readonly item_type: string;
  readonly item_id: number;
  readonly quantity?: number;
  readonly amount?: number;
  readonly reason?: string;
};

export class StoreError extends Error {}

export const nodesIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const cents = (value: unknown): number => Math.round(Number(value ?? 0) * 100);
const itemsIn = (body: Json): readonly Item[] => nodesIn(body['items']) as unknown as readonly Item[];

const refundedUnits = ({ refunds }: StoredOrder, id: number): number =>
  refunds
    .flatMap((refund) => itemsIn(refund))
    .filter((item) => item.item_type === 'PRODUCT' && item.item_id === id)
    .reduce((sum, { quantity = 0 }) => sum + quantity, 0);

/** Returns the amount of an item with tax. Shipping is requested with tax only where prices are shown with it. */
const amountOf = (stored: StoredOrder, { item_type: type, item_id: id, quantity = 0, amount }: Item): number => {
  const { order, products } = stored;
  if (type === 'ORDER') return cents(amount);
  if (type === 'SHIPPING')
    return cents(amount) + (order['is_tax_inclusive_pricing'] === true ? 0 : cents(order['shipping_cost_tax']));
  const product = products.find((candidate) => candidate['id'] === id);
  const units = Number(product?.['quantity']);
  if (product === undefined || quantity > units - refundedUnits(stored, id))
    throw new StoreError('Refund quantity is greater than remaining quantity');
  return Math.round((cents(product['discounted_total_inc_tax'] ?? product['total_inc_tax']) * quantity) / units);
};

const quotedCents = (stored: StoredOrder, body: Json): number => {
  const total = itemsIn(body).reduce((sum, item) => sum + amountOf(stored, item), 0);
  const refunded = stored.refunds.reduce((sum, { total_amount: amount }) => sum + cents(amount), 0);
  if (total > cents(stored.order['total_inc_tax']) - refunded)
    throw new StoreError('Refund amount is greater than remaining amount');
  return total;
};

/** The providers that paid the order: each is a method of its own, and store credit always is. */
const providersOf = ({ order }: StoredOrder): readonly string[] =>
  Array.isArray(order['providers']) ? (order['providers'] as string[]) : ['stripe'];

export const quote = (stored: StoredOrder, body: Json): Json => {
  const amount = quotedCents(stored, body) / 100;
  const method = (provider: string) => [
    { provider_id: provider, amount, offline: provider === 'custom', offline_provider: false, offline_reason: '' },
  ];
  return {
    order_id: stored.order['id'],
    total_refund_amount: amount,
    tax_inclusive: true,
    refund_methods: [method('storecredit'), ...providersOf(stored).map(method)],
  };
};

/** Returns a new refund. Its payments must have the amount that the store computes. */
export const refundOf = (stored: StoredOrder, body: Json, of: { readonly id: number; readonly now: string }): Json => {
  const total = quotedCents(stored, body);
  const payments = nodesIn(body['payments']);
  if (payments.reduce((sum, { amount }) => sum + cents(amount), 0) !== total)
    throw new StoreError('Payments do not add up to the refund');
  return {
    id: of.id,
    order_id: stored.order['id'],
    user_id: 1,
    created: of.now,
    reason: '',
    total_amount: total / 100,
    payments: payments.map((payment, index) => ({ id: of.id * 10 + index, is_declined: false, ...payment })),
    items: itemsIn(body).map(({ amount, ...item }) => ({ ...item, requested_amount: amount ?? null })),
  };
};
