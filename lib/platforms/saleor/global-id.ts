/*
 * Saleor's ids are the base64 of a type and a key: `T3JkZXI6…` is `Order:<uuid>`. They are opaque to everybody but us,
 * who must know that an id is of what it stands for; orders, lines and the rest keep theirs as they come.
 * https://relay.dev/graphql/objectidentification.htm
 */
const keys = {
  Order: /^Order:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  OrderLine: /^OrderLine:[\w-]{1,40}$/,
  Fulfillment: /^Fulfillment:\d{1,30}$/,
} as const;

/** Whether a value is an id of that type, written as Saleor writes it. */
export const isGlobalId = (value: unknown, type: keyof typeof keys): value is string => {
  if (typeof value !== 'string' || value.length > 100) return false;
  const decoded = Buffer.from(value, 'base64');
  return keys[type].test(decoded.toString('latin1')) && decoded.toString('base64') === value;
};
