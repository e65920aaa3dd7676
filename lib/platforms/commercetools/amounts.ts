import type { Money } from '../../contract/scalars.ts';
import { exponent } from '../../money/currency.ts';
import { minorUnits } from '../shared/fields/money.ts';
import type { MoneyNode } from './nodes.ts';

/**
 * An amount in integer minor units (ISO 4217); nothing when it cannot be told exactly, or is negative. The digits that
 * come with high precision money are those of another field, `preciseAmount`.
 * https://docs.commercetools.com/api/types#money
 */
export const moneyOf = (node: MoneyNode | undefined): Money | undefined => {
  if (node === undefined) return undefined;
  const { centAmount, currencyCode, type } = node;
  const digits = (type === 'highPrecision' ? undefined : node.fractionDigits) ?? exponent(currencyCode);
  if (!Number.isSafeInteger(centAmount) || centAmount < 0) return undefined;
  if (digits === undefined || !Number.isInteger(digits) || digits < 0 || digits > 18) return undefined;
  const text = String(centAmount).padStart(digits + 1, '0');
  const cut = text.length - digits;
  const amount = digits === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`;
  return minorUnits({ amount, currencyCode });
};

/** The tax of a price that was taxed: told, or what lies between net and gross. */
export const taxOf = (
  taxed: { readonly totalNet?: MoneyNode; readonly totalGross?: MoneyNode; readonly totalTax?: MoneyNode } | undefined,
): Money | undefined => {
  const told = moneyOf(taxed?.totalTax);
  if (told !== undefined) return told;
  const [net, gross] = [moneyOf(taxed?.totalNet), moneyOf(taxed?.totalGross)];
  if (net === undefined || gross === undefined || net.currency !== gross.currency || gross.amount < net.amount)
    return undefined;
  return { amount: gross.amount - net.amount, currency: gross.currency };
};
