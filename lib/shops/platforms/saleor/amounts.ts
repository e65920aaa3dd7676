import type { Money } from '../../../contract/scalars.ts';
import { minorUnits } from '../../../domain/money/decimal.ts';
import type { MoneyNode } from './queries.ts';

/*
 * Saleor's ids are the base64 of a type and a key: `T3JkZXI6…` is `Order:<uuid>`. They are opaque to clients, but we
 * must check that an id has the expected type. Orders, lines and other objects use Saleor's ids unchanged.
 * https://relay.dev/graphql/objectidentification.htm
 */
const keys = {
  Order: /^Order:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  OrderLine: /^OrderLine:[\w-]{1,40}$/,
  Fulfillment: /^Fulfillment:\d{1,30}$/,
} as const;

/** Whether a value is an id of that type, encoded like Saleor does. */
export const isGlobalId = (value: unknown, type: keyof typeof keys): value is string => {
  if (typeof value !== 'string' || value.length > 100) return false;
  const decoded = Buffer.from(value, 'base64');
  return keys[type].test(decoded.toString('latin1')) && decoded.toString('base64') === value;
};

/**
 * The statuses of fulfillments with returned goods.
 * Saleor has no return requests: goods have arrived when a fulfillment has one of these.
 * https://docs.saleor.io/api-reference/orders/enums/fulfillment-status
 */
export const returnedStatuses: ReadonlySet<string> = new Set(['RETURNED', 'REFUNDED_AND_RETURNED', 'REPLACED']);

/** Refunded goods that stay with the customer or never left. */
export const refundedOnly = 'REFUNDED';

export const replaced = 'REPLACED';

/** Goods that were shipped or delivered. */
export const fulfilled = 'FULFILLED';

type Part = { readonly quantity: number; readonly orderLine: { readonly id: string } | null };

/** Returns units by line of the order. Saleor has a fulfillment line for each warehouse. */
export const unitsByLine = (parts: readonly Part[] | null): ReadonlyMap<string, number> => {
  const units = new Map<string, number>();
  for (const { quantity, orderLine } of parts ?? [])
    if (orderLine !== null && quantity > 0) units.set(orderLine.id, (units.get(orderLine.id) ?? 0) + quantity);
  return units;
};

/**
 * Converts an amount of Saleor to integer minor units.
 * It reads the shortest decimal of the JSON number digit by digit, which is the decimal that Saleor wrote. Undefined if
 * it is inexact or negative.
 * https://docs.saleor.io/api-reference/miscellaneous/objects/money
 */
export const moneyOf = ({ amount, currency }: MoneyNode): Money | undefined =>
  minorUnits({ amount: typeof amount === 'number' ? String(amount) : '', currencyCode: currency });
