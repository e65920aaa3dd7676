import { describe, expect, it } from 'vitest';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { correct } from '../../../lib/domain/returns/commands/goods/correct.ts';
import type { Inspection, Parcel } from '../../../lib/domain/returns/model/goods.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import type { Refund } from '../../../lib/domain/returns/model/refund.ts';
import type { Line, Return } from '../../../lib/domain/returns/model/return.ts';
import { eur } from '../../support/orders.ts';
import { approvedCase, sealed, situationOf, start } from '../../support/return-case.ts';

const { state: approved, ...rest } = approvedCase([3]);

/** Returns the return with other quantities in its one line. */
const withGoods = (
  line: Partial<Omit<Line, 'quantities'>> & { quantities?: Partial<Line['quantities']> },
  more: Partial<Return> = {},
): Return => ({
  ...approved,
  status: 'inspected',
  ...more,
  lines: approved.lines.map((one) => ({ ...one, ...line, quantities: { ...one.quantities, ...line.quantities } })),
});

const zero = { gross: eur(0), tax: eur(0), net: eur(0), maxRefundable: eur(0), refunded: eur(0) };
const refusedAll: Inspection = {
  id: 'ins_1',
  quantity: 3,
  outcome: 'refuse',
  disposition: 'return_to_customer',
  deductionBps: 0,
  at: start,
};
const outbound: Parcel = {
  id: 'pcl_1',
  direction: 'outbound',
  status: 'label_created',
  contents: [{ lineId: 'a', quantity: 3 }],
  events: [],
};
const refund: Refund = {
  id: 'rfd_1',
  order: { platform: 'shopify', orderId: '1001' },
  method: 'original_payment',
  amount: eur(1000),
  returnLines: [],
  breakdown: { lines: [], deductions: [], shipping: eur(0), other: eur(1000) },
  status: 'succeeded',
  attempts: [],
  recordedAt: start,
  discrepancies: [],
};
const refused = { quantities: { received: 3, refused: 3 }, inspections: [refusedAll], amounts: zero };
const accepted = { quantities: { received: 3, accepted: 3 } };

describe('complete', () => {
  it('names the open refund and the results that end it', () => {
    const open = withGoods(accepted, { refunds: [{ ...refund, amount: eur(3000), status: 'submitted' }] });
    const decision = complete(situationOf({ ...rest, state: open }), {});
    expect(decision).toMatchObject({
      failure: {
        code: 'invalid_transition',
        detail: `The refund ${refund.id} is submitted. Record its result: succeeded, failed, unknown.`,
      },
    });
  });

  const blockedBy = (state: Return, waiver?: { reason: ReturnType<typeof sealed> }) => {
    const decision = complete(situationOf({ ...rest, state }), waiver === undefined ? {} : { waiver });
    const action = allowedActions(situationOf({ ...rest, state }, { now: start })).find(
      (one) => one.action === 'complete',
    );
    // A waiver covers the money that is owed. It blocks no completion.
    const canWaive = complete(situationOf({ ...rest, state }), { waiver: { reason: sealed('waiver') } }).ok;
    expect(action?.allowed).toBe(canWaive);
    return decision.ok ? undefined : canWaive ? 'unsettled' : action?.blockedBy;
  };

  it.each<[string, Return, string | undefined]>([
    ['units are outstanding', withGoods({}, { status: 'approved' }), 'units_outstanding'],
    ['units are not inspected', withGoods({ quantities: { received: 3, accepted: 1 } }), 'units_uninspected'],
    ['refused units are not sent back', withGoods(refused), 'units_not_sent_back'],
    [
      'unexpected items have no disposition',
      withGoods({ quantities: { missing: 3 }, amounts: zero }, { unexpected: [{ id: 'unx_1', quantity: 1 }] }),
      'unexpected_without_disposition',
    ],
    ...(['pending', 'submitted', 'unknown', 'failed'] as const).map((status): [string, Return, string] => [
      `a refund is ${status}`,
      withGoods(accepted, { refunds: [{ ...refund, amount: eur(3000), status }] }),
      'open_refund',
    ]),
    [
      'the refunds exceed the amount owed',
      withGoods({ quantities: { missing: 3 }, amounts: zero }, { refunds: [refund] }),
      'recovery_due',
    ],
    ['the refunds are below the amount owed', withGoods(accepted, { refunds: [refund] }), 'unsettled'],
    [
      'units that the customer keeps are not refunded',
      withGoods({ quantities: { returnless: 3 } }, { status: 'approved' }),
      'unsettled',
    ],
    ['everything is refunded', withGoods(accepted, { refunds: [{ ...refund, amount: eur(3000) }] }), undefined],
    ['refused units are in a parcel', withGoods(refused, { parcels: [outbound] }), undefined],
    [
      'a refund was cancelled',
      withGoods({ quantities: { missing: 3 }, amounts: zero }, { refunds: [{ ...refund, status: 'cancelled' }] }),
      undefined,
    ],
  ])('evaluates its blockers when %s', (_, state, code) => {
    expect(blockedBy(state)).toBe(code);
  });

  it('accepts a waiver only for money that is owed', () => {
    const waiver = { reason: sealed('waiver') };
    expect(blockedBy(withGoods(accepted), waiver)).toBeUndefined();
    expect(blockedBy(withGoods({}, { status: 'approved' }), waiver)).toBe('units_outstanding');
  });
});

describe('correct', () => {
  const tried = (state: Return, differences: object) =>
    correct(situationOf({ ...rest, ledger: emptyLedger, state }), {
      correction: { reason: sealed('correction') },
      lines: [{ lineId: 'a', ...differences }],
      ids: [{ accepted: 'ins_8', refused: 'ins_9' }],
    });
  const failureOf = (path: string, message: string) => ({ failure: { errors: [{ path, message }] } });

  it('does not remove granted units', () => {
    const missing = [{ quantity: 2, cause: 'lost_in_transit' as const, granted: 1 }];
    const honoured = withGoods({ quantities: { missing: 2, received: 1, refused: 1, granted: 2 }, missing });
    expect(tried(honoured, { missing: -2 })).toMatchObject(failureOf('/lines/0/missing', 'must be at least -1'));
    expect(tried(honoured, { refused: -1 })).toMatchObject(failureOf('/lines/0/refused', 'must be at least 0'));
    expect(tried(honoured, { missing: -1, received: 1 })).toMatchObject({
      value: { events: [{ data: { lines: [{ missing: [{ quantity: 1, granted: 1 }] }] } }] },
    });
  });

  it('does not remove units that go back to the customer', () => {
    const packed = withGoods(refused, { parcels: [outbound] });
    expect(tried(packed, { refused: -1 })).toMatchObject(failureOf('/lines/0/refused', 'must be at least 0'));
    expect(tried(withGoods(refused, { parcels: [{ ...outbound, status: 'cancelled' }] }), { refused: -1 }).ok).toBe(
      true,
    );
  });

  it('does not remove units in a parcel', () => {
    const parcel = { ...outbound, direction: 'inbound' as const, contents: [{ lineId: 'a', quantity: 2 }] };
    const coming = withGoods({}, { status: 'approved', parcels: [parcel] });
    const message = 'received and missing must add at most 1 units';
    expect(tried(coming, { missing: 2 })).toMatchObject(failureOf('/lines/0', message));
    expect(tried(coming, { missing: 1 }).ok).toBe(true);
  });

  it('leaves at most 100 inspections', () => {
    const one = { ...refusedAll, quantity: 0, corrected: 1 };
    const full = withGoods({ quantities: { received: 3 }, inspections: Array.from({ length: 100 }, () => one) });
    expect(tried(full, { accepted: 1 })).toMatchObject({
      failure: { errors: [{ path: '/lines', code: 'max_items' }] },
    });
  });
});
