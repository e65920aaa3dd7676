import { describe, expect, it } from 'vitest';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import type { Order } from '../../../lib/domain/returns/model/order.ts';
import { type LineUnits } from '../../../lib/domain/returns/money/line-units.ts';
import { emptyLedger, type Ledger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { holdWithdrawn } from '../../../lib/domain/returns/money/withdrawn-units.ts';
import {
  isRefundOverdue,
  reminderDueAt,
  reportOverdueRefund,
} from '../../../lib/domain/withdrawals/commands/remind.ts';
import { withdraw } from '../../../lib/domain/withdrawals/commands/decide.ts';
import { heldRefundDueBy, laterRefundDue } from '../../../lib/domain/withdrawals/effect/held-refund.ts';
import { paidWithdrawals } from '../../../lib/domain/withdrawals/effect/paid-withdrawals.ts';
import { openRefundDueBy, refundStatusOf, type Withdrawal } from '../../../lib/domain/withdrawals/model/withdrawal.ts';
import { eur, order as orderOf, orderLine } from '../../support/orders.ts';
import { applied, at, declaredWithdrawal } from './support.ts';

const lines = ['1', '2'].map((lineId) =>
  orderLine({ lineId, quantity: 3, fulfilledQuantity: 0, unitPrice: eur(1000) }),
);
const order = orderOf({ country: 'DE', lines });
const units = (quantity: number, orderLineId = '1'): LineUnits => ({ orderLineId, quantity });
const declaredAt = '2026-11-10T22:30:00.000Z';

const dueBy = (of: Order, held: readonly LineUnits[] = [units(1)], ledger: Ledger = emptyLedger) =>
  heldRefundDueBy(statutoryRules, { order: of, ledger }, held, declaredAt);

/** Returns the ledger after a refund without a return. */
const refunded = (ledger: Ledger, amount: number, of: readonly LineUnits[]): Ledger => {
  const ids = { id: 'rfd_1', externalId: '1', now: at(2), latest: at(2) };
  const facts = { amount: eur(amount), method: 'original_payment', occurredAt: at(1), lines: of } as const;
  const decision = recordRefund(order, ledger, undefined, facts, ids);
  if (!decision.ok) throw new Error(decision.failure.code);
  return decision.value.ledger;
};

/** Returns a withdrawal that holds units, with a due date in 14 days. */
const holding = (id: string, held: readonly LineUnits[]): Withdrawal => ({
  ...applied(
    declaredWithdrawal(),
    {
      type: 'withdrawal.cancellation_due',
      data: { withdrawalId: id, order, lines: held, wholeOrder: false, refundDueBy: at(14) },
    },
    1,
  ),
  id,
});

describe('heldRefundDueBy', () => {
  it('is the end of the fourteenth local day after the declaration', () => {
    expect(dueBy(order)).toBe('2026-11-24T23:00:00.000Z');
    // One hour later the next day begins in Berlin.
    expect(
      heldRefundDueBy(statutoryRules, { order, ledger: emptyLedger }, [units(1)], '2026-11-10T23:30:00.000Z'),
    ).toBe('2026-11-25T23:00:00.000Z');
  });

  it('is the declaration itself in Brazil, and absent where no law applies', () => {
    expect(dueBy(orderOf({ country: 'BR', lines }))).toBe(declaredAt);
    expect(dueBy(orderOf({ country: 'US', lines }))).toBeUndefined();
  });

  it('is absent when nothing is left to pay', () => {
    const free = orderLine({ lineId: '3', quantity: 1, fulfilledQuantity: 0, unitPrice: eur(0) });
    const withGift = orderOf({ country: 'DE', lines: [...lines, free] });
    expect([dueBy(withGift, [units(1, '3')]), dueBy(withGift, [units(1, '3'), units(1)])]).toEqual([
      undefined,
      '2026-11-24T23:00:00.000Z',
    ]);
    expect(dueBy(order, [units(1)], refunded(emptyLedger, 6000, []))).toBeUndefined();
  });
});

describe('laterRefundDue', () => {
  const unpaidOrder = orderOf({ country: 'DE', lines, paymentsComplete: true, payments: [] });
  const paidOrder = orderOf({
    country: 'DE',
    lines,
    paymentsComplete: true,
    payments: [{ id: 'late', method: 'card', paid: eur(6000) }],
  });
  const matched = applied(
    declaredWithdrawal(),
    { type: 'withdrawal.matched', data: { withdrawalId: 'wdr_1', order: { platform: 'shopify', orderId: '1001' } } },
    1,
  );
  const held = applied(
    matched,
    {
      type: 'withdrawal.cancellation_due',
      data: { withdrawalId: 'wdr_1', order: paidOrder, lines: [units(1)], wholeOrder: false },
    },
    1,
  );
  const eventsFor = (of: Order, state: Withdrawal = held, ledger: Ledger = emptyLedger) =>
    laterRefundDue(statutoryRules, { order: of, ledger }, { ...state, declaredAt });

  it('dates the refund once the order is paid, by the time of the declaration', () => {
    expect(eventsFor(unpaidOrder)).toEqual([]);
    const [event, ...others] = eventsFor(paidOrder);
    expect([event, others]).toMatchObject([
      {
        type: 'withdrawal.cancellation_due',
        data: { lines: [units(1)], wholeOrder: false, refundDueBy: '2026-11-24T23:00:00.000Z' },
      },
      [],
    ]);
    if (event === undefined) throw new Error('no event');
    const dated = applied(held, event, 2);
    expect([refundStatusOf(dated), dated.cancelled]).toEqual(['due', [units(1)]]);
    expect(eventsFor(paidOrder, dated)).toEqual([]);
  });

  it('has no event without held units, or while all money of the order is back', () => {
    expect(eventsFor(paidOrder, matched)).toEqual([]);
    expect(eventsFor(paidOrder, held, refunded(emptyLedger, 6000, []))).toEqual([]);
  });
});

describe('paidWithdrawals', () => {
  const first = holding('wdr_1', [units(2)]);
  const second = holding('wdr_2', [units(1), units(1, '2')]);
  const held = [first, second].reduce(
    (ledger, { id, cancelled = [] }) => holdWithdrawn(ledger, order, id, cancelled),
    emptyLedger,
  );
  const paidBy = (ledger: Ledger, of = [first, second]) =>
    paidWithdrawals(of, { order, ledger }, at(3)).map(({ event: { data } }) => data);

  it('are none before a refund, and none while a unit is unpaid', () => {
    expect([paidBy(held), paidBy(refunded(held, 1000, [units(1)]))]).toEqual([[], []]);
  });

  it('are covered in the order in which they took the units of a line', () => {
    const one = refunded(held, 2000, [units(2)]);
    expect(paidBy(one)).toEqual([{ withdrawalId: 'wdr_1', paidAt: at(3) }]);
    const otherLine = refunded(held, 1000, [units(1, '2')]);
    expect(paidBy(otherLine)).toEqual([]);
    expect(paidBy(refunded(refunded(one, 1000, [units(1)]), 1000, [units(1, '2')]))).toHaveLength(2);
  });

  it('are all when all money of the order is back, without units too', () => {
    expect(paidBy(refunded(held, 6000, []))).toHaveLength(2);
    expect(paidBy(refunded(held, 5999, []))).toEqual([]);
  });

  it('are reported once', () => {
    const paid = applied(first, { type: 'withdrawal.refunded', data: { withdrawalId: 'wdr_1', paidAt: at(3) } }, 3);
    expect([refundStatusOf(paid), openRefundDueBy(paid), paidBy(refunded(held, 2000, [units(2)]), [paid])]).toEqual([
      'paid',
      undefined,
      [],
    ]);
  });
});

describe('an unpaid refund of held units', () => {
  const state = holding('wdr_1', [units(2)]);
  const sent = applied(
    state,
    { type: 'withdrawal.receipt_sent', data: { withdrawalId: 'wdr_1', sentAt: at(1), channel: 'email' } },
    1,
  );

  it('is reported as overdue once, and is not due for the schedule again', () => {
    expect([refundStatusOf(sent), reminderDueAt(sent)]).toEqual(['due', at(14)]);
    expect([isRefundOverdue(sent, at(13.9)), reportOverdueRefund(sent, at(13.9))]).toEqual([false, undefined]);
    const event = reportOverdueRefund(sent, at(14));
    expect(event).toEqual({
      type: 'withdrawal.refund_overdue',
      data: { withdrawalId: 'wdr_1', refundDueBy: at(14) },
    });
    if (event === undefined) throw new Error('not reported');
    const overdue = applied(sent, event, 14);
    expect([refundStatusOf(overdue), reminderDueAt(overdue), isRefundOverdue(overdue, at(20))]).toEqual([
      'overdue',
      undefined,
      true,
    ]);
    expect(reportOverdueRefund(overdue, at(20))).toBeUndefined();
    const paid = applied(overdue, { type: 'withdrawal.refunded', data: { withdrawalId: 'wdr_1', paidAt: at(21) } }, 21);
    expect([refundStatusOf(paid), reminderDueAt(paid), isRefundOverdue(paid, at(30))]).toEqual([
      'paid',
      undefined,
      false,
    ]);
  });

  it('ends with a shipment of the units, and with a declaration made by mistake', () => {
    const data = { withdrawalId: 'wdr_1', returnId: 'ret_1', lines: [units(2)], shippedAnyway: true } as const;
    const shipped = applied(sent, { type: 'withdrawal.return_created', data }, 2);
    const mistake = withdraw({ ...sent, status: 'matched' }, 'mistake');
    if (!mistake.ok || mistake.value === undefined) throw new Error('not withdrawn');
    for (const ended of [shipped, applied(sent, mistake.value, 2)])
      expect([refundStatusOf(ended), reminderDueAt(ended)]).toEqual([undefined, undefined]);
  });
});
