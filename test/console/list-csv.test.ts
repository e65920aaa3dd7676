import { describe, expect, it } from 'vitest';
import { listCsv } from '../../lib/console/screens/queue/list-csv.ts';
import type { Output } from '../../lib/contract/contract.ts';
import { parseCsv } from '../service/jobs/parse-csv.ts';

type Summary = Output<'listReturns'>['items'][number];

const context = {
  digitsOf: (currency: string): number => ({ JPY: 0, KWD: 3 })[currency] ?? 2,
  nameOf: (userId: string): string => ({ 'user-1': 'Bruno Costa', 'user-2': '=1+1' })[userId] ?? userId,
};

const summary = (rmaNumber: string, currency: string, due: number, orderId = '1001') =>
  ({
    rmaNumber,
    status: 'received',
    refundStatus: 'none',
    requestedAt: '2026-11-20T08:00:00.000Z',
    order: { platform: 'web', orderId },
    customer: { name: 'Beatriz Almeida', email: 'beatriz@example.com' },
    customerId: 'customer-1',
    quantity: 2,
    flags: ['discrepancy'],
    reasons: ['fit.too_small'],
    skus: ['SHIRT-M'],
    amounts: {
      worth: { amount: due + 1, currency },
      refunded: { amount: 0, currency },
      due: { amount: due, currency },
    },
  }) as unknown as Summary;

const rowsOf = (items: readonly Summary[]) => parseCsv(listCsv(items, context));

describe('listCsv', () => {
  it('has a row for each return, then the sums of each currency', () => {
    const rows = rowsOf([
      summary('A', 'EUR', 20_250),
      summary('B', 'JPY', 900),
      summary('C', 'EUR', -50),
      summary('D', 'KWD', 1234),
    ]);
    const [head = [], ...others] = rows;
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head.length]));
    const shown = ['rmaNumber', 'quantity', 'currency', 'worth', 'due'].map((name) => head.indexOf(name));
    expect(others.map((row) => shown.map((at) => row[at]))).toEqual([
      ['A', '2', 'EUR', '202.51', '202.5'],
      ['B', '2', 'JPY', '901', '900'],
      ['C', '2', 'EUR', '-0.49', '-0.5'],
      ['D', '2', 'KWD', '1.235', '1.234'],
      ['sum', '4', 'EUR', '202.02', '202'],
      ['sum', '2', 'JPY', '901', '900'],
      ['sum', '2', 'KWD', '1.235', '1.234'],
    ]);
  });

  it('has no data of the customer, and no formula', () => {
    const text = listCsv([summary('A', 'EUR', 1, '=HYPERLINK("https://example.com")')], context);
    expect(text).not.toMatch(/Beatriz|beatriz|customer-1/);
    expect(text).toContain(`"'=HYPERLINK(""https://example.com"")"`);
  });

  it('has the assignee as the list shows it, and no formula in a name', () => {
    const assigned = ['user-1', 'user-2', 'user-3'].map((id) => ({ ...summary('A', 'EUR', 1), assignee: { id } }));
    const [head = [], ...rows] = rowsOf([...assigned, summary('B', 'EUR', 1)]);
    const at = head.indexOf('assignee');
    expect(rows.map((row) => row[at])).toEqual(['Bruno Costa', "'=1+1", 'user-3', '', '']);
  });

  it('has only its columns for an empty list', () => {
    expect(rowsOf([])).toHaveLength(1);
  });
});
