import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorOf, sumOf } from '../../../lib/domain/money/decimal.ts';
import { parseExactJson, wholeOf } from '../../../lib/runtime/exact-json.ts';
import { idOf } from '../../../lib/shops/platforms/shared/fields/fields.ts';
import { pricesOf } from '../../../lib/shops/platforms/shared/fields/sold-line.ts';

describe('minorOf', () => {
  test.each([
    ['27.00', 'EUR', 2700],
    ['-27.00', 'EUR', -2700],
    ['0', 'EUR', 0],
    ['-0.00', 'EUR', 0],
    ['1.005', 'EUR', 101],
    ['-1.005', 'EUR', -101],
    ['10.949999999999999', 'EUR', 1095],
    ['1000.0000', 'JPY', 1000],
    ['1000.5', 'JPY', 1001],
    ['1.2345', 'KWD', 1235],
    ['10000000000', 'EUR', 1_000_000_000_000],
    ['10000000000.01', 'EUR', undefined],
    ['1,000.00', 'EUR', undefined],
    ['1e3', 'EUR', undefined],
    ['', 'EUR', undefined],
    ['1.00', 'XYZ', undefined],
    [1, 'EUR', undefined],
    [null, 'EUR', undefined],
  ])('reads %j %s as %j', (value, currency, expected) => expect(minorOf(value, currency)).toBe(expected));

  test('is exact for all amounts of the contract', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }), (amount) => {
        const digits = String(Math.abs(amount)).padStart(3, '0');
        const text = `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
        expect(minorOf(text, 'EUR')).toBe(amount);
      }),
    );
  });
});

test('parseExactJson keeps the digits of numbers and rejects text that is not JSON', () => {
  expect(parseExactJson('{"id":9007199254740993,"a":[0.1,10.90],"b":"1","c":null,"d":true}')).toEqual({
    id: '9007199254740993',
    a: ['0.1', '10.90'],
    b: '1',
    c: null,
    d: true,
  });
  expect(parseExactJson('[12345678901234567.10,-1E-7]')).toEqual(['12345678901234567.10', '-1E-7']);
  for (const text of ['', '{', '<html>']) expect(parseExactJson(text)).toBeUndefined();
});

test.each([
  ['5', '5'],
  [5, '5'],
  ['9007199254740993', '9007199254740993'],
  [2 ** 53, undefined],
  [890_088_186_047_892_319n, undefined],
  [0, undefined],
  ['0', undefined],
  ['05', undefined],
  ['1.0', undefined],
  ['../1', undefined],
  [null, undefined],
])('idOf %s is %s', (value, expected) => expect(idOf(value)).toBe(expected));

test.each([
  ['-1', -1],
  ['12', 12],
  ['0.5', undefined],
  [3, undefined],
])('wholeOf %j is %j', (value, expected) => expect(wholeOf(value)).toBe(expected));

test('sumOf returns nothing when a part is unreadable', () => {
  expect(sumOf(['1.50', '-0.25'], 'EUR')).toBe(125);
  expect(sumOf([], 'EUR')).toBe(0);
  expect(sumOf(['1.50', undefined], 'EUR')).toBeUndefined();
});

test('pricesOf sums to the exact paid amount, with a discount that is never negative', () => {
  const amount = fc.nat(100_000_000);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), amount, amount, (quantity, listed, paid) => {
      const { unitPrice, discountTotal } = pricesOf({ quantity, listed, paid }, 'EUR');
      expect(unitPrice.amount * quantity - discountTotal.amount).toBe(paid);
      expect(discountTotal.amount).toBeGreaterThanOrEqual(0);
    }),
  );
});
