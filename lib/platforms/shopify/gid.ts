/*
 * Shopify's global ids, `gid://shopify/Order/5012345678901234567`. Ids are read from these texts and never from the
 * JSON numbers beside them, which lose their last digits above 2^53.
 * https://shopify.dev/docs/api/usage/gids
 */
export type Kind = 'Order' | 'LineItem' | 'Return' | 'ReverseFulfillmentOrder' | 'Refund';

const form = /^gid:\/\/shopify\/(\w+)\/(\d{1,30})$/;

/** Whether a value is a global id of that kind. */
export const isGid = (value: unknown, kind: Kind): value is string =>
  typeof value === 'string' && form.exec(value)?.[1] === kind;

/** The global id of these digits. */
export const gidOf = (kind: Kind, digits: string): string => `gid://shopify/${kind}/${digits}`;

/** The digits of a global id: how the contract knows an order or a line. */
export const digitsOf = (gid: string): string => form.exec(gid)?.[2] ?? '';
