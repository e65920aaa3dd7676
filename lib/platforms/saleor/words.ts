/**
 * The fulfillments into which Saleor moves what came back. Saleor has no request for a return: goods are back when it has
 * one of these.
 * https://docs.saleor.io/api-reference/orders/enums/fulfillment-status
 */
export const returned: ReadonlySet<string> = new Set(['RETURNED', 'REFUNDED_AND_RETURNED', 'REPLACED']);

/** Goods whose money was given back, and that stay with the customer or never left. */
export const refundedOnly = 'REFUNDED';

export const replaced = 'REPLACED';

/** Goods on their way, or there. */
export const fulfilled = 'FULFILLED';
