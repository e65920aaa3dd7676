import type { Money } from '../../contract/scalars.ts';
import { minorUnits } from '../shared/fields/decimal.ts';
import type { MoneyNode } from './queries.ts';

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

/**
 * The fulfillments into which Saleor moves what came back. Saleor has no request for a return: goods are back when it has
 * one of these.
 * https://docs.saleor.io/api-reference/orders/enums/fulfillment-status
 */
export const returnedStatuses: ReadonlySet<string> = new Set(['RETURNED', 'REFUNDED_AND_RETURNED', 'REPLACED']);

/** Goods whose money was given back, and that stay with the customer or never left. */
export const refundedOnly = 'REFUNDED';

export const replaced = 'REPLACED';

/** Goods on their way, or there. */
export const fulfilled = 'FULFILLED';

type Part = { readonly quantity: number; readonly orderLine: { readonly id: string } | null };

/** Units by line of the order; Saleor has a line of a fulfillment for each warehouse. */
export const unitsByLine = (parts: readonly Part[] | null): ReadonlyMap<string, number> => {
  const units = new Map<string, number>();
  for (const { quantity, orderLine } of parts ?? [])
    if (orderLine !== null && quantity > 0) units.set(orderLine.id, (units.get(orderLine.id) ?? 0) + quantity);
  return units;
};

/**
 * An amount of Saleor's in integer minor units: the shortest decimal of its JSON number, which is the decimal that Saleor
 * wrote, read digit by digit. Nothing when it cannot be told exactly, or is below zero.
 * https://docs.saleor.io/api-reference/miscellaneous/objects/money
 */
export const moneyOf = ({ amount, currency }: MoneyNode): Money | undefined =>
  minorUnits({ amount: typeof amount === 'number' ? String(amount) : '', currencyCode: currency });
