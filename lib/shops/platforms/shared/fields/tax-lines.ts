import type { Money } from '../../../../contract/scalars.ts';
import { sum } from '../../../../runtime/sum.ts';
import type { OrderLine } from '../../platform.ts';
import { optional } from './fields.ts';
import { partOfUnits } from './sold-line.ts';

/** The tax of one rate, in a line, the shipping or a charge of an order. */
export type TaxLine = NonNullable<OrderLine['taxes']>[number];

/** The contract's limit. */
const maxLines = 10;

const form = /^(0|[1-9]\d{0,2})(?:\.(\d{1,6})0*)?$/;

/** Returns a rate that is reported in percent, such as 19 or `8.8750`. Undefined for another form. */
export const rateOf = (percent: unknown): string | undefined => {
  const text = typeof percent === 'number' ? String(percent) : percent;
  const [, whole, digits = ''] = (typeof text === 'string' && form.exec(text)) || [];
  const decimals = digits.replace(/0+$/, '');
  return decimals === '' ? whole : `${whole}.${decimals}`;
};

/** Returns a rate that is reported as a part of one: 0.19 is 19 %. It moves the point, so no float changes a digit. */
export const rateOfFraction = (fraction: unknown): string | undefined => {
  const [, whole, digits = ''] = (typeof fraction === 'number' && /^(\d)(?:\.(\d+))?$/.exec(String(fraction))) || [];
  if (whole === undefined) return undefined;
  const [hundredths, rest] = [digits.slice(0, 2).padEnd(2, '0'), digits.slice(2)];
  return rateOf(`${Number(whole + hundredths)}${rest === '' ? '' : `.${rest}`}`);
};

/**
 * Returns a tax line; undefined if its amount is unreadable.
 * Some shops write the rate 0 where they have none. No tax has this rate.
 */
export const taxLine = (amount: Money | undefined, rate: string | undefined): TaxLine | undefined =>
  amount && { ...optional('rate', rate === '0' && amount.amount > 0 ? undefined : rate), amount };

const rateKey = ({ rate }: TaxLine, index: number): string => rate ?? `line ${index}`;

/** Adds the lines of each rate. Lines without a rate stay apart, because their rates may differ. */
const byRate = (lines: readonly TaxLine[]): readonly TaxLine[] => {
  const amounts = new Map<string, TaxLine>();
  for (const [index, line] of lines.entries()) {
    const key = rateKey(line, index);
    const known = amounts.get(key)?.amount.amount ?? 0;
    amounts.set(key, { ...line, amount: { ...line.amount, amount: known + line.amount.amount } });
  }
  return [...amounts.values()];
};

/**
 * Returns the tax lines of a part of an order, if they are its whole tax.
 * Undefined if one is unreadable, if they add up to another amount, or if they say no more than the tax itself.
 */
export const taxesOf = (lines: readonly (TaxLine | undefined)[], tax: Money | undefined): TaxLine[] | undefined => {
  const known = lines.filter((line) => line !== undefined);
  const isWhole =
    known.length === lines.length &&
    known.every(({ amount }) => amount.currency === tax?.currency) &&
    sum(known.map(({ amount }) => amount.amount)) === tax?.amount;
  const taxes = isWhole ? byRate(known) : [];
  const saysMore = taxes.length > 1 || taxes[0]?.rate !== undefined;
  return saysMore && taxes.length <= maxLines ? [...taxes] : undefined;
};

/** Returns the parts of tax lines of all units that belong to some of them. They add up to the part of the whole tax. */
export const taxesOfUnits = (
  lines: readonly (TaxLine | undefined)[],
  units: number,
  part: number,
): readonly (TaxLine | undefined)[] => {
  let [before, granted] = [0, 0];
  return lines.map((line) => {
    before += line?.amount.amount ?? 0;
    const upTo = partOfUnits(line && { ...line.amount, amount: before }, units, part);
    if (line === undefined || upTo === undefined) return undefined;
    const amount = upTo.amount - granted;
    granted = upTo.amount;
    return { ...line, amount: { ...line.amount, amount } };
  });
};
