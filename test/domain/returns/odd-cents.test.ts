import { describe, expect, it } from 'vitest';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { closeReceipt } from '../../../lib/domain/returns/commands/goods/missing-units.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRecovery } from '../../../lib/domain/returns/commands/money/recoveries-and-fees.ts';
import { recordRefundResult } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import {
  beginReturn,
  applyResult,
  inAdvance,
  openAccount,
  refund,
  reportStatuses,
  situationOf as situationIn,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { type Case, openCase, run, situationOf } from '../../support/return-case.ts';

const terms: Terms = { ...inAdvance, inspection: 'skipped' };
const now = '2026-11-21T08:00:00.000Z';

/** Begins a case with units whose price does not divide evenly, each requested line on its own. */
const begin = (total: number, quantity: number, requestedUnits: readonly number[]): Case => {
  const line = orderLine({ quantity, unitPrice: eur(total), discountTotal: eur(total * (quantity - 1)) });
  return openCase(
    requestedUnits.map((units) => ({ orderLineId: '1', quantity: units })),
    { facts: order({ lines: [line] }), terms },
  );
};

const refunded = (lines?: readonly { lineId: string; quantity: number }[]) => (situation: Situation) =>
  refundReturn(situation, lines === undefined ? {} : { lines }, { id: `rfd_${situation.state.refunds.length}` });
const report = (status: 'submitted' | 'succeeded') => (situation: Situation) =>
  recordRefundResult(situation, { refundId: situation.state.refunds.at(-1)?.id ?? '', status }, now);
const paid = (lines?: readonly { lineId: string; quantity: number }[]) =>
  [refunded(lines), report('submitted'), report('succeeded')] as const;
const came = (lines: readonly { lineId: string; quantity: number }[]) => (situation: Situation) =>
  receive(situation, { lines }, ['unx_1', 'unx_2']);

describe('odd cents', () => {
  it('owe nothing for the cent that an exchange took from another line of the same order line', () => {
    const exchanged = run(begin(2000, 3, [1, 1]), (situation) =>
      exchange(situation, 'exc_1', { lineId: 'b', quantity: 1, newItem: { sku: 'NEW', quantity: 1 } }),
    );
    expect(exchanged.state.exchanges).toMatchObject([{ gross: eur(667) }]);
    expect(exchanged.state.lines.map(({ amounts }) => amounts.maxRefundable)).toEqual([eur(666), eur(0)]);
    expect(quote(situationOf(exchanged), {})).toMatchObject({ value: { total: eur(666) } });
    expect(owed(run(exchanged, ...paid()).state)).toBe(0);
  });

  it('owe nothing for the cent that was recovered with one unit of two lines', () => {
    const early = run(begin(1654, 5, [2, 2]), ...paid([{ lineId: 'b', quantity: 1 }]), ...paid());
    const one = run(
      early,
      came([
        { lineId: 'a', quantity: 1 },
        { lineId: 'b', quantity: 2 },
      ]),
      (situation) => closeReceipt(situation, {}),
    );
    expect(recoveryDue(one.state)).toBe(331);
    const back = run(one, (situation) => recordRecovery(situation, { amount: eur(331) }, 'rcv_1'));
    expect([owed(back.state), recoveryDue(back.state)]).toEqual([0, 0]);
    expect(complete(situationOf(back), {}).ok).toBe(true);
  });

  it('owe nothing for missing units, when less was paid before than the others are worth', () => {
    const account = openAccount(order());
    const outside = {
      method: 'manual',
      amount: eur(100),
      occurredAt: now,
      lines: [{ orderLineId: '1', quantity: 1, amount: eur(100) }],
    } as const;
    const ids = { id: 'rfd_1', externalId: '1', now, latest: now };
    const recorded = recordRefund(account.order, emptyLedger, undefined, outside, ids);
    if (!recorded.ok) throw new Error(recorded.failure.code);
    account.ledger = recorded.value.ledger;
    beginReturn(account, { 1: 1 }, terms);
    const lost = applyResult(account, closeReceipt(situationIn(account), {}));
    expect(lost.lines[0]?.amounts.maxRefundable).toEqual(eur(0));
    expect(owed(lost)).toBe(0);
    expect(complete(situationIn(account), {}).ok).toBe(true);
  });

  it('owe nothing for the cent that comes back to a paid unit when another return gives its money back', () => {
    const line = orderLine({ quantity: 7, unitPrice: eur(333), discountTotal: eur(11), taxTotal: eur(97) });
    const gift = orderLine({ lineId: '2', unitPrice: eur(0) });
    const account = openAccount(order({ lines: [line, gift] }));
    beginReturn(account, { 1: 2 }, terms);
    const swapped = { lineId: 'rln_0_0', quantity: 1, newItem: { sku: 'NEW', quantity: 1 } };
    applyResult(account, exchange(situationIn(account), 'exc_1', swapped));
    refund(account);
    reportStatuses(account, ['succeeded']);
    beginReturn(account, { 1: 1, 2: 1 }, terms);
    const other = refund(account, {}, 1);
    reportStatuses(account, ['succeeded'], 1);
    expect([account.returns[0], other].map((state) => state?.refunds[0]?.amount)).toEqual([eur(346), eur(345)]);
    applyResult(account, exchangeResult(situationIn(account), { exchangeId: 'exc_1', status: 'ordered' }));
    applyResult(account, closeReceipt(situationIn(account), {}));
    applyResult(account, recordRecovery(situationIn(account), { amount: eur(346) }, 'rcv_1'));
    const arrived = [1, 2].map((_, at) => ({ lineId: `rln_1_${at}`, quantity: 1 }));
    applyResult(account, receive(situationIn(account, 1), { lines: arrived }, []), 1);
    const paidLate = situationIn(account, 1);
    expect(paidLate.state.lines.map(({ amounts }) => amounts.maxRefundable)).toEqual([eur(346), eur(0)]);
    expect([owed(paidLate.state), recoveryDue(paidLate.state)]).toEqual([0, 0]);
    expect(complete(paidLate, {}).ok).toBe(true);
  });

  it('owe nothing for a unit that a platform paid one cent too low, because no refund pays a single cent of a unit', () => {
    const account = openAccount(order());
    beginReturn(account, { 1: 1 }, terms);
    const lines = [{ orderLineId: '1', quantity: 1 }];
    const moved = { method: 'manual', amount: eur(999), occurredAt: now, lines } as const;
    const ids = { id: 'rfd_1', externalId: '1', now, latest: now };
    const recorded = recordRefund(account.order, account.ledger, situationIn(account).state, moved, ids);
    if (!recorded.ok) throw new Error(recorded.failure.code);
    const [event] = recorded.value.events;
    if (event === undefined) throw new Error('no event');
    const state = applyResult(account, { ok: true, value: { events: [event], ledger: recorded.value.ledger } });
    expect(owed(state)).toBe(0);
    expect(quote(situationIn(account), {})).toMatchObject({ value: { total: eur(0) } });
  });

  it('never exceed the amount paid in money and goods, also with money that names no line', () => {
    const account = openAccount(order());
    const outside = recordRefund(
      account.order,
      account.ledger,
      undefined,
      { method: 'manual', amount: eur(1000), occurredAt: now },
      { id: 'rfd_1', externalId: '1', now, latest: now },
    );
    if (!outside.ok) throw new Error(outside.failure.code);
    account.ledger = outside.value.ledger;
    beginReturn(account, { 1: 3 });
    const swap = (id: string, quantity: number) =>
      exchange(situationIn(account, 0, true), id, {
        lineId: 'rln_0_0',
        quantity,
        newItem: { sku: 'NEW', quantity: 1 },
      });
    expect(swap('exc_1', 3)).toMatchObject({
      failure: {
        code: 'refund_exceeds_ceiling',
        errors: [{ path: '/quantity', message: 'must take at most 2000 minor units of what was paid' }],
      },
    });
    applyResult(account, swap('exc_1', 1));
    const pay = (quantity: number) =>
      refundReturn(situationIn(account, 0, true), { lines: [{ lineId: 'rln_0_0', quantity }] }, { id: 'rfd_2' });
    expect(pay(1)).toMatchObject({ value: { events: [{ data: { refund: { amount: eur(1000) } } }] } });
    // The third unit was paid without its line.
    const rest = { amount: eur(1000), breakdown: { assigned: eur(1000) } };
    expect(pay(2)).toMatchObject({ value: { events: [{ data: { refund: rest } }] } });
  });
});
