import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import { inspect } from '../../../lib/domain/returns/commands/goods/inspect.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { exchange, exchangeResult } from '../../../lib/domain/returns/commands/money/exchange.ts';
import { recordRefundResult } from '../../../lib/domain/returns/commands/money/record-refund-result.ts';
import { refundReturn } from '../../../lib/domain/returns/commands/money/refund-return.ts';
import { approve } from '../../../lib/domain/returns/commands/request/review-request.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { commands } from '../../../lib/domain/returns/rules/states.ts';
import type { Situation } from '../../../lib/domain/returns/situation.ts';
import { anyLife, doneBy, facts, visitLife } from '../../support/any-return.ts';
import { eur, order, orderLine } from '../../support/orders.ts';
import { after, requestReturn, type Case, openCase, run, situationOf, start } from '../../support/return-case.ts';
import { runsEveryCase } from '../../support/samples.ts';

/** Compares allowedActions with the result of every form of every command, for a writer and for an admin. */
const expectTruth = (now: Case, serial: number, seen: Set<string>) => {
  const situation = situationOf(now);
  const said = new Map(allowedActions(situation).map((one) => [one.action, one]));
  for (const command of commands) {
    const { allowed = false, scope, blockedBy, overrides = [] } = said.get(command) ?? {};
    // The ids and texts differ from those of the earlier steps.
    const isDone = (admin: boolean) => doneBy({ ...situation, admin }, command, serial + 1000).length > 0;
    const minimum = isDone(false) ? 'returns:write' : isDone(true) ? 'returns:admin' : undefined;
    const state = { command, status: now.state.status };
    expect({ ...state, allowed, blockedBy, scope: allowed ? scope : undefined }).toEqual({
      ...state,
      allowed: minimum !== undefined,
      blockedBy: minimum === undefined ? expect.any(String) : undefined,
      scope: minimum,
    });
    seen.add(`${command}: ${blockedBy ?? minimum}`);
    for (const code of overrides) seen.add(`${command} overrides ${code}`);
  }
};

it('allowedActions agrees with every command in every reachable state, for every scope and override', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(anyLife, (life) => visitLife(life, (now, serial) => expectTruth(now, serial, seen))),
    { numRuns: runsEveryCase() ? 320 : 20, seed: 20261121 },
  );
  // A sample checks every state that it reaches. Only a run of all cases reaches all of these.
  if (!runsEveryCase()) return;
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'approve overrides evidence_required',
      'approve overrides not_eligible',
      'reject overrides statutory_floor_violation',
      'complete overrides unsettled',
      'complete overrides statutory_floor_violation',
      'complete: returns:write',
      'refund: returns:write',
      'refund: returns:admin',
      'refund: inspection_pending',
      'refund: nothing_to_refund',
      'waiveFee: no_open_fee',
      'exchange: nothing_to_exchange',
      'grant: nothing_to_grant',
      'correct: nothing_to_correct',
      'expire: statutory_floor_violation',
      'updateParcel: no_parcel',
    ]),
  );
});

it("allowedActions allows a shipping refund when fees take the units' worth and other money waits", () => {
  const fees = { ...defaultTerms.fees, returnShipping: 700 };
  const sold = order({ lines: [orderLine({ quantity: 2, unitPrice: eur(600) })], shipping: { paid: eur(490) } });
  const one = run(
    openCase([{ orderLineId: '1', quantity: 2 }], { facts: sold, terms: { ...defaultTerms, fees } }),
    (now) => approve(now, {}),
    (now) => receive(now, { lines: [{ lineId: 'a', quantity: 1 }] }, ['unx_a']),
    (now) => inspect(now, { lines: [{ id: 'ins_1', lineId: 'a', quantity: 1, outcome: 'accept' }] }),
  );
  const situation = situationOf(one, { admin: false });
  expect(refundReturn(situation, {}, { id: 'rfd_1' })).toMatchObject({ failure: { code: 'inspection_pending' } });
  expect(refundReturn(situation, { shipping: eur(490) }, { id: 'rfd_1' }).ok).toBe(true);
  expect(allowedActions(situation)).toContainEqual({ action: 'refund', scope: 'returns:write', allowed: true });
});

it('allowedActions allows no command after the facts of the order are removed', () => {
  const { state, ledger } = openCase();
  const actions = allowedActions({ state, ledger, order: undefined, now: start });
  expect(new Set(actions.map(({ allowed, blockedBy }) => `${allowed} ${blockedBy}`))).toEqual(
    new Set(['false order_removed']),
  );
  expect(allowedActions({ state, ledger, order: order({ lines: [orderLine({ lineId: '7' })] }), now: start })).toEqual(
    actions,
  );
});

describe('allowedActions: scope of an approval against the policy', () => {
  const requestedLines = [
    { orderLineId: '1', quantity: 2 },
    { orderLineId: '2', quantity: 1 },
  ];
  const withDenied = (one: Case): Case => {
    const denied = { verdict: 'ineligible', code: 'not_delivered' } as const;
    const lines = one.state.lines.map((line) => (line.orderLineId === '2' ? { ...line, eligibility: denied } : line));
    return { ...one, state: { ...one.state, lines } };
  };
  const scopeIn = (one: Case) =>
    allowedActions(situationOf(one, { now: start })).find(({ action }) => action === 'approve')?.scope;

  it('needs no admin when the denied lines may be rejected', () => {
    expect(scopeIn(withDenied(openCase(requestedLines, { facts })))).toBe('returns:write');
  });

  it('needs an admin when a law forbids the rejection of a denied line', () => {
    const floor = { law: 'EU 2011/83', fees: [], lines: ['2'] };
    const one = withDenied(openCase(requestedLines, { facts, terms: { ...defaultTerms, floor } }));
    expect(scopeIn(one)).toBe('returns:admin');
    const others = {
      lines: [
        { lineId: 'a', quantity: 2 },
        { lineId: 'b', quantity: 0 },
      ],
    };
    expect(approve(situationOf(one), others)).toMatchObject({ failure: { code: 'statutory_floor_violation' } });
  });

  it('needs an admin when only denied lines are left to approve', () => {
    const one = withDenied(openCase(requestedLines, { facts }));
    const rest = cancel(situationOf(one), { cancellation: {}, lines: [{ lineId: 'a', quantity: 2 }] });
    const left = after(one, rest);
    expect(scopeIn(left)).toBe('returns:admin');
    expect(approve(situationOf(left), {})).toMatchObject({ failure: { code: 'not_eligible' } });
  });
});

describe('refundApprovalLimit', () => {
  const limited = {
    ...defaultTerms,
    approval: 'auto',
    refundTiming: 'approved',
    refundApprovalLimit: { EUR: 1000 },
  } as const;
  const requestedLines = [{ orderLineId: '2', quantity: 2 }];
  const scopeOf = (one: Case) =>
    allowedActions(situationOf(one, { now: start })).find(({ action }) => action === 'refund')?.scope;
  const swapped = (price: number) => {
    const newItem = { sku: 'NEW', quantity: 1, price: eur(price) };
    return run(
      openCase(requestedLines, { facts, terms: limited }),
      (situation) => exchange(situation, 'exc_1', { lineId: 'a', quantity: 2, newItem }),
      (situation) => exchangeResult(situation, { exchangeId: 'exc_1', status: 'ordered' }),
    );
  };

  it('applies to the refund of the difference of an exchange, and not to the exchange', () => {
    const pays = (one: Case, admin: boolean) => refundReturn(situationOf(one, { admin }), {}, { id: 'rfd_1' });
    expect(pays(swapped(1000), false).ok).toBe(true);
    expect(pays(swapped(999), false)).toMatchObject({ failure: { code: 'refund_above_limit' } });
    expect([scopeOf(swapped(999)), pays(swapped(999), true).ok]).toEqual(['returns:admin', true]);
  });

  it('counts the refunds of other returns of the order, except cancelled ones', () => {
    const first = openCase([{ orderLineId: '2', quantity: 1 }], { facts, terms: limited });
    const paid = after(first, refundReturn(situationOf(first, { admin: false }), {}, { id: 'rfd_1' }));
    const withdraw = (situation: Situation) =>
      recordRefundResult(situation, { refundId: 'rfd_1', status: 'cancelled' }, situation.now);
    const asWriter = (one: Case, ledger: Case['ledger']) =>
      refundReturn({ ...situationOf(one, { admin: false }), ledger }, {}, { id: 'rfd_2' });
    const outcome = requestReturn(facts, paid.ledger, [{ orderLineId: '2', quantity: 1 }], limited);
    if (!outcome.ok) throw new Error(outcome.failure.code);
    const second = openCase([{ orderLineId: '2', quantity: 1 }], { facts, terms: limited });
    expect(asWriter(second, outcome.value.ledger)).toMatchObject({
      failure: { code: 'refund_above_limit', detail: expect.stringContaining('has 0 minor units left') },
    });
    const cancelled = run(paid, withdraw);
    expect(asWriter(second, cancelled.ledger)).toMatchObject({ ok: true });
  });

  it('sets the scope of a refund in allowedActions', () => {
    const one = openCase(requestedLines, { facts, terms: limited });
    expect(scopeOf(one)).toBe('returns:write');
    const lines = [{ lineId: 'a', quantity: 1 }];
    const paid = after(one, refundReturn(situationOf(one, { admin: false }), { lines }, { id: 'rfd_1' }));
    expect(scopeOf(paid)).toBe('returns:admin');
    expect(refundReturn(situationOf(paid, { admin: false }), { lines }, { id: 'rfd_2' })).toMatchObject({
      failure: { code: 'refund_above_limit' },
    });
  });
});

it('cancel counts units before the decision as cancelled, never as approved', () => {
  const one = openCase([{ orderLineId: '2', quantity: 2 }], { facts });
  const part = after(one, cancel(situationOf(one), { cancellation: {}, lines: [{ lineId: 'a', quantity: 1 }] }));
  expect(part.state.lines[0]?.quantities).toMatchObject({ requested: 2, approved: 0, cancelled: 1 });
  const rest = after(part, approve(situationOf(part), {}));
  expect(rest.state.lines[0]?.quantities).toMatchObject({ requested: 2, approved: 1, cancelled: 1 });
  const whole = after(one, cancel(situationOf(one), { cancellation: {} }));
  expect(whole.state).toMatchObject({ status: 'cancelled', lines: [{ quantities: { approved: 0, cancelled: 2 } }] });
});
