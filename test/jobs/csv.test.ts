import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOf } from '../../lib/jobs/csv.ts';
import { parseCsv } from './parse-csv.ts';
import { runs } from '../support/samples.ts';

/** The start of a formula in a spreadsheet, for any separator. */
const formula = /^[=+\-@\t\r\n＝＋－＠]|[;\t\r\n]"*[=+\-@＝＋－＠]/;
const plain = (text: string): string => text.replaceAll("'", '');
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('=', '+', '-', '@', ';', '\t', '\r', '\n', '"', ',', "'", ' ', 'a', '＝') }),
);

describe('CSV', () => {
  it('parses to the original values, and never starts a formula', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 2, maxLength: 5 }), (cells) => {
        const [row = []] = parseCsv(`${cells.map(cellOf).join(',')}\r\n`);
        expect(row.map(plain)).toEqual(cells.map(plain));
        expect(row.filter((cell) => !formula.test(cell.replaceAll("'", 'a')))).toEqual(row);
        expect(row.filter((cell) => formula.test(cell))).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it('puts an apostrophe before a value that a spreadsheet would evaluate, and before no other', () => {
    const cells = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      '＝1',
      'a=1',
      "'",
      '',
      '1',
      ' =1',
      '"=1"',
      'a;=1',
      'a;"+1',
      'a;1',
    ];
    expect(cells.map(cellOf)).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'\t'=1",
      "'＝1",
      'a=1',
      "'",
      '',
      '1',
      ' =1',
      '"""=1"""',
      "a;'=1",
      `"a;""'+1"`,
      'a;1',
    ]);
    expect([cellOf(0), cellOf(true), cellOf(undefined)]).toEqual(['0', 'true', '']);
  });
});
