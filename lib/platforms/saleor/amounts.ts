import type { Money } from '../../contract/scalars.ts';
import { minorUnits } from '../shared/fields/money.ts';
import type { MoneyNode } from './queries.ts';

/**
 * An amount of Saleor's in integer minor units: the shortest decimal of its JSON number, which is the decimal that Saleor
 * wrote, read digit by digit. Nothing when it cannot be told exactly, or is below zero.
 * https://docs.saleor.io/api-reference/miscellaneous/objects/money
 */
export const moneyOf = ({ amount, currency }: MoneyNode): Money | undefined =>
  minorUnits({ amount: typeof amount === 'number' ? String(amount) : '', currencyCode: currency });
