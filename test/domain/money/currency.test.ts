import { describe, expect, it } from 'vitest';
import { exponent } from '../../../lib/domain/money/currency.ts';

/** Currencies in which CLDR, the source of Intl, deliberately differs from ISO 4217. */
const cldrDiffers = new Set(
  'AFN ALL AMD COP CRC HUF IDR IQD IRR KPW LAK LBP LUF MGA MMK MRU MUR PKR RSD SLE SLL SOS STN SYP TMT TWD TZS UZS YER UYW'.split(
    ' ',
  ),
);

describe('exponent', () => {
  it('follows ISO 4217 where Intl differs', () => {
    expect(['HUF', 'IDR', 'COP'].map(exponent)).toEqual([2, 2, 2]);
    expect(exponent('IQD')).toBe(3);
  });

  it('agrees with Intl on every other currency', () => {
    const differing = Intl.supportedValuesOf('currency').filter((currency) => {
      const ours = exponent(currency);
      const theirs = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
        .maximumFractionDigits;
      return ours !== undefined && !cldrDiffers.has(currency) && ours !== theirs;
    });
    expect(differing).toEqual([]);
  });

  it('is undefined for an unknown code', () => {
    expect(['DEM', 'XXX', 'eur', '', 'constructor'].map(exponent)).toEqual(Array(5).fill(undefined));
  });
});
