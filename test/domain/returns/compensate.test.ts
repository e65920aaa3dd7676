import { describe, expect, it } from 'vitest';
import { cancel, complete } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { compensate, type Compensate } from '../../../lib/domain/returns/commands/money/compensate.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefund } from '../../../lib/domain/returns/commands/money/record-refund.ts';
import type { RecordRefund } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { returnable } from '../../../lib/domain/returns/money/line-units.ts';
import { owed } from '../../../lib/domain/returns/money/recovery.ts';
import { obligationsOf } from '../../../lib/domain/returns/rules/obligations.ts';
import {
  accept,
  type Account,
  applyResult,
  beginReturn,
  moneyFacts,
  now,
  onReceipt,
  openAccount,
  refund,
  reportStatuses,
  returned,
  situationOf,
  withFees,
} from '../../support/money.ts';
import { eur, order, orderLine } from '../../support/orders.ts';

const lineId = 'rln_0_0';
/** Returns an account of units that cost 20.00 each. */
const sold = (quantity: number): Account =>
  openAccount(order({ lines: [orderLine({ quantity, unitPrice: eur(2000) })] }));

const pay = (account: Account, command: Partial<Compensate>, admin = true) =>
  compensate(
    { ...situationOf(account), admin },
    { type: 'price_reduction', amount: eur(1500), lineId, reason: 'goodwill', ...command },
    { id: 'rfd_c' },
  );

const paid = (account: Account, command: Partial<Compensate> = {}): void => {
  applyResult(account, pay(account, command));
  reportStatuses(account, ['succeeded']);
};

const record = (account: Account, facts: Pick<RecordRefund, 'amount' | 'lines' | 'extras'>): readonly string[] => {
  const ids = { id: 'rfd_x', externalId: 'x', now, latest: now };
  const decision = recordRefund(
    account.order,
    account.ledger,
    undefined,
    { method: 'manual', occurredAt: now, ...facts },
    ids,
  );
  if (!decision.ok) throw new Error(decision.failure.code);
  account.ledger = decision.value.ledger;
  return decision.value.refund.discrepancies.map(({ code }) => code);
};

const free = ({
  order: {
    facts: { lines },
  },
  ledger,
}: Account): readonly number[] => lines.map((line) => returnable(ledger, line));

describe('a part of the price of a unit', () => {
  it('recorded without a return leaves the unit returnable for the rest', () => {
    const account = sold(1);
    expect(record(account, { amount: eur(150), lines: [{ orderLineId: '1', quantity: 1, amount: eur(150) }] })).toEqual(
      [],
    );
    expect(free(account)).toEqual([1]);
    returned(account, 1);
    accept(account, 1);
    expect(moneyFacts(account)).toMatchObject({ quote: 1850, owed: 1850 });
  });

  it('is taken of the last unit of a line', () => {
    const account = sold(2);
    record(account, { amount: eur(150), lines: [{ orderLineId: '1', quantity: 1, amount: eur(150) }] });
    returned(account, 1);
    accept(account, 1);
    expect(moneyFacts(account)).toMatchObject({ quote: 2000 });
    refund(account, {});
    reportStatuses(account, ['succeeded']);
    returned(account, 1);
    accept(account, 1, 1);
    expect(moneyFacts(account, 1)).toMatchObject({ quote: 1850 });
  });

  it('of units of a return is no worth of other units', () => {
    const account = returned(sold(2), 1);
    const [state] = account.returns;
    const ids = { id: 'rfd_x', externalId: 'x', now, latest: now };
    const facts = {
      amount: eur(1500),
      method: 'manual',
      occurredAt: now,
      lines: [{ orderLineId: '1', quantity: 1 }],
    } as const;
    const decision = recordRefund(account.order, account.ledger, state, facts, ids);
    if (!decision.ok) throw new Error(decision.failure.code);
    const [first, ...others] = decision.value.events;
    if (first === undefined) throw new Error('no event');
    applyResult(account, { ok: true, value: { events: [first, ...others], ledger: decision.value.ledger } });
    expect(owed(situationOf(account).state)).toBe(500);
    returned(account, 1);
    accept(account, 1, 1);
    expect(moneyFacts(account, 1)).toMatchObject({ quote: 2000 });
  });

  it('is money of the order when no line is named', () => {
    const account = sold(2);
    record(account, { amount: eur(1500) });
    returned(account, 2);
    accept(account, 2);
    expect(moneyFacts(account)).toMatchObject({ quote: 2500 });
  });

  it('paid for a unit that the customer keeps is no debt, and the return ends', () => {
    const account = returned(sold(1), 1);
    paid(account);
    expect(moneyFacts(account)).toMatchObject({ owed: 500, recoveryDue: 0 });
    applyResult(account, cancel(situationOf(account), { cancellation: {} }));
    expect(moneyFacts(account)).toEqual({ quote: 0, due: 0, owed: 0, recoveryDue: 0, status: 'none' });
    expect(free(account)).toEqual([1]);
    returned(account, 1);
    accept(account, 1, 1);
    expect(moneyFacts(account, 1)).toMatchObject({ quote: 500 });
  });

  it('paid for a unit that comes after all leaves the rest to pay', () => {
    const account = returned(sold(1), 1);
    paid(account);
    accept(account, 1);
    expect(moneyFacts(account)).toMatchObject({ quote: 500, owed: 500, status: 'partially_refunded' });
    refund(account, {});
    reportStatuses(account, ['succeeded']);
    expect(moneyFacts(account)).toMatchObject({ owed: 0, status: 'refunded' });
    applyResult(account, complete(situationOf(account), {}));
  });

  it('paid twice for one unit that the customer keeps is no debt', () => {
    const account = returned(sold(1), 1);
    paid(account, { amount: eur(300) });
    paid(account, { amount: eur(200) });
    applyResult(account, cancel(situationOf(account), { cancellation: {} }));
    expect(moneyFacts(account)).toMatchObject({ owed: 0, recoveryDue: 0 });
    expect(account.ledger.lines['1']).toMatchObject({ reduced: { units: 1, gross: 500 } });
  });

  it('paid after the units were cancelled is for kept units', () => {
    const account = returned(sold(1), 1);
    applyResult(account, cancel(situationOf(account), { cancellation: {} }));
    paid(account);
    expect(moneyFacts(account)).toEqual({ quote: 0, due: 0, owed: 0, recoveryDue: 0, status: 'none' });
    expect(account.ledger.lines['1']).toMatchObject({ reduced: { units: 1, gross: 1500 } });
  });

  it('paid for another unit than the kept one is at most what is owed for it', () => {
    const account = returned(sold(2), 2);
    paid(account, { amount: eur(100), quantity: 2 });
    applyResult(account, cancel(situationOf(account), { cancellation: {}, lines: [{ lineId, quantity: 1 }] }));
    accept(account, 1);
    refund(account, {});
    reportStatuses(account, ['succeeded']);
    expect(pay(account, { amount: eur(1), quantity: 1 })).toMatchObject({
      failure: { code: 'refund_exceeds_ceiling' },
    });
    expect(moneyFacts(account)).toMatchObject({ owed: 0, recoveryDue: 0 });
  });

  it('for a rejected and a paid unit is for the rejected one alone', () => {
    const account = sold(2);
    beginReturn(account, { 1: 2 }, { ...onReceipt, approval: 'manual' });
    applyResult(account, approve(situationOf(account), { lines: [{ lineId, quantity: 1 }] }));
    accept(account, 1);
    refund(account);
    reportStatuses(account, ['succeeded']);
    expect(pay(account, { amount: eur(30) })).toMatchObject({
      failure: { errors: [{ message: 'must be at most 0' }] },
    });
    paid(account, { amount: eur(30), quantity: 1 });
    expect(moneyFacts(account)).toMatchObject({ recoveryDue: 0, status: 'refunded' });
  });

  it('is at most what is left of the price', () => {
    const account = returned(sold(1), 1);
    expect(pay(account, { amount: eur(2001) })).toMatchObject({
      failure: { errors: [{ path: '/amount/amount', message: 'must be at most 2000' }] },
    });
    paid(account);
    expect(pay(account, { amount: eur(501) })).toMatchObject({ failure: { code: 'refund_exceeds_ceiling' } });
  });

  it('paid in two parts for a unit that the customer keeps is no debt', () => {
    const account = returned(sold(1), 1);
    paid(account, { amount: eur(500) });
    paid(account, { amount: eur(500) });
    applyResult(account, cancel(situationOf(account), { cancellation: {} }));
    expect(moneyFacts(account)).toMatchObject({ owed: 0, recoveryDue: 0 });
    expect(account.ledger.lines['1']?.reduced).toEqual({ units: 1, gross: 1000, tax: 0 });
  });

  it('is no debt when a deduction for wear takes the rest', () => {
    const account = returned(sold(1), 1, withFees({ inspectionCapBps: 10_000 }, onReceipt));
    paid(account);
    accept(account, 1, 0, 5000);
    expect(moneyFacts(account)).toMatchObject({ quote: 0, owed: 0, recoveryDue: 0 });
    expect(obligationsOf(situationOf(account).state)).toMatchObject([
      { cause: 'goods', amount: 1000, settled: 1000 },
      { cause: 'price_reduction', amount: 1500, settled: 1500 },
    ]);
  });

  it('that exceeds the rest after fees takes nothing of the difference of a cheaper item', () => {
    const account = returned(sold(2), 2, withFees({ inspectionCapBps: 10_000 }, onReceipt));
    const newItem = { sku: 'NEW', quantity: 1, price: eur(1500) };
    applyResult(account, exchange(situationOf(account), 'exc_1', { lineId, quantity: 1, newItem }));
    applyResult(account, exchangeResult(situationOf(account), { exchangeId: 'exc_1', status: 'ordered' }));
    expect(pay(account, { quantity: 1, amount: eur(2000) }).ok).toBe(true);
    expect(pay(account, { quantity: 2, amount: eur(2001) }).ok).toBe(false);
    paid(account, { quantity: 1 });
    accept(account, 2, 0, 10_000);
    expect(moneyFacts(account)).toMatchObject({ owed: 500, recoveryDue: 0 });
  });

  it('is at most what refunds without a return left of the order', () => {
    const account = sold(1);
    record(account, { amount: eur(1200) });
    returned(account, 1);
    expect(pay(account, { amount: eur(801) })).toMatchObject({ failure: { code: 'refund_exceeds_ceiling' } });
    expect(pay(account, { amount: eur(800) })).toMatchObject({ ok: true });
  });

  it('is paid once for a unit, and leaves the price of the other units of the order', () => {
    const account = returned(sold(3), 1);
    paid(account, { amount: eur(2000) });
    applyResult(account, cancel(situationOf(account), { cancellation: {} }));
    expect(pay(account, { amount: eur(1) })).toMatchObject({ failure: { code: 'refund_exceeds_ceiling' } });
  });

  it('is paid for a unit that the customer keeps after the end of its return', () => {
    const account = returned(sold(1), 1);
    applyResult(account, cancel(situationOf(account), { cancellation: {} }));
    paid(account);
    expect(moneyFacts(account)).toMatchObject({ owed: 0, recoveryDue: 0 });
  });

  it('for a refused unit and a paid one is for the refused one alone', () => {
    const account = returned(sold(2), 2);
    accept(account, 1);
    refund(account, {});
    const units = { lineId, quantity: 1 };
    applyResult(account, receive(situationOf(account), { lines: [units] }, ['unx_1']));
    applyResult(
      account,
      inspect(situationOf(account), { lines: [{ id: 'ins_r', ...units, outcome: 'refuse', disposition: 'destroy' }] }),
    );
    expect(pay(account, { quantity: 2, amount: eur(1) })).toMatchObject({ ok: false });
    expect(pay(account, { quantity: 1, amount: eur(2000) })).toMatchObject({ ok: true });
  });

  it('for a unit to repair takes nothing of the money for another line', () => {
    const account = openAccount(order({ lines: ['1', '2'].map((id) => orderLine({ lineId: id, quantity: 1 })) }));
    const reason = { code: 'fit.too_small' };
    const line = (orderLineId: string) => ({ orderLineId, quantity: 1, reason });
    beginReturn(account, { 1: 1, 2: 1 }, onReceipt, { lines: [{ ...line('1'), resolution: 'repair' }, line('2')] });
    paid(account, { amount: eur(800) });
    expect(moneyFacts(account)).toMatchObject({ owed: 1000, recoveryDue: 0 });
  });

  it('is not lowered by a reduction of another line', () => {
    const account = openAccount(
      order({ lines: [orderLine({ quantity: 1, unitPrice: eur(2000) }), orderLine({ lineId: '2', quantity: 1 })] }),
    );
    beginReturn(account, { 1: 1, 2: 1 }, onReceipt);
    paid(account);
    expect(pay(account, { lineId: 'rln_0_1', amount: eur(1000) })).toMatchObject({ ok: true });
  });

  it.each([
    [{ lineId: 'rln_9' }, 'return_line_not_found'],
    [{ quantity: 2 }, 'invalid_request'],
  ] as const)('with %j fails', (command, code) => {
    expect(pay(returned(sold(1), 1), command)).toMatchObject({ ok: false, failure: { code } });
  });
});

describe('a payment on top', () => {
  it('is no debt of the customer, and no part of the price', () => {
    const account = returned(sold(1), 1);
    accept(account, 1);
    refund(account, {});
    reportStatuses(account, ['succeeded']);
    applyResult(
      account,
      compensate(
        situationOf(account, 0, true),
        { type: 'return_postage', amount: eur(490), reason: 'goodwill' },
        { id: 'rfd_c' },
      ),
    );
    reportStatuses(account, ['succeeded']);
    expect(moneyFacts(account)).toEqual({ quote: 0, due: 0, owed: 0, recoveryDue: 0, status: 'refunded' });
    expect(account.ledger.given).toMatchObject({ amount: 2000, money: 2000, own: 2490 });
    applyResult(account, complete(situationOf(account), {}));
  });

  it.each([
    [1000, 'store_credit', 200, undefined],
    [1000, 'store_credit', 201, 'refund_exceeds_ceiling'],
    [1000, 'original_payment', 100, 'resolution_not_allowed'],
  ] as const)('of %d basis points as %s may be a bonus of %d by a writer: %s', (bonusBps, method, amount, code) => {
    const account = returned(sold(1), 1, { ...onReceipt, extras: { bonusBps } });
    accept(account, 1);
    refund(account, {});
    const command = { type: 'bonus', amount: eur(amount), method, reason: 'goodwill' } as const;
    const result = compensate(situationOf(account), command, { id: 'rfd_c' });
    expect(result.ok ? undefined : result.failure.code).toBe(code);
  });

  it('that is recorded is no discrepancy', () => {
    const account = sold(1);
    expect(
      record(account, {
        amount: eur(2490),
        lines: [{ orderLineId: '1', quantity: 1 }],
        extras: [{ type: 'return_postage', amount: eur(490) }],
      }),
    ).toEqual([]);
  });

  it.each([
    ['return_postage', undefined, 'insufficient_scope'],
    ['compensation', 'defect', 'insufficient_scope'],
    ['bonus', 'defect', 'insufficient_scope'],
    ['return_postage', 'defect', undefined],
  ] as const)('%s of a return with basis %s by a writer: %s', (type, basis, code) => {
    const account = returned(sold(1), 1);
    const situation = situationOf(account);
    const state = { ...situation.state, ...(basis && { basis }) };
    const command = { type, amount: eur(100), reason: 'goodwill' } as const;
    const result = compensate({ ...situation, state }, command, { id: 'rfd_c' });
    expect(result.ok ? undefined : result.failure.code).toBe(code);
  });
});
