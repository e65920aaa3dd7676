import { describe, expect, it } from 'vitest';
import { recordLines } from '../../../lib/tools/cli/output/record.ts';
import { withReturnTables } from '../../../lib/tools/cli/output/return-tables.ts';
import { api } from '../../support/api.ts';
import { eur } from '../../support/orders.ts';
import { approvedReturn } from '../../support/scenario.ts';
import { oneMode } from '../../support/samples.ts';
import { onStack, returns } from './harness.ts';

/** Returns the lines of a table in an output, without its title. */
const tableIn = (out: string, title: string): readonly string[] => {
  const lines = out.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`${title} (`));
  const rest = lines.slice(start + 1);
  const end = rest.indexOf('');
  return start === -1
    ? []
    : rest.slice(0, end === -1 ? undefined : end).map((line) => line.trim().replace(/ {2,}/g, ' | '));
};

describe.each(oneMode('standalone'))('returns show on the %s mode', (mode) => {
  it('prints lines, inspections, parcels and refunds as tables with named columns, then the timeline', async () => {
    const { id, path, lineId } = await approvedReturn(api(mode), 2);
    const sent = { carrier: 'dhl', trackingNumber: 'JJD1' };
    const { parcels } = (await api(mode).post(`${path}/parcels`, sent)).body as { parcels: { parcelId: string }[] };
    const parcelId = parcels[0]?.parcelId ?? '';
    await api(mode).post(`${path}/receipts`, { parcelId, lines: [{ lineId, quantity: 2 }] });
    const inspected = { lineId, quantity: 1, outcome: 'accept', disposition: 'restock', deductionBps: 1050 };
    await api(mode).post(`${path}/inspections`, { lines: [inspected] });
    const { refunds } = (await api(mode).post(`${path}/refunds`, {})).body as { refunds: { refundId: string }[] };

    const { code, out } = await returns(['show', id], { env: onStack(mode) });
    expect(code).toBe(0);
    expect(tableIn(out, 'lines')).toEqual([
      expect.stringMatching(/^lineId \| sku \| units \| progress \| gross \| refunded \| reason \| resolution \| /),
      expect.stringMatching(
        new RegExp(
          `^${lineId} \\| SHIRT-M \\| 2 \\| approved 2, received 2, accepted 1, refunded 1 \\| 20.00 EUR \\| \\d+.\\d\\d EUR \\| fit.too_small \\| refund \\| `,
        ),
      ),
    ]);
    expect(tableIn(out, 'inspections')[1]).toMatch(
      new RegExp(`^${lineId} \\| 1 \\| accept \\| restock \\| 10.5 % \\| `),
    );
    expect(tableIn(out, 'parcels')[1]).toMatch(new RegExp(`^${parcelId} \\| \\w+ \\| inbound \\| dhl \\| JJD1 \\| `));
    expect(tableIn(out, 'refunds')[1]).toMatch(
      new RegExp(`^${refunds[0]?.refundId} \\| pending \\| \\d+.\\d\\d EUR \\| original_payment \\| 1 \\| `),
    );
    expect(tableIn(out, 'timeline').length).toBeGreaterThan(5);
    // No table has a cell of values without names, and none is empty.
    expect(out).not.toContain('{…}');
    expect(out).not.toMatch(/^\S+ \(0\)$/m);
  });
});

const line = {
  lineId: 'rln_1',
  sku: 'S',
  quantities: { requested: 2, approved: 2, missing: 1 },
  reason: { code: 'x' },
};
const shown = { returnId: 'ret_1', rmaNumber: '7ZK3Q9WX2M4', lines: [line], parcels: [], externalRefs: [] };

describe('tables of a return', () => {
  it('leave a record of another kind as it is', () => {
    const other = { returnId: 'ret_1', lines: [{ a: { b: 1 } }] };
    expect(withReturnTables(other)).toBe(other);
  });

  it('leave out columns without a value, and gather the lists of lines and refunds', () => {
    const refunds = [
      {
        refundId: 'rfd_1',
        status: 'failed',
        amount: eur(500),
        breakdown: {
          deductions: [{ type: 'restocking', amount: eur(100) }],
          reductions: [{ orderLineId: '1', quantity: 1, gross: eur(300), tax: eur(0) }],
          extras: [{ type: 'bonus', amount: eur(50) }],
        },
        tenders: [
          { paymentId: 'a', method: 'card', amount: eur(350) },
          { paymentId: 'b', method: 'gift_card', amount: eur(100) },
        ],
        attempts: [{ status: 'failed', code: 'card_closed' }],
        discrepancies: [{ code: 'refund_exceeds_paid', detail: 'too much' }],
      },
    ];
    const lines = [{ ...line, missing: [{ quantity: 1, cause: 'never_sent', granted: 0 }] }];
    expect(withReturnTables({ ...shown, lines, refunds })).toMatchObject({
      lines: [{ lineId: 'rln_1', sku: 'S', units: 2, progress: 'approved 2, missing 1', reason: 'x' }],
      missing: [{ lineId: 'rln_1', quantity: 1, cause: 'never_sent', granted: 0 }],
      refunds: [
        {
          refundId: 'rfd_1',
          status: 'failed',
          amount: eur(500),
          deductions: 'restocking 1.00 EUR',
          reductions: '1 3.00 EUR',
          extras: 'bonus 0.50 EUR',
          tenders: 'card 3.50 EUR, gift_card 1.00 EUR',
          failure: 'card_closed',
        },
      ],
      discrepancies: [{ code: 'refund_exceeds_paid', refundId: 'rfd_1', detail: 'too much' }],
      parcels: [],
    });
  });

  it('become blocks with whole values on a terminal that is too narrow for them', () => {
    const text = recordLines(withReturnTables(shown), 30);
    expect(text.slice(text.indexOf('lines (1)'))).toEqual([
      'lines (1)',
      '  lineId    rln_1',
      '  sku       S',
      '  units     2',
      '  progress  approved 2, missing 1',
      '  reason    x',
    ]);
  });
});

describe('record', () => {
  it('names the nested fields of its lists, and never exceeds the terminal with a long list', () => {
    const items = Array.from({ length: 21 }, (_, index) => ({
      id: index,
      order: { platform: 'web', orderId: 'o'.repeat(40) },
    }));
    expect(recordLines({ items: items.slice(0, 1) }, undefined)).toEqual([
      '',
      'items (1)',
      '  id  order.platform  order.orderId',
      `  0   web             ${'o'.repeat(40)}`,
    ]);
    const narrow = recordLines({ items }, 40);
    expect(narrow).toHaveLength(24);
    expect(Math.max(...narrow.map(({ length }) => length))).toBe(40);
  });

  it('escapes the names of fields', () => {
    expect(recordLines({ items: [{ '\u001b[2Jid': 1 }] }, undefined)[2]).toBe('  \\u001b[2Jid');
  });
});
