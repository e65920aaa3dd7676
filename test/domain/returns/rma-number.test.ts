import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rmaNumber } from '../../../lib/domain/returns/rma-number.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const valueOf = (text: string) =>
  text.split('').reduce((value, character) => value * 32n + BigInt(alphabet.indexOf(character)), 0n);
const checks = (rma: string) => valueOf(rma.slice(0, 10)) % 37n === valueOf(rma.slice(10));

const rma = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(rmaNumber);

describe('rmaNumber', () => {
  it('has ten characters and a check character', () => {
    fc.assert(
      fc.property(rma, (number) => {
        expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{11}$/);
        expect(checks(number)).toBe(true);
      }),
    );
  });

  it('detects every wrong character', () => {
    fc.assert(
      fc.property(rma, fc.nat(9), fc.constantFrom(...alphabet.split('')), (number, index, wrong) => {
        fc.pre(number[index] !== wrong);
        expect(checks(number.slice(0, index) + wrong + number.slice(index + 1))).toBe(false);
      }),
    );
  });

  it('detects two swapped neighbours', () => {
    fc.assert(
      fc.property(rma, fc.nat(8), (number, index) => {
        const [a = '', b = ''] = [number[index], number[index + 1]];
        fc.pre(a !== b);
        expect(checks(number.slice(0, index) + b + a + number.slice(index + 2))).toBe(false);
      }),
    );
  });

  it('skips numbers whose check value is not a digit, also across the end', () => {
    const last = 2n ** 50n - 1n;
    expect(rmaNumber(last)).toMatch(/^[0-9A-HJKMNP-TV-Z]{11}$/);
    expect(checks(rmaNumber(36n))).toBe(true);
  });
});
