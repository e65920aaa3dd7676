import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { code128 } from '../../lib/console/screens/return/code-128.ts';
import { readCode128 } from './read-code-128.ts';

const modulesOf = (widths: string): string =>
  Array.from(widths, (digit, index) => (index % 2 === 0 ? '1' : '0').repeat(Number(digit))).join('');

const printable = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)) });

describe('code128', () => {
  it('writes what an independent reader reads', () => {
    fc.assert(
      fc.property(printable, (text) => {
        expect(readCode128(modulesOf(code128(text)))).toBe(text);
      }),
    );
  });

  it('has a check symbol that finds a changed character', () => {
    const widths = code128('7ZK3Q9WX2M4');
    const changed = `${widths.slice(0, 6)}${code128('8').slice(6, 12)}${widths.slice(12)}`;
    expect([readCode128(modulesOf(widths)), readCode128(modulesOf(changed))]).toEqual(['7ZK3Q9WX2M4', undefined]);
  });
});
