import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorUnits, total } from '../../../lib/domain/money/decimal.ts';

const read = (amount: string, currencyCode: string) => minorUnits({ amount, currencyCode })?.amount;

describe('Shopify minorUnits', () => {
  test.each([
    ['89.90', 'EUR', 8990],
    ['89.9', 'EUR', 8990],
    ['0.29', 'EUR', 29],
    ['1.005', 'EUR', undefined],
    ['1.000', 'EUR', 100],
    ['1000.0', 'JPY', 1000],
    ['1000.5', 'JPY', undefined],
    ['12.345', 'KWD', 12345],
    ['12.3', 'KWD', 12300],
    ['1000', 'HUF', 100_000],
    ['10000000000.00', 'EUR', 1_000_000_000_000],
    ['10000000000.01', 'EUR', undefined],
    ['99999999999999999999', 'EUR', undefined],
    ['1.00', 'QQQ', undefined],
    ['-1.00', 'EUR', undefined],
    ['1e3', 'EUR', undefined],
    ['', 'EUR', undefined],
    ['1,00', 'EUR', undefined],
  ])('reads %s %s as %s', (amount, currency, minor) => expect(read(amount, currency)).toBe(minor));

  test.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
  ])('returns every amount in %s exactly, with any number of zeros', (currency, digits) => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), fc.nat({ max: 6 }), (minor, zeros) => {
        const text = String(minor).padStart(digits + 1, '0');
        const whole = digits === 0 ? text : text.slice(0, -digits);
        const fraction = (digits === 0 ? '' : text.slice(-digits)) + '0'.repeat(zeros);
        expect(read(fraction === '' ? whole : `${whole}.${fraction}`, currency)).toBe(minor);
      }),
    );
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (amount, currency) => {
        expect(() => read(amount, currency)).not.toThrow();
      }),
    );
  });
});

describe('Shopify total', () => {
  test('sums amounts of one currency, and is zero without amounts', () => {
    expect(
      total(
        [
          { amount: '0.10', currencyCode: 'EUR' },
          { amount: '0.20', currencyCode: 'EUR' },
        ],
        'EUR',
      ),
    ).toEqual({ amount: 30, currency: 'EUR' });
    expect(total([], 'EUR')).toEqual({ amount: 0, currency: 'EUR' });
  });

  test('returns nothing for mixed or unreadable amounts', () => {
    expect(total([{ amount: '0.10', currencyCode: 'USD' }], 'EUR')).toBeUndefined();
    expect(total([{ amount: 'x', currencyCode: 'EUR' }], 'EUR')).toBeUndefined();
  });
});
