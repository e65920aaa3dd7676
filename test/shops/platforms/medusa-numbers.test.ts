import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unitsIn } from '../../../lib/shops/platforms/medusa/order.ts';
import { fractionOf, minus, dividedBy, plus, rounded, times } from '../../../lib/shops/platforms/medusa/price.ts';

test.each([
  ['2', 2],
  ['2.0', 2],
  ['0', 0],
  ['99999', 99_999],
  ['100000', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e2', undefined],
  [2, undefined],
])('Medusa unitsIn reads %j as %s', (value, units) => expect(unitsIn(value)).toBe(units));

describe('Medusa rounded', () => {
  const money = (text: string, currency = 'EUR') =>
    rounded(fractionOf(text) ?? { numerator: -1n, denominator: 1n }, currency)?.amount;

  test.each([
    ['12.34', 1234],
    ['12.344999', 1234],
    ['12.345', 1235],
    ['1e2', 10_000],
    ['1.5E-3', 0],
    ['5e-3', 1],
    ['10000000000', 1_000_000_000_000],
    ['10000000000.005', undefined],
    ['-0.01', undefined],
    ['1,5', undefined],
    ['', undefined],
    ['0x10', undefined],
    ['9'.repeat(61), undefined],
  ])('reads %s as %s cents', (text, cents) => expect(money(text)).toBe(cents));

  test('knows the digits of existing currencies only', () => {
    expect(money('1.2345', 'KWD')).toBe(1235);
    expect(money('1.5', 'JPY')).toBe(2);
    expect(money('1', 'EURO')).toBeUndefined();
  });

  test('loses no cent when a tax is subtracted from a price and added again', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), fc.nat({ max: 9_999 }), (cents, points) => {
        const price = { numerator: BigInt(cents), denominator: 100n };
        const withTax = { numerator: 10_000n + BigInt(points), denominator: 10_000n };
        const net = dividedBy(price, withTax);
        const tax = minus(price, net);
        expect(rounded(plus(net, tax), 'EUR')?.amount).toBe(cents);
        expect(rounded(times(net, withTax), 'EUR')?.amount).toBe(cents);
      }),
    );
  });
});
