import { describe, expect, it } from 'vitest';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { registerOrder } from '../../../lib/domain/returns/commands/order/register-order.ts';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import { orderAmountLeft } from '../../../lib/domain/returns/money/amounts.ts';
import { returnable, unshipped } from '../../../lib/domain/returns/money/line-units.ts';
import { emptyLedger, ledgerLine, type Ledger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { raiseSold } from '../../../lib/domain/returns/money/withdrawn-units.ts';
import { beginReturn, now, refund, situationOf } from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';

type Sold = { readonly order: Order; readonly ledger: Ledger };

/** Records a refund of units of line 1 without a return. */
const refundUnits = (
  { order, ledger }: Sold,
  quantity: number,
  amount?: number,
): Sold & { codes: readonly string[] } => {
  const worth = amount ?? quantity * 1000;
  const refunded = {
    amount: eur(worth),
    method: 'manual',
    occurredAt: now,
    lines: [{ orderLineId: '1', quantity }],
  } as const;
  const ids = { id: 'rfd_1', externalId: String(ledger.given.amount), now, latest: now };
  const decision = recordRefund(order, ledger, undefined, refunded, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  const { discrepancies } = decision.value.refund;
  return { order, ledger: decision.value.ledger, codes: discrepancies.map(({ code }) => code) };
};

/** Registers the order with these facts of line 1, later than before. */
const edit = ({ order, ledger }: Sold, line: Partial<Parameters<typeof orderLine>[0]>): Sold => {
  const facts = { ...order.facts, lines: [orderLine(line)] };
  const ref = { platform: order.platform, orderId: order.orderId };
  const observedAt = '2026-11-20T00:00:00.000Z';
  const decision = registerOrder({ order, ledger }, { ref, facts, observedAt, latest: now, id: 'ord_2', now });
  if (!decision.ok) throw new Error(decision.failure.code);
  return { order: decision.value, ledger: raiseSold(ledger, decision.value) };
};

const soldOf = (quantity: number): Sold => ({
  order: order({ lines: [orderLine({ quantity })] }),
  ledger: emptyLedger,
});
const lineOf = ({ order }: Sold) => order.facts.lines[0] ?? orderLine();

describe('an order that the platform edits down to the kept quantity after a refund', () => {
  it('leaves the kept unit returnable, for its whole worth', () => {
    const refunded = refundUnits(soldOf(2), 1);
    expect(returnable(refunded.ledger, lineOf(refunded))).toBe(1);
    const edited = edit(refunded, { quantity: 1 });
    expect([returnable(edited.ledger, lineOf(edited)), unshipped(edited.ledger, lineOf(edited))]).toEqual([1, 0]);
    expect(orderAmountLeft(edited.order, edited.ledger)).toBe(1000n);
    const account = { ...edited, returns: [] };
    beginReturn(account, { 1: 1 });
    expect(quote(situationOf(account), {})).toMatchObject({ ok: true, value: { total: eur(1000) } });
    refund(account);
    expect(account.ledger.given.amount).toBe(2000);
    expect(ledgerLine(account.ledger, '1')).toMatchObject({ granted: { units: 2, gross: 2000 } });
  });

  it('adds up to what was paid when the cents are odd', () => {
    const start = {
      order: order({ lines: [orderLine({ quantity: 3, discountTotal: eur(11) })] }),
      ledger: emptyLedger,
    };
    // Three units cost 29.89. Without the first one, which is worth 9.96, two cost 19.93.
    const edited = edit(refundUnits(start, 1, 996), { quantity: 2, discountTotal: eur(7) });
    const account = { ...edited, returns: [] };
    beginReturn(account, { 1: 2 });
    expect(quote(situationOf(account), {})).toMatchObject({ ok: true, value: { total: eur(1993) } });
  });

  it('may lose all of its refunded units, and none that a return holds', () => {
    const edited = edit(refundUnits(soldOf(3), 2), { quantity: 1 });
    expect(returnable(edited.ledger, lineOf(edited))).toBe(1);
    const again = refundUnits(edited, 1);
    expect([again.codes, returnable(again.ledger, lineOf(edited))]).toEqual([[], 0]);
    expect(refundUnits(again, 1).codes).toContain('quantity_exceeds_order');
  });

  it('takes later facts with more units as they are', () => {
    const refunded = refundUnits(soldOf(2), 1);
    const raised = edit(refunded, { quantity: 4 });
    expect(returnable(raised.ledger, lineOf(raised))).toBe(3);
    const edited = edit({ ...raised, order: { ...raised.order, observed: refunded.order.observed } }, { quantity: 3 });
    expect([returnable(edited.ledger, lineOf(edited)), orderAmountLeft(edited.order, edited.ledger)]).toEqual([
      3,
      3000n,
    ]);
  });
});
