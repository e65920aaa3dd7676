import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnNames, noMapping, parseMapping, type Mapping } from '../../../lib/tools/cli/import/columns.ts';
import { readCsv } from '../../../lib/tools/cli/import/csv.ts';
import { cellOf, inColumns, requestOf } from '../../../lib/tools/cli/import/request.ts';
import { readReturns } from '../../../lib/tools/cli/import/rows.ts';
import { parseObject } from '../../../lib/runtime/json.ts';
import { exponent } from '../../../lib/domain/money/currency.ts';

/** Returns bytes in pieces of a size, so that a piece ends within a character and within a line end. */
const pieces = (bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> =>
  (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();

const allOf = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const rowsOf = async (text: string | Uint8Array, { size = 7, delimiter = ',' } = {}) =>
  allOf(readCsv(pieces(typeof text === 'string' ? bytesOf(text) : text, size), delimiter));

const returnsOf = async (text: string, mapping: Mapping = noMapping) =>
  allOf(readReturns(readCsv(pieces(bytesOf(text), 11), mapping.delimiter), mapping));

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

describe('CSV', () => {
  it('reads back what RFC 4180 writes, in pieces of any size, with each line end and with a byte order mark', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.toWellFormed());
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    const style = fc.record({
      table,
      end: fc.constantFrom('\n', '\r\n', '\r'),
      mark: fc.constantFrom('', '\uFEFF'),
      size: fc.integer({ min: 1, max: 9 }),
      delimiter: fc.constantFrom(',', ';', '\t'),
    });
    const writes = fc.asyncProperty(style, async ({ table: cells, end, mark, size, delimiter }) => {
      const text = mark + cells.map((row) => row.map(quoted).join(delimiter)).join(end);
      const numbered = cells.map((row, index) => ({ row: index + 1, cells: row }));
      const filled = numbered.filter(({ cells: row }) => row.some((one) => one !== ''));
      expect(await rowsOf(text, { size, delimiter })).toEqual(filled);
    });
    await fc.assert(writes, { numRuns: 200 });
  });

  it('leaves out empty rows, and keeps the numbers of the others', async () => {
    expect(await rowsOf('a,b\n\n,\n1,2\n')).toEqual([
      { row: 1, cells: ['a', 'b'] },
      { row: 4, cells: ['1', '2'] },
    ]);
  });

  it.each([
    ['a quote within a plain cell', 'a\nx"y\n', 'is doubled'],
    ['text after a quoted cell', 'a\n"x"y\n', 'is doubled'],
    ['a quoted cell without an end', 'a\n"x\n', 'has no end'],
    ['a cell of a megabyte', `a\n${'x'.repeat(1_000_000)}\n`, 'more than 10000 characters'],
    ['an open quote before a megabyte', `a\n"${'x,\n'.repeat(300_000)}`, 'more than 10000 characters'],
  ])('ends with the row of %s', async (_, text, failure) => {
    const found = await rowsOf(text, { size: 65_536 });
    expect(found).toEqual([
      { row: 1, cells: ['a'] },
      { row: 2, failure: expect.stringContaining(failure) },
    ]);
  });

  it.each([
    ['Latin-1', Uint8Array.from([0x61, 0x0a, 0xe9, 0x0a])],
    ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x61, 0x00])],
  ])('rejects %s', async (_, bytes) => {
    expect((await rowsOf(bytes)).at(-1)).toMatchObject({ failure: expect.stringContaining('not UTF-8') });
  });
});

const heading = 'source,return_id,status,requested_at,platform,order_id,currency,line_id,unit_price,quantity,reason';
const row = (id: string, more: Readonly<Record<string, string>> = {}): string => {
  const values: Readonly<Record<string, string>> = {
    source: 'loop',
    return_id: id,
    status: 'completed',
    requested_at: '2024-03-01',
    platform: 'web',
    order_id: `o-${id}`,
    currency: 'EUR',
    line_id: '1',
    unit_price: '19.99',
    quantity: '2',
    reason: 'other',
    ...more,
  };
  return heading
    .split(',')
    .map((name) => values[name])
    .join(',');
};

describe('rows', () => {
  it('of a return are its lines', async () => {
    const found = await returnsOf([heading, row('1'), row('1', { line_id: '2' }), row('2')].join('\n'));
    expect(found.map((one) => 'rows' in one && one.rows.map((parsed) => parsed.row))).toEqual([[2, 3], [4]]);
    const [first] = found;
    if (first === undefined || !('rows' in first)) throw new Error('no return');
    expect(first.errors).toEqual([]);
    expect(requestOf(first.rows)).toMatchObject({
      ok: true,
      value: {
        source: 'loop',
        externalId: '1',
        requestedAt: '2024-03-01T00:00:00Z',
        order: {
          facts: { observedAt: '2024-03-01T00:00:00Z', lines: [{ lineId: '1', quantity: 2 }, { lineId: '2' }] },
        },
        lines: [{ orderLineId: '1', quantity: 2, reason: { code: 'other' } }, { orderLineId: '2' }],
      },
    });
  });

  it('of one order line add up, unless they have the ordered quantity', async () => {
    const [found] = await returnsOf([heading, row('1', { quantity: '1' }), row('1', { quantity: '1' })].join('\n'));
    if (found === undefined || !('rows' in found)) throw new Error('no return');
    expect(requestOf(found.rows)).toMatchObject({ value: { order: { facts: { lines: [{ quantity: 2 }] } } } });
  });

  it.each([
    [{ status: '' }, 'status', 'must not be empty'],
    [{ quantity: '1.5' }, 'quantity', 'whole number'],
    [{ unit_price: '1,999' }, undefined, 'must have 11 cells'],
    [{ unit_price: '€19.99' }, 'unit_price', 'decimal number'],
    [{ requested_at: '2024-03-01 10:00' }, 'requested_at', 'time with an offset'],
    [{ requested_at: '2024-02-30' }, 'requested_at', 'time with an offset'],
  ])('with %j have an error at the cell', async (more, column, message) => {
    const [found] = await returnsOf(`${heading}\n${row('1', more)}`);
    expect(found).toMatchObject({
      errors: expect.arrayContaining([{ row: 2, column, message: expect.stringContaining(message) }]),
    });
  });

  it.each([
    ['2024-03-01T10:00:00Z', '2024-03-01T10:00:00Z'],
    ['2024-03-01 10:00:00 -0500', '2024-03-01T10:00:00-05:00'],
    ['2024-03-01 10:00 UTC', '2024-03-01T10:00:00Z'],
  ])('have the time %s as %s', async (requested_at, requestedAt) => {
    const [found] = await returnsOf(`${heading}\n${row('1', { requested_at })}`);
    if (found === undefined || !('rows' in found)) throw new Error('no return');
    expect(requestOf(found.rows)).toMatchObject({ value: { requestedAt } });
  });

  it('that disagree, or stand apart, have errors', async () => {
    const found = await returnsOf([heading, row('1'), row('1', { status: 'expired' }), row('2'), row('1')].join('\n'));
    expect(found.map((one) => 'errors' in one && one.errors)).toEqual([
      [{ row: 3, column: 'status', message: expect.stringContaining('as in row 2') }],
      [],
      [{ row: 5, column: 'return_id', message: expect.stringContaining('next to the other rows') }],
    ]);
  });

  it('name the column of a currency that does not exist, once', async () => {
    const [found] = await returnsOf(`${heading}\n${row('1', { currency: 'EURO' })}`);
    if (found === undefined || !('rows' in found)) throw new Error('no return');
    expect(requestOf(found.rows)).toEqual({
      ok: false,
      failure: [{ row: 2, column: 'currency', message: 'must be an ISO 4217 code such as EUR' }],
    });
  });

  it('name the columns of an error of the service', async () => {
    const [found] = await returnsOf(`${heading}\n${row('1')}`);
    if (found === undefined || !('rows' in found)) throw new Error('no return');
    expect(cellOf('/order/facts/observedAt', found.rows)).toEqual({ row: 2, column: 'requested_at' });
    expect(inColumns('must not be before requestedAt')).toBe('must not be before requested_at');
    expect(inColumns('must be at most 5000 EUR in minor units, or name the rest in shipping or extras')).toBe(
      'must be at most 50.00 EUR, or name the rest in refund_shipping or refund_compensation',
    );
    expect(inColumns('must be at most 5000 JPY in minor units')).toBe('must be at most 5000 JPY');
  });

  it('have exact amounts in each currency, and an error for more decimals', async () => {
    const requestWith = async (unit_price: string, currency: string) => {
      const [found] = await returnsOf(`${heading}\n${row('1', { unit_price, currency })}`);
      if (found === undefined || !('rows' in found)) throw new Error('no return');
      return requestOf(found.rows);
    };
    const amounts = fc.integer({ min: 0, max: 999_999 });
    await fc.assert(
      fc.asyncProperty(amounts, fc.constantFrom('JPY', 'EUR', 'BHD'), async (amount, currency) => {
        const digits = exponent(currency) ?? 0;
        const text = (amount / 10 ** digits).toFixed(digits);
        expect(await requestWith(text, currency)).toMatchObject({
          value: { order: { facts: { lines: [{ unitPrice: { amount, currency } }] } } },
        });
        expect(await requestWith(`${digits === 0 ? `${text}.` : text}01`, currency)).toMatchObject({
          failure: [{ row: 2, column: 'unit_price', message: expect.stringContaining(`at most ${digits} decimals`) }],
        });
      }),
    );
    expect(await requestWith('10000000000.01', 'EUR')).toMatchObject({
      failure: [{ column: 'unit_price', message: expect.stringContaining('at most 1000000000000 in minor units') }],
    });
  });

  it.each([
    ['', 'the file is empty'],
    ['source,nonsense\n', 'nonsense is no column'],
    ['source;return_id\n', 'separated by commas'],
    ['source,source\n', 'twice'],
    ['source,return_id\n', 'the column status is missing'],
  ])('of the file %j cannot be read', async (text, message) => {
    expect(await returnsOf(text)).toEqual([{ unreadable: { row: 1, message: expect.stringContaining(message) } }]);
  });
});

describe('mapping', () => {
  const loop = parseMapping(parseObject(readFileSync('lib/tools/guides/examples/import-loop.json', 'utf8')) ?? {});

  it('of the guide reads its export', async () => {
    if (!loop.ok) throw new Error(loop.failure);
    const names =
      'id,state,created_at,updated_at,refund,provider_order_id,order_name,currency,customer,line_item_provider_line_item_id,line_item_sku,line_item_title,line_item_price,line_item_discount,line_item_tax,line_item_parent_return_reason,line_item_return_comment';
    const cells =
      '58211,closed,2024-03-01T10:00:00.000Z,2024-03-09T10:00:00.000Z,17.00,3248,#1001,EUR,ada@example.com,77,S-1,Shirt,20.00,3.00,0.00,Too small,"Tight, sadly"';
    const [found] = await returnsOf(`${names}\n${cells}\n`, loop.value);
    if (found === undefined || !('rows' in found)) throw new Error('no return');
    expect(found.errors).toEqual([]);
    expect(requestOf(found.rows)).toMatchObject({
      value: {
        source: 'loop',
        externalId: '58211',
        status: 'completed',
        order: { platform: 'shopify', orderId: '3248', facts: { customer: { email: 'ada@example.com' } } },
        refund: { amount: { amount: 1700, currency: 'EUR' }, occurredAt: '2024-03-09T10:00:00.000Z' },
        lines: [{ orderLineId: '77', quantity: 1, reason: { code: 'fit.too_small', note: 'Tight, sadly' } }],
      },
    });
  });

  it.each([
    [{ columns: { retrun_id: 'id' } }, 'Did you mean return_id?'],
    [{ columns: { return_id: 7 } }, 'must be a heading, or an object'],
    [{ columns: { status: { values: { a: 'b' } } } }, 'must be a heading, or an object'],
    [{ columns: {}, delimiter: '|' }, 'delimiter must be'],
    [{ columns: {}, more: 1 }, 'no more'],
    [{}, 'columns must be an object'],
  ])('%j is wrong in one sentence', (mapping, failure) => {
    expect(parseMapping(mapping)).toEqual({ ok: false, failure: expect.stringContaining(failure) });
  });

  it('names the words that it knows', async () => {
    if (!loop.ok) throw new Error(loop.failure);
    const mapping = { delimiter: ',', columns: { ...loop.value.columns, line_id: 'x' } } as unknown as Mapping;
    expect(await returnsOf('id\n1\n', mapping)).toMatchObject([{ unreadable: { row: 1 } }]);
  });
});

describe('errors of the service', () => {
  const rows = [2, 3].map((row) => ({ row, values: {} }));

  it.each([
    ['/lines/1/quantity', 3, 'quantity'],
    ['/lines/0/reason/code', 2, 'reason'],
    ['/order/facts/lines/1/unitPrice/amount', 3, 'unit_price'],
    ['/refund/amount', 2, 'refund_amount'],
    ['/status', 2, 'status'],
    ['/nonsense', 2, undefined],
  ])('at %s belong to a cell', (path, row, column) => {
    expect(cellOf(path, rows)).toEqual({ row, column });
  });
});

it('guide of the import has a row for each column', () => {
  const guide = readFileSync('lib/tools/guides/import.md', 'utf8');
  expect(columnNames.filter((name) => !guide.includes(`| \`${name}\``))).toEqual([]);
});
