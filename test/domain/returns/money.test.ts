import { describe, expect, it } from 'vitest';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { waiveFee } from '../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { recordRefundResult } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { feesOf } from '../../../lib/domain/returns/money/deductions.ts';
import { emptyLedger, type Ledger, openGrants } from '../../../lib/domain/returns/money/order-ledger.ts';
import { holdWithdrawn } from '../../../lib/domain/returns/money/withdrawn-units.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed } from '../../../lib/domain/returns/money/recovery.ts';
import { refundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import { ceilingUnits } from '../../../lib/domain/returns/money/refund-ceiling.ts';
import { shippingShare } from '../../../lib/domain/returns/money/shipping-share.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import {
  type Account,
  accountOf,
  applyResult,
  inAdvance,
  inStatus,
  now,
  refund,
  situationOf,
  reportStatuses,
  timed,
  withFees,
  withUnits,
} from '../../support/money.ts';
import { eur, order, orderLine, refundedAlone } from '../../support/orders.ts';

const blockerOf = (account: Account, command: string) =>
  allowedActions(situationOf(account)).find(({ action }) => action === command)?.blockedBy;

describe('refundable units', () => {
  const units = { received: 2, missing: 1, accepted: 1, refused: 1 };

  it.each([
    ['received', 1],
    ['inspected', 1],
    ['approved', 1],
    ['in_transit', 1],
  ] as const)('are the accepted units after the inspection, with money from %s on', (timing, maximum) => {
    const account = accountOf(timed(timing));
    withUnits(account, units);
    const [line] = situationOf(account).state.lines;
    expect(line && ceilingUnits(line, timed(timing))).toBe(maximum);
  });

  it.each([
    ['received', 0],
    ['approved', 2],
  ] as const)('in transit follow the terms, with money from %s on', (timing, maximum) => {
    const account = accountOf(timed(timing));
    withUnits(account, { cancelled: 1 });
    const [line] = situationOf(account).state.lines;
    expect(line && ceilingUnits(line, timed(timing))).toBe(maximum);
  });

  it('include units that the customer keeps and granted units', () => {
    const account = accountOf(timed('received'));
    withUnits(account, { returnless: 1, received: 2, refused: 2, granted: 1 });
    inStatus(account, 'inspected');
    expect(refund(account).refunds).toMatchObject([{ amount: eur(2000) }]);
  });
});

describe('time of a refund', () => {
  it.each([
    ['approved', 'approved', undefined],
    ['in_transit', 'approved', 'refund_timing'],
    ['in_transit', 'in_transit', undefined],
    ['received', 'in_transit', 'inspection_pending'],
    ['received', 'partially_received', undefined],
    ['inspected', 'received', 'inspection_pending'],
    ['inspected', 'inspected', undefined],
    ['inspected', 'completed', undefined],
    ['approved', 'requested', 'invalid_transition'],
    ['approved', 'rejected', 'invalid_transition'],
  ] as const)('with money from %s on, in %s, is %s', (timing, status, blockedBy) => {
    const account = accountOf(timed(timing));
    withUnits(account, { returnless: 1 });
    inStatus(account, status);
    expect(blockerOf(account, 'refund')).toBe(blockedBy);
  });

  it('does not wait for goods when none are expected', () => {
    const account = accountOf(timed('inspected'));
    withUnits(account, { returnless: 3 });
    expect(refund(account).refunds).toMatchObject([{ amount: eur(3000) }]);
  });

  it('needs an admin after completion', () => {
    const account = accountOf(inAdvance);
    inStatus(account, 'completed');
    expect(() => refund(account)).toThrow('insufficient_scope');
    expect(refund(account, {}, 0, true).refunds).toHaveLength(1);
  });
});

describe('fees', () => {
  const inspected = (terms: Terms, deductionBps: number) => {
    const account = accountOf(terms);
    withUnits(account, { received: 3, accepted: 3 });
    const { state } = situationOf(account);
    const found = { quantity: 2, outcome: 'accept', disposition: 'restock', deductionBps, at: now } as const;
    account.returns[0] = {
      ...state,
      status: 'inspected',
      lines: state.lines.map((line) => ({
        ...line,
        inspections: [
          { id: 'ins_1', ...found },
          { id: 'ins_2', ...found, quantity: 1, outcome: 'refuse' },
        ],
      })),
    };
    return account;
  };

  it('for an inspection are a share of the worth of the accepted units', () => {
    const account = inspected(timed('received'), 2500);
    expect(feesOf(situationOf(account).state)).toMatchObject([{ type: 'inspection', amount: eur(500) }]);
    expect(refund(account).refunds).toMatchObject([{ amount: eur(2500) }]);
  });

  it('for an inspection are capped by the terms', () => {
    const account = inspected(withFees({ inspectionCapBps: 1000 }, timed('received')), 10_000);
    expect(feesOf(situationOf(account).state)).toMatchObject([{ amount: eur(200) }]);
  });

  it('for restocking are capped by the terms', () => {
    const { state } = situationOf(accountOf(withFees({ restockingBps: 5000, restockingCap: 700 })));
    expect(feesOf(state)).toMatchObject([{ type: 'restocking', amount: eur(700) }]);
  });

  it('for return shipping are not charged when no goods come back', () => {
    const account = accountOf(withFees({ returnShipping: 490 }));
    withUnits(account, { returnless: 3 });
    expect(feesOf(situationOf(account).state)).toEqual([]);
  });

  it('never exceed the goods, and their rest stays open', () => {
    const account = accountOf(withFees({ returnShipping: 1500 }));
    const [line] = situationOf(account).state.lines;
    const lines = [{ lineId: line?.id ?? '', quantity: 1 }];
    expect(() => refund(account, { lines })).toThrow('refund_exceeds_ceiling');
    expect(refund(account, { lines: [{ lineId: line?.id ?? '', quantity: 2 }] }).refunds).toMatchObject([
      { amount: eur(500) },
    ]);
    expect(refund(account).refunds).toMatchObject([{}, { amount: eur(1000) }]);
  });

  it('of two types together never exceed the worth of the goods', () => {
    const terms = withFees({ restockingBps: 5000, returnShipping: 2500 });
    const account = accountOf({ ...terms, shipping: 'proportional' }, 3, { shipping: { paid: eur(490) } });
    expect(refund(account).refunds).toMatchObject([{ amount: eur(490) }]);
    expect(feesOf(situationOf(account).state)).toMatchObject([
      { type: 'restocking', amount: eur(1500), applied: eur(1500) },
      { type: 'return_shipping', amount: eur(2500), applied: eur(1500) },
    ]);
  });

  it('never reduce the shipping refund', () => {
    const shipping = { paid: eur(490) };
    const account = accountOf({ ...withFees({ returnShipping: 5000 }), shipping: 'proportional' }, 3, { shipping });
    expect(refund(account).refunds).toMatchObject([{ amount: eur(490) }]);
    expect(feesOf(situationOf(account).state)).toMatchObject([{ amount: eur(5000), applied: eur(3000) }]);
  });

  it('are due again when the refund that took them is cancelled', () => {
    const account = accountOf(withFees({ returnShipping: 490 }));
    refund(account);
    reportStatuses(account, ['cancelled']);
    expect(refund(account).refunds).toMatchObject([{ status: 'cancelled' }, { amount: eur(2510) }]);
  });

  it('are zero when the law forbids them', () => {
    const terms = withFees({ returnShipping: 490, restockingBps: 1000 });
    const { state } = situationOf(accountOf({ ...terms, floor: { law: 'EU 2011/83', fees: ['return_shipping'] } }));
    expect(feesOf(state).map(({ type }) => type)).toEqual(['return_shipping']);
  });

  it('are waived up to the part that no refund has taken', () => {
    const account = accountOf({ ...withFees({ returnShipping: 5000 }), shipping: 'proportional' }, 3, {
      shipping: { paid: eur(490) },
    });
    refund(account);
    const waived = waiveFee(situationOf(account, 0, true), { type: 'return_shipping', reason: 'goodwill' });
    expect(feesOf(applyResult(account, waived))).toEqual([
      { type: 'return_shipping', amount: eur(5000), applied: eur(3000), waived: eur(2000), reason: 'goodwill' },
    ]);
  });
});

describe('shipping refund', () => {
  const shipping = { paid: eur(1000), standardCost: eur(400) };
  const lines = [
    orderLine({ lineId: '1', quantity: 3 }),
    orderLine({ lineId: '2', quantity: 1, unitPrice: eur(2000) }),
  ];
  const sold = order({ shipping, lines });
  const granted = (ledger: Ledger, units: number, gross: number, lineId = '1') => {
    const grants = openGrants(ledger);
    grants.add(lineId, { units, gross, tax: 0 });
    return grants.ledger();
  };
  const some = granted(emptyLedger, 1, 1000);
  const whole = granted(granted(emptyLedger, 3, 3000), 1, 2000, '2');

  it.each([
    ['none', 0n, 0n],
    ['proportional', 200n, 1000n],
    ['full_if_whole_order', 0n, 1000n],
    ['statutory', 0n, 400n],
  ] as const)('%s is %s for a part of the order and %s for all of it', (rule, part, all) => {
    expect(shippingShare(rule, sold, some)).toBe(part);
    expect(shippingShare(rule, sold, whole)).toBe(all);
  });

  it('is reduced by earlier shipping refunds, from the account or stated by the shop', () => {
    expect(shippingShare('proportional', sold, { ...whole, given: { amount: 300, shipping: 300 } })).toBe(700n);
    const reduced = order({ lines, shipping: { ...shipping, refunded: eur(900) } });
    expect(shippingShare('proportional', reduced, whole)).toBe(100n);
    expect(shippingShare('statutory', reduced, whole)).toBe(0n);
  });

  it.each(['proportional', 'full_if_whole_order', 'statutory'] as const)(
    '%s is for all of the order when the other units were withdrawn before their shipment',
    (rule) => {
      const held = holdWithdrawn(some, sold, 'wdr_1', [
        { orderLineId: '1', quantity: 2 },
        { orderLineId: '2', quantity: 1 },
      ]);
      const all = rule === 'statutory' ? 400n : 1000n;
      expect(shippingShare(rule, sold, held)).toBe(all);
      // The refund of the withdrawn units counts once.
      expect(shippingShare(rule, sold, refundedAlone(held, '1', 2, 2000))).toBe(all);
    },
  );

  it('is a share while some units of an order with a withdrawal stay with the customer', () => {
    const held = holdWithdrawn(some, sold, 'wdr_1', [{ orderLineId: '2', quantity: 1 }]);
    const share = shippingShare('proportional', sold, some);
    expect(share).toBeLessThan(1000n);
    expect(shippingShare('proportional', sold, held)).toBe(share);
  });

  it('counts a line as 0 whose recorded reductions exceed its price', () => {
    const moved = { method: 'manual', amount: eur(2500), occurredAt: now } as const;
    const line = { orderLineId: '2', quantity: 1, amount: eur(2500), kept: true } as const;
    const ids = { id: 'rfd_1', externalId: '1', now, latest: now };
    const recorded = recordRefund(sold, emptyLedger, undefined, { ...moved, lines: [line] }, ids);
    if (!recorded.ok) throw new Error(recorded.failure.code);
    // One of three units of the other line, which is all of the value.
    expect(shippingShare('proportional', sold, granted(recorded.value.ledger, 1, 1000))).toBe(333n);
  });

  it('is split by units when the order has no value', () => {
    const free = order({ shipping, lines: [orderLine({ quantity: 4, unitPrice: eur(0) })] });
    expect(shippingShare('proportional', free, granted(emptyLedger, 1, 0))).toBe(250n);
  });

  it('is zero when no shipping was paid', () => {
    expect(shippingShare('proportional', order({ lines }), whole)).toBe(0n);
  });

  it('is paid with the last goods', () => {
    const account = accountOf({ ...inAdvance, shipping: 'proportional' }, 3, { shipping: { paid: eur(300) } });
    const [line] = situationOf(account).state.lines;
    refund(account, { lines: [{ lineId: line?.id ?? '', quantity: 2 }] });
    const { refunds } = refund(account);
    expect(refunds.map(({ breakdown }) => breakdown.shipping.amount)).toEqual([0, 300]);
  });

  it('is paid alone only when the request names it', () => {
    const account = accountOf({ ...inAdvance, shipping: 'proportional' }, 3, { shipping: { paid: eur(300) } });
    refund(account, { shipping: eur(0) });
    expect(blockerOf(account, 'refund')).toBe(undefined);
    expect(() => refund(account)).toThrow('refund_exceeds_ceiling');
    expect(refund(account, { shipping: eur(300) }).refunds).toMatchObject([
      { amount: eur(3000) },
      { amount: eur(300) },
    ]);
  });
});

describe('refund', () => {
  it('fails when the refunds of the order would exceed the amount paid', () => {
    const account = accountOf(inAdvance);
    // An external refund without lines.
    account.ledger = { ...account.ledger, given: { amount: 1, shipping: 0 } };
    expect(quote(situationOf(account), {})).toMatchObject({ value: { total: eur(2999) } });
    account.ledger = { ...account.ledger, given: { amount: 3000, shipping: 0 } };
    expect(refundReturn(situationOf(account), {}, { id: 'rfd_1' })).toMatchObject({
      failure: { code: 'refund_exceeds_ceiling' },
    });
  });

  it('fails after 100 refunds', () => {
    const account = accountOf(inAdvance);
    refund(account, { lines: [{ lineId: 'rln_0_0', quantity: 1 }] });
    const { state } = situationOf(account);
    const [first] = state.refunds;
    account.returns[0] = {
      ...state,
      refunds: Array.from({ length: 100 }, () => first).filter((one) => one !== undefined),
    };
    expect(refundReturn(situationOf(account), {}, { id: 'rfd_1' })).toMatchObject({
      failure: { code: 'invalid_request', errors: [{ path: '/returnId', code: 'max_items' }] },
    });
    expect(blockerOf(account, 'refund')).toBe('too_many_refunds');
  });

  it('fails after 20 attempts', () => {
    const account = accountOf(inAdvance);
    refund(account);
    for (let attempt = 1; attempt <= 20; attempt += 1) reportStatuses(account, ['submitted', 'failed']);
    const submission = { refundId: 'rfd_0_0', status: 'submitted' as const };
    expect(recordRefundResult(situationOf(account), submission, now)).toMatchObject({
      failure: { code: 'invalid_request', errors: [{ path: '/status' }] },
    });
    expect(reportStatuses(account, ['cancelled'])).toMatchObject({ refunds: [{ status: 'cancelled' }] });
  });
});

describe('the completion of a return', () => {
  it('keeps a fee that takes all of the goods, so that nothing becomes owed', () => {
    const account = accountOf(withFees({ restockingBps: 10_000 }), 1);
    withUnits(account, { received: 1, accepted: 1 });
    inStatus(account, 'inspected');
    expect(owed(situationOf(account).state)).toBe(0);
    const completed = applyResult(account, complete(situationOf(account), {}));
    expect([owed(completed), refundStatus(completed), feesOf(completed)[0]?.waived.amount]).toEqual([0, 'none', 0]);
  });
});
