import { describe, expect, it } from 'vitest';
import { expire } from '../../../lib/domain/returns/commands/endings.ts';
import type { Outcome } from '../../../lib/domain/returns/commands/outcome.ts';
import { exchange } from '../../../lib/domain/returns/commands/money/exchange.ts';
import type { RecordRefund } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import type { Result } from '../../../lib/domain/returns/failure.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { inAdvance } from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { openCase, run, situationOf } from '../../support/return-case.ts';

/** Three units at 10.00 come back, of an order that is worth much more. */
const facts = order({ lines: [orderLine(), orderLine({ lineId: '2', unitPrice: eur(9000) })] });
const begin = () => openCase(undefined, { facts, terms: inAdvance });

const paid =
  (fields: Pick<RecordRefund, 'amount' | 'lines'>) =>
  ({ state, order: of, ledger, now }: Situation): Result<Outcome | undefined> => {
    const ids = { id: 'rfd_outside', externalId: '1', now, latest: now };
    const decision = recordRefund(of, ledger, state, { method: 'manual', occurredAt: now, ...fields }, ids);
    if (!decision.ok) return decision;
    const { events, ledger: booked } = decision.value;
    const [first, ...others] = events;
    return { ok: true, value: first === undefined ? undefined : { events: [first, ...others], ledger: booked } };
  };

const newItem = { sku: 'SHIRT-L', quantity: 1 };

describe('external refunds', () => {
  it('limit later refunds to the worth of the goods, also when recorded without lines', () => {
    const case2000 = run(begin(), paid({ amount: eur(2000) }));
    const all = run(case2000, (situation) => refundReturn(situation, {}, { id: 'rfd_1' })).state;
    expect(all.refunds[1]).toMatchObject({
      amount: eur(1000),
      breakdown: { deductions: [{ type: 'paid_before', amount: eur(2000) }] },
    });
    const lines = [{ lineId: 'a', quantity: 1 }];
    const one = run(case2000, (situation) => refundReturn(situation, { lines }, { id: 'rfd_1' }));
    expect(one.state.refunds[1]).toMatchObject({ amount: eur(1000), breakdown: { deductions: [] } });
    expect(refundReturn(situationOf(one), {}, { id: 'rfd_2' })).toMatchObject({
      failure: { code: 'refund_exceeds_ceiling' },
    });
    expect(exchange(situationOf(case2000), 'exc_1', { lineId: 'a', quantity: 2, newItem })).toMatchObject({
      failure: {
        code: 'refund_exceeds_ceiling',
        errors: [{ path: '/quantity', message: 'must take at most 1000 minor units of what was paid' }],
      },
    });
    expect(exchange(situationOf(case2000), 'exc_1', { lineId: 'a', quantity: 1, newItem })).toMatchObject({ ok: true });
  });

  it('that pay a unit too high lower the refund of another line, because the excess is no rounding', () => {
    const lines = [{ orderLineId: '2', quantity: 1, amount: eur(9300) }];
    const both = [
      { orderLineId: '1', quantity: 1 },
      { orderLineId: '2', quantity: 1 },
    ];
    const sold = order({ lines: [orderLine(), orderLine({ lineId: '2', quantity: 2, unitPrice: eur(9000) })] });
    const ahead = run(openCase(both, { facts: sold, terms: inAdvance }), paid({ amount: eur(9300), lines }));
    expect(owed(ahead.state)).toBe(700);
    const { state } = run(ahead, (situation) => refundReturn(situation, {}, { id: 'rfd_1' }));
    expect(state.refunds[1]).toMatchObject({
      amount: eur(700),
      breakdown: { deductions: [{ type: 'paid_before', amount: eur(300) }] },
    });
    expect([owed(state), recoveryDue(state)]).toEqual([0, 0]);
  });

  it('for units that the return does not have lower the refund of its goods', () => {
    const lines = [{ orderLineId: '2', quantity: 1, amount: eur(500) }];
    const sold = order({ lines: [orderLine(), orderLine({ lineId: '2', unitPrice: eur(500) })] });
    const ahead = run(openCase(undefined, { facts: sold, terms: inAdvance }), paid({ amount: eur(500), lines }));
    expect(owed(ahead.state)).toBe(2500);
    // The discrepancy leaves the refund to an admin.
    expect(quote(situationOf(ahead), {})).toMatchObject({
      value: { total: eur(2500), breakdown: { deductions: [{ type: 'paid_before', amount: eur(500) }] } },
    });
  });

  it('report an excess over the amount paid for a line, and block further refunds of it', () => {
    const lines = [{ orderLineId: '1', quantity: 3, amount: eur(20_000) }];
    const { state, ...rest } = run(begin(), paid({ amount: eur(20_000), lines }));
    expect(state.discrepancies).toMatchObject([{ code: 'refund_exceeds_line' }]);
    expect(refundReturn(situationOf({ state, ...rest }), {}, { id: 'rfd_1' })).toMatchObject({
      failure: { code: 'invalid_transition' },
    });
  });

  it('do not let a return expire after the customer got an exchange', () => {
    const exchanged = run(begin(), (situation) => exchange(situation, 'exc_1', { lineId: 'a', quantity: 1, newItem }));
    expect(expire(situationOf(exchanged))).toMatchObject({
      failure: {
        code: 'invalid_transition',
        allowedActions: expect.arrayContaining([
          expect.objectContaining({ action: 'expire', blockedBy: 'open_exchange' }),
        ]),
      },
    });
    expect(expire(situationOf(begin())).ok).toBe(true);
    expect(approve(situationOf(begin()), {}).ok).toBe(false);
  });
});
