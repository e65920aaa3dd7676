import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOf } from '../../lib/contract/jobs/csv-row.ts';
import { parseCsv } from '../service/jobs/parse-csv.ts';
import { runs } from '../support/samples.ts';

const plain = (text: string): string => text.replaceAll("'", '');
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...Array.from(`=+-@＝;,|\t\r\n"' \u00A0\u200Ba`)) }),
);

/** The characters that spreadsheets of all kinds remove around a cell before they read it. */
const skipped = /^[\s\p{Cc}\p{Cf}]+/u;
const signs = new Set('=+-@＝＋－＠');

/** Reads a row as a spreadsheet with these separators does: with quotes around cells, which it drops, or without. */
const readCells = (row: string, separators: string, hasQuotes: boolean): readonly string[] => {
  const cells = [''];
  let isQuoted = false;
  for (const letter of row) {
    const cell = cells.at(-1) ?? '';
    if (hasQuotes && letter === '"' && (isQuoted || cell === '')) isQuoted = !isQuoted;
    else if (!isQuoted && separators.includes(letter)) cells.push('');
    else cells[cells.length - 1] = cell + letter;
  }
  return cells;
};

const isFormula = (cell: string): boolean => signs.has(Array.from(cell.replace(skipped, ''))[0] ?? '');

describe('CSV', () => {
  it('parses to the original values, and never starts a formula', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 2, maxLength: 5 }), (cells) => {
        const [row = []] = parseCsv(`${cells.map(cellOf).join(',')}\r\n`);
        expect(row.map(plain)).toEqual(cells.map(plain));
        expect(row.filter(isFormula)).toEqual([]);
      }),
      { numRuns: runs(300) },
    );
  });

  it.each([',', ';', '\t', '|', ',;', ';\t', ',;|\t'])(
    'has no formula for a reader whose separators are %j',
    (chosen) => {
      fc.assert(
        fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), fc.boolean(), (cells, hasQuotes) => {
          const row = cells.map(cellOf).join(',');
          expect(readCells(row, `${chosen}\r\n`, hasQuotes).filter(isFormula)).toEqual([]);
        }),
        { numRuns: runs(300) },
      );
    },
  );

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
      'a; =1',
      'a;\u00A0 -1',
      'a, @1',
      'a|=1',
      'a - b = c',
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
      " '=1",
      `"""'=1"""`,
      "a;'=1",
      `"a;""'+1"`,
      'a;1',
      "a; '=1",
      "a;\u00A0 '-1",
      `"a, '@1"`,
      "a|'=1",
      'a - b = c',
    ]);
    expect([cellOf(0), cellOf(true), cellOf(undefined)]).toEqual(['0', 'true', '']);
  });
});
