import { describe, expect, it } from 'vitest';
import { exponent } from '../../lib/money/currency.ts';

/** Where CLDR, which Intl follows, differs from ISO 4217 on purpose. */
const cldrDiffers = new Set(
  'AFN ALL AMD COP CRC HUF IDR IQD IRR KPW LAK LBP LUF MGA MMK MRU MUR PKR RSD SLE SLL SOS STN SYP TMT TWD TZS UZS YER UYW'.split(
    ' ',
  ),
);

describe('exponent', () => {
  it('is what ISO 4217 says where Intl says otherwise', () => {
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

  it('knows no code that is none', () => {
    expect(['DEM', 'XXX', 'eur', '', 'constructor'].map(exponent)).toEqual(Array(5).fill(undefined));
  });
});
