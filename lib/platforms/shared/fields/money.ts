import { exponent } from '../../../money/currency.ts';
import type { Money } from '../../../contract/scalars.ts';

/** Shopify's `MoneyV2`: a decimal in text, whose number of digits says nothing of the currency ("1000.0" JPY). */
export type ShopMoney = { readonly amount: string; readonly currencyCode: string };

/** The largest amount that the contract carries. */
export const largestAmount = 1_000_000_000_000;

/**
 * An amount in integer minor units (ISO 4217), without going through a float. Nothing when it cannot be told exactly:
 * an unknown currency, a negative amount, or more digits than the currency has.
 * https://shopify.dev/docs/api/admin-graphql/latest/objects/MoneyV2
 */
export const minorUnits = ({ amount, currencyCode }: ShopMoney): Money | undefined => {
  const digits = exponent(currencyCode);
  const [, whole = '', fraction = ''] = /^(\d{1,18})(?:\.(\d{1,18}))?$/.exec(amount) ?? [];
  if (digits === undefined || whole === '' || /[^0]/.test(fraction.slice(digits))) return undefined;
  const value = BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  return value > largestAmount ? undefined : { amount: Number(value), currency: currencyCode };
};

/** The sum of amounts of one currency; nothing when one of them is unreadable or of another. */
export const total = (amounts: readonly ShopMoney[], currency: string): Money | undefined => {
  const read = amounts.map(minorUnits);
  let sum = 0;
  for (const money of read) {
    if (money === undefined || money.currency !== currency) return undefined;
    sum += money.amount;
  }
  return sum > largestAmount ? undefined : { amount: sum, currency };
};
