import type { Money } from '../../contract/scalars.ts';
import { exponent } from '../../money/currency.ts';
import { largestAmount } from '../shared/fields/money.ts';

/*
 * Medusa stores what a price and a rate are, and works out the rest with some twenty digits: what a line was taxed with has
 * no end where its price holds the tax. The same is done here, and rounded once.
 */

/** An exact number; `below` is above zero. */
export type Fraction = { readonly above: bigint; readonly below: bigint };

export const zero: Fraction = { above: 0n, below: 1n };
export const one: Fraction = { above: 1n, below: 1n };

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.below + b.above * a.below,
  below: a.below * b.below,
});
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { ...b, above: -b.above });
export const times = (a: Fraction, b: Fraction): Fraction => ({ above: a.above * b.above, below: a.below * b.below });
/** `b` is above zero. */
export const over = (a: Fraction, b: Fraction): Fraction => ({ above: a.above * b.below, below: a.below * b.above });

/** A number of JSON, `1e-7` too; nothing for other things, and for one so long that nobody means it. */
export const fractionOf = (value: unknown): Fraction | undefined => {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const [, sign = '', whole = '', digits = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(value) ?? [];
  if (whole === '') return undefined;
  const places = digits.length - Number(power);
  const scaled = BigInt(`${sign}${whole}${digits}`);
  return places >= 0
    ? { above: scaled, below: 10n ** BigInt(places) }
    : { above: scaled * 10n ** BigInt(-places), below: 1n };
};

/** To the nearest minor unit, halves away from zero; nothing for money below zero, too much of it or no known currency. */
export const rounded = ({ above, below }: Fraction, currency: string): Money | undefined => {
  const digits = exponent(currency);
  if (digits === undefined || above < 0n) return undefined;
  const amount = (above * 10n ** BigInt(digits) * 2n + below) / (below * 2n);
  return amount > largestAmount ? undefined : { amount: Number(amount), currency };
};
