import type { Money } from '../../contract/scalars.ts';
import type { JsonObject } from '../../runtime/json.ts';
import { objectsOf } from '../shared/fields/fields.ts';
import { fractionOf, minus, one, over, plus, rounded, times, zero, type Fraction } from './fraction.ts';

/** What is priced: an item of an order, or a way of shipping it. */
export type Priced = {
  /** For all its units. */
  readonly price: Fraction;
  readonly taxIncluded: boolean;
  readonly node: JsonObject;
};

/** What of it was a discount, what tax, and what was paid in the end. */
export type Paid = {
  /** Tax inside where the price has it inside. */
  readonly discount: Money | undefined;
  readonly tax: Money | undefined;
  /** Tax inside. */
  readonly total: Money | undefined;
  /** The same without discounts. */
  readonly undiscounted: Money | undefined;
};

const hundred: Fraction = { above: 100n, below: 1n };

/** Percents of all the taxes together, or nothing where one cannot be read. */
const rateOf = ({ tax_lines: lines }: JsonObject): Fraction | undefined => {
  let sum = zero;
  for (const { rate } of objectsOf(lines)) {
    const read = fractionOf(rate);
    if (read === undefined || read.above < 0n) return undefined;
    sum = plus(sum, over(read, hundred));
  }
  return sum;
};

/** All that was taken off, without tax. */
const reliefOf = ({ adjustments }: JsonObject, withTax: Fraction): Fraction | undefined => {
  let sum = zero;
  for (const { amount, is_tax_inclusive: taxIncluded } of objectsOf(adjustments)) {
    const read = fractionOf(amount);
    if (read === undefined || read.above < 0n) return undefined;
    sum = plus(sum, taxIncluded === true ? over(read, withTax) : read);
  }
  return sum;
};

/**
 * What was paid of a price, as Medusa works it out: from the price, the adjustments and the tax lines. The totals that it
 * sends along cannot be taken: they are of the units that have not come back yet.
 * https://docs.medusajs.com/resources/commerce-modules/order/tax-lines
 *
 * @returns fields are absent that cannot be told
 */
export const paidFor = ({ price, taxIncluded, node }: Priced, currency: string): Paid => {
  const rate = rateOf(node);
  const withTax = plus(one, rate ?? zero);
  const relief = rate && reliefOf(node, withTax);
  if (rate === undefined || relief === undefined)
    return { discount: undefined, tax: undefined, total: undefined, undiscounted: undefined };
  const net = taxIncluded ? over(price, withTax) : price;
  const paid = minus(net, relief);
  return {
    discount: rounded(taxIncluded ? times(relief, withTax) : relief, currency),
    tax: rounded(times(paid, rate), currency),
    total: rounded(times(paid, withTax), currency),
    undiscounted: rounded(times(net, withTax), currency),
  };
};
