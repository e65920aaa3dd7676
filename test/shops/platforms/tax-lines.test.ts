import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  rateOf,
  rateOfFraction,
  taxLine,
  taxesOf,
  taxesOfUnits,
} from '../../../lib/shops/platforms/shared/fields/tax-lines.ts';
import { eur } from '../../support/orders.ts';

const at = (rate: string | undefined, amount: number) => taxLine(eur(amount), rate);
const totalOf = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0);

describe('rateOf', () => {
  it.each([
    [19, '19'],
    [8.875, '8.875'],
    ['19.0000', '19'],
    ['8.8750000000', '8.875'],
    ['0', '0'],
    [0.1, '0.1'],
  ])('reads %j percent as %j', (reported, rate) => {
    expect(rateOf(reported)).toBe(rate);
  });

  it.each([1000, -7, '19 %', '', null, undefined, Number.NaN, '0.1234567', '019', 1e-7])(
    'reads no rate of %j',
    (value) => {
      expect(rateOf(value)).toBeUndefined();
    },
  );
});

describe('rateOfFraction', () => {
  it.each([
    [0.19, '19'],
    [0.07, '7'],
    [0.2, '20'],
    [0.08875, '8.875'],
    [0.055, '5.5'],
    [0, '0'],
    [1, '100'],
  ])('reads %j as %j percent', (reported, rate) => {
    expect(rateOfFraction(reported)).toBe(rate);
  });

  it.each(['0.19', -0.19, 19, null, undefined, 1e-7, 0.123456789])('reads no rate of %j', (value) => {
    expect(rateOfFraction(value)).toBeUndefined();
  });

  it('moves the point of each rate exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9_999_999 }), (millionths) => {
        const fraction = Number(`0.${String(millionths).padStart(7, '0')}`);
        // Smaller numbers are written as powers of ten.
        fc.pre(fraction === 0 || fraction >= 1e-6);
        expect(Number(rateOfFraction(fraction))).toBe(millionths / 100_000);
      }),
    );
  });
});

describe('taxesOf', () => {
  it('returns the lines that add up to the tax, one for each rate', () => {
    expect(taxesOf([at('19', 100), at('7', 20), at('19', 3)], eur(123))).toEqual([at('19', 103), at('7', 20)]);
    expect(taxesOf([at('0', 0)], eur(0))).toEqual([at('0', 0)]);
  });

  it('returns nothing when the lines add up to another amount', () => {
    expect(taxesOf([at('19', 100)], eur(101))).toBeUndefined();
    expect(taxesOf([at('19', 100)], undefined)).toBeUndefined();
    expect(taxesOf([at('19', 100)], { amount: 100, currency: 'USD' })).toBeUndefined();
  });

  it('returns nothing when a line is unreadable', () => {
    expect(taxesOf([at('19', 100), undefined], eur(100))).toBeUndefined();
  });

  it('returns several amounts without a rate, and not a single one', () => {
    expect(taxesOf([at(undefined, 60), at(undefined, 40)], eur(100))).toEqual([at(undefined, 60), at(undefined, 40)]);
    expect(taxesOf([at(undefined, 100)], eur(100))).toBeUndefined();
    expect(taxesOf([], eur(0))).toBeUndefined();
  });

  it('reads no rate of zero where a tax was paid', () => {
    expect(taxesOf([at('0', 100)], eur(100))).toBeUndefined();
  });

  it('returns at most ten rates', () => {
    const rates = Array.from({ length: 11 }, (_, index) => at(String(index), index));
    expect(taxesOf(rates.slice(0, 10), eur(45))).toHaveLength(10);
    expect(taxesOf(rates, eur(55))).toBeUndefined();
  });
});

describe('taxesOfUnits', () => {
  it('adds up to the part of the whole tax, and never takes more than a line has', () => {
    const amounts = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(amounts, fc.integer({ min: 1, max: 50 }), fc.nat(50), (parts, units, left) => {
        const part = Math.min(units, left);
        const lines = taxesOfUnits(
          parts.map((amount) => at('19', amount)),
          units,
          part,
        ).map((line) => line?.amount.amount ?? -1);
        expect(totalOf(lines)).toBe(Math.round((totalOf(parts) * part) / units));
        expect(lines.every((amount, index) => amount >= 0 && amount <= (parts[index] ?? 0))).toBe(true);
      }),
    );
  });

  it('keeps the lines of all units', () => {
    const lines = [at('19', 100), undefined, at('7', 3)];
    expect(taxesOfUnits(lines, 3, 3)).toEqual(lines);
  });
});
