import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { updateReturn, type ReturnPatch } from '../../../lib/domain/returns/commands/annotations.ts';
import { complete } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import { recordRefundResult, remindRefund } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { quote } from '../../../lib/domain/returns/money/quote.ts';
import { owed, recoveryDue } from '../../../lib/domain/returns/money/recovery.ts';
import { moneyOf, refundStatus } from '../../../lib/domain/returns/money/refund-status.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { addDays, deadlinesOf, dueAt, openRefundDueBy } from '../../../lib/domain/returns/rules/deadlines.ts';
import { nextStep } from '../../../lib/domain/returns/rules/next-step.ts';
import { summarizeReturn } from '../../../lib/domain/returns/summary.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { type Case, openCase, run, situationOf, start } from '../../support/return-case.ts';

/** Units for 18.93 came back and were accepted. The shop gave 3.65 of it in exchange, and paid 15.28. */
const paidInPart = (refunded = 1528): Case => {
  const facts = order({ lines: [orderLine({ quantity: 1, unitPrice: eur(1893) })] });
  const started = openCase([{ orderLineId: '1', quantity: 1 }], {
    facts,
    terms: { ...defaultTerms, approval: 'auto' },
  });
  const goods = run(
    started,
    (situation) => receive(situation, { lines: [{ lineId: 'a', quantity: 1 }] }, ['p', 'q', 'r']),
    (situation) => inspect(situation, { lines: [{ id: 'i', lineId: 'a', quantity: 1, outcome: 'accept' }] }),
  );
  if (refunded === 0) return goods;
  return run(goods, ({ state, order: of, ledger, now }) => {
    const paid = {
      amount: eur(refunded),
      method: 'original_payment',
      occurredAt: now,
      lines: [{ orderLineId: '1', quantity: 1 }],
    } as const;
    const recorded = recordRefund(of, ledger, state, paid, { id: 'rfd_1', externalId: '71', now, latest: now });
    if (!recorded.ok) return recorded;
    const { events, ledger: booked } = recorded.value;
    const [first, ...others] = events;
    return { ok: true, value: first && { events: [first, ...others], ledger: booked } };
  });
};

const patched = (before: Case, patch: ReturnPatch): Case =>
  run(before, ({ state, ledger, now }) => {
    const updated = updateReturn(state, patch, now);
    if (!updated.ok) return updated;
    const [first, ...others] = updated.value;
    return { ok: true, value: first && { events: [first, ...others], ledger } };
  });

const shopExchanges = [{ externalId: 'gid://shopify/ExchangeLineItem/9', quantity: 1, sku: 'SHIRT-M' }];
const exchanged = (before: Case): Case => patched(before, { shopExchanges });

const moneyFacts = (one: Case) => {
  const situation = situationOf(one);
  const { state } = situation;
  const quoted = quote(situation, {});
  return {
    quote: quoted.ok ? quoted.value.total.amount : quoted.failure.code,
    owed: owed(state),
    due: moneyOf(state).due,
    recoveryDue: recoveryDue(state),
    hasDueDate: deadlinesOf(state).refundDueBy !== undefined,
    openDueBy: openRefundDueBy(state),
    refund: allowedActions(situation).find(({ action }) => action === 'refund'),
    flags: summarizeReturn(state).flags,
  };
};

describe('a return that the shop exchanged in part', () => {
  it.each([
    ['in part', 1528],
    ['not at all', 0],
  ])('owes nothing where the rest was paid %s', (_, refunded) => {
    const before = paidInPart(refunded);
    expect(owed(before.state)).toBe(1893 - refunded);
    const after = exchanged(before);
    expect(moneyFacts(after)).toMatchObject({
      quote: 0,
      owed: 0,
      due: 0,
      recoveryDue: 0,
      hasDueDate: false,
      openDueBy: undefined,
      refund: { allowed: false, blockedBy: 'exchanged_at_shop' },
    });
    expect(refundStatus(after.state)).not.toBe('due');
    expect(nextStep(after.state)?.action).not.toBe('refund');
    expect(dueAt(after.state)).toBeUndefined();
    expect(after.state.discrepancies).toMatchObject([{ code: 'exchanged_at_shop' }]);
  });

  it('takes no refund, no named part of a quote and no reminder, and completes without a waiver', () => {
    const after = exchanged(paidInPart(0));
    const late = situationOf(after, { now: addDays(start, 40) });
    expect(remindRefund(late)).toMatchObject({ failure: { code: 'invalid_transition' } });
    expect(remindRefund(situationOf(paidInPart(0), { now: addDays(start, 40) })).ok).toBe(true);
    expect(refundReturn(situationOf(after), {}, { id: 'rfd_2' })).toMatchObject({
      failure: { code: 'invalid_transition', detail: expect.stringContaining('The shop exchanges units') },
    });
    for (const wanted of [{ lines: [{ lineId: 'a', quantity: 1 }] }, { shipping: eur(100) }, { charges: eur(100) }])
      expect(quote(situationOf(after), wanted)).toMatchObject({ failure: { code: 'refund_exceeds_ceiling' } });
    expect(run(after, (situation) => complete(situation, {})).state).toMatchObject({ status: 'completed' });
    expect(complete(situationOf(paidInPart(0)), {}).ok).toBe(false);
  });

  it('records the discrepancy once, and nothing for the same exchange', () => {
    const after = exchanged(paidInPart());
    expect(exchanged(after).state.version).toBe(after.state.version);
    const other = patched(after, { shopExchanges: [...shopExchanges, { externalId: '10' }] });
    expect(other.state.discrepancies).toHaveLength(1);
    expect(patched(paidInPart(), { shopExchanges: null }).state.version).toBe(paidInPart().state.version);
  });

  it('owes its money again once the shop has removed the exchange', () => {
    const before = paidInPart(0);
    const removed = patched(exchanged(before), { shopExchanges: null });
    expect(moneyFacts(removed)).toMatchObject({ ...moneyFacts(before), flags: expect.any(Array) });
    expect(moneyFacts(removed)).toMatchObject({ quote: 1893, refund: { allowed: true } });
  });
});

describe('a return for which the shop states the price of the new item', () => {
  const priced = (before: Case, price: number): Case =>
    patched(before, { shopExchanges: [{ externalId: '9', quantity: 1, price: eur(price) }] });

  it.each([
    [365, 1528, { quote: 0, owed: 0, due: 0, recoveryDue: 0 }],
    [365, 0, { quote: 1528, owed: 1528, due: 1528, recoveryDue: 0 }],
    [365, 1628, { quote: 0, due: 0, recoveryDue: 100 }],
    [5000, 0, { quote: 0, owed: 0, due: 0, recoveryDue: 0 }],
  ])('of %i, after a refund of %i, owes the rest of the goods', (price, refunded, facts) => {
    const after = priced(paidInPart(refunded), price);
    expect(moneyFacts(after)).toMatchObject(facts);
    expect(after.state.discrepancies.map(({ code }) => code)).not.toContain('exchanged_at_shop');
  });

  it('pays the rest by its due date, as paid before, and completes', () => {
    const after = priced(paidInPart(0), 365);
    expect(moneyFacts(after)).toMatchObject({ hasDueDate: true, refund: { allowed: true } });
    const paid = run(
      after,
      (situation) => refundReturn(situation, {}, { id: 'rfd_2' }),
      (situation) => recordRefundResult(situation, { refundId: 'rfd_2', status: 'succeeded' }, situation.now),
    );
    expect(paid.state.refunds).toMatchObject([
      { amount: eur(1528), breakdown: { deductions: [{ type: 'paid_before', amount: eur(365) }] } },
    ]);
    expect([moneyFacts(paid).owed, refundStatus(paid.state)]).toEqual([0, 'refunded']);
    expect(run(paid, (situation) => complete(situation, {})).state.status).toBe('completed');
  });

  it('owes the price as money once the shop has removed the exchange', () => {
    const paid = run(priced(paidInPart(0), 365), (situation) => refundReturn(situation, {}, { id: 'rfd_2' }));
    expect(moneyFacts(patched(paid, { shopExchanges: null }))).toMatchObject({ quote: 365, owed: 365 });
  });

  it('owes nothing while the price of another item is unknown', () => {
    const after = patched(paidInPart(0), {
      shopExchanges: [{ externalId: '9', price: eur(365) }, { externalId: '10' }],
    });
    expect(moneyFacts(after)).toMatchObject({ quote: 0, owed: 0, due: 0, refund: { blockedBy: 'exchanged_at_shop' } });
  });
});
