import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { cancel } from '../../../lib/domain/returns/commands/endings.ts';
import { registerOrder } from '../../../lib/domain/returns/commands/order/register-order.ts';
import { receive } from '../../../lib/domain/returns/commands/goods/receive.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import { refreshReturn } from '../../../lib/domain/returns/commands/request/refresh-return.ts';
import { reopen } from '../../../lib/domain/returns/commands/request/reopen.ts';
import { appendEntries } from '../../../lib/domain/returns/history/history.ts';
import type { OrderLine } from '../../../lib/domain/returns/model/order.ts';
import type { Return } from '../../../lib/domain/returns/model/return.ts';
import { kept, shipped, shippedAnyway } from '../../../lib/domain/returns/money/line-units.ts';
import { emptyLedger, type Ledger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { holdWithdrawn, releaseWithdrawn } from '../../../lib/domain/returns/money/withdrawn-units.ts';
import { deadlinesOf } from '../../../lib/domain/returns/rules/deadlines.ts';
import { allowedActions } from '../../../lib/domain/returns/rules/allowed-actions.ts';
import { order, orderLine, refundedAlone } from '../../support/orders.ts';
import { type Case, run, sealed, situationOf, start } from '../../support/return-case.ts';

const moveSendBy = (state: Return, sendBy: string | undefined) =>
  refreshReturn(state, { sendBy, paymentsLeft: undefined });

const shippedAt = '2026-11-18T08:00:00.000Z';
const underWay = orderLine({ fulfilledQuantity: 0, shippedAt });
const terms = { ...defaultTerms, approval: 'auto', floor: { law: 'EU 2011/83', fees: [] } } as const;
const tooMany = { failure: { code: 'quantity_exceeds_returnable' } };

type Request = {
  readonly line?: OrderLine;
  readonly basis?: Return['basis'];
  readonly withdrawable?: readonly string[];
  readonly quantity?: number;
};

const requested = ({ line = underWay, basis = 'withdrawal', withdrawable = ['1'], quantity = 3 }: Request = {}) =>
  createReturn(
    { order: order({ lines: [line] }), ledger: emptyLedger, now: start, withdrawable: new Set(withdrawable) },
    { basis, lines: [{ orderLineId: '1', quantity, reason: { code: 'preference.changed_mind' } }] },
    terms,
    { id: 'ret_1', rmaNumber: '0', lineIds: ['a'], subject: 'x' },
  );

const opened = (): Case => {
  const outcome = requested();
  if (!outcome.ok) throw new Error(outcome.failure.code);
  const { events, ledger } = outcome.value;
  const actor = { clientId: 'shop' };
  const metadata = { at: start, actor, causationId: 'request', correlationId: 'trace', policyVersion: null };
  return { order: order({ lines: [underWay] }), ledger, ...appendEntries(undefined, events, metadata) };
};

describe('shipped units', () => {
  it.each([
    ['nothing is reported', orderLine(), 3],
    ['a part was delivered', orderLine({ fulfilledQuantity: 2, shippedAt }), 2],
    ['all of them are under way', underWay, 3],
    ['nothing was shipped', orderLine({ fulfilledQuantity: 0 }), 0],
  ])('are counted when %s', (_, line, units) => {
    expect(shipped(line)).toBe(units);
  });
});

describe('a withdrawal of goods that are shipped and not delivered', () => {
  it('holds at most the shipped units', () => {
    expect(requested()).toMatchObject({ ok: true });
    expect(requested({ quantity: 4 })).toMatchObject({ failure: { errors: [{ message: 'must be at most 3' }] } });
    expect(requested({ line: orderLine({ fulfilledQuantity: 0 }) })).toMatchObject(tooMany);
  });

  it('needs the basis and a right of its own line', () => {
    expect(requested({ withdrawable: [] })).toMatchObject(tooMany);
    expect(requested({ withdrawable: ['2'] })).toMatchObject(tooMany);
    // The domain does not trust the caller alone: it never takes such units for another basis.
    expect(requested({ basis: 'goodwill' })).toMatchObject(tooMany);
  });

  it('can be reopened after a cancellation', () => {
    const cancelled = run(opened(), (situation) => cancel(situation, { cancellation: {} }));
    const actions = allowedActions(situationOf(cancelled)).map(({ action }) => action);
    expect(actions).toContain('reopen');
    const again = run(cancelled, (situation) => reopen(situation, { reason: sealed('a') }));
    expect(again.state).toMatchObject({ status: 'approved', lines: [{ quantities: { requested: 3, cancelled: 0 } }] });
  });

  it('receives the units when they come back', () => {
    const { state } = run(opened(), (situation) =>
      receive(situation, { lines: [{ lineId: 'a', quantity: 3 }] }, ['unx_1']),
    );
    expect(state).toMatchObject({ status: 'received', unexpected: [], lines: [{ quantities: { received: 3 } }] });
  });
});

describe('the return that carries out a declared withdrawal', () => {
  const declaredAt = '2026-11-01T08:00:00.000Z';
  const withdrawal = { withdrawalId: 'wdr_1', declaredAt };
  const returned = (more: Partial<Return> = {}): Return => {
    const outcome = requested();
    if (!outcome.ok) throw new Error(outcome.failure.code);
    const [first, ...others] = outcome.value.events;
    if (first.type !== 'return.requested') throw new Error(first.type);
    const request = { ...first, data: { ...first.data, terms: { ...terms, withdrawal } } };
    const actor = { clientId: 'shop' };
    const metadata = { at: start, actor, causationId: 'request', correlationId: 'trace', policyVersion: null };
    return { ...appendEntries(undefined, [request, ...others], metadata).state, ...more };
  };
  const [first, later] = ['2026-11-20T23:00:00.000Z', '2026-11-22T23:00:00.000Z'];
  const refreshed = (state: Return, sendBy: string): Return => {
    const event = moveSendBy(state, sendBy);
    if (event === undefined) throw new Error('not moved');
    const actor = { clientId: 'shop' };
    const metadata = { at: start, actor, causationId: 'order', correlationId: 'trace', policyVersion: null };
    return appendEntries(state, [event], metadata).state;
  };

  it('was requested with the declaration', () => {
    expect(returned()).toMatchObject({ requestedAt: declaredAt, createdAt: start });
  });

  it('has a time to send the goods when their delivery is known, which only later facts move', () => {
    const state = returned();
    expect([deadlinesOf(state).shipBy, moveSendBy(state, undefined)]).toEqual([undefined, undefined]);
    const arrived = refreshed(state, first);
    expect([deadlinesOf(arrived).shipBy, arrived.terms.withdrawal]).toEqual([first, { ...withdrawal, sendBy: first }]);
    expect(moveSendBy(arrived, first)).toBeUndefined();
    const moved = refreshed(arrived, later);
    expect(deadlinesOf(moved).shipBy).toBe(later);
    expect(moveSendBy(moved, first)).toBeUndefined();
  });

  it('keeps its time once it has ended, unless it expired', () => {
    expect(moveSendBy(returned({ status: 'completed' }), first)).toBeUndefined();
    expect(moveSendBy(returned({ status: 'expired' }), first)).toBeDefined();
    const { withdrawal: _, ...usual } = returned().terms;
    expect(moveSendBy(returned({ terms: usual }), first)).toBeUndefined();
  });
});

describe('units that a withdrawal holds before their shipment', () => {
  const unsent = orderLine({ fulfilledQuantity: 0 });
  const facts = (line: OrderLine) => order({ lines: [line] });
  const hold = (quantity: number, before = emptyLedger, line = unsent, id = 'wdr_1') =>
    holdWithdrawn(before, facts(line), id, [{ orderLineId: '1', quantity }]);
  const afterMistake = (ledger: Ledger, line: OrderLine, quantity: number) =>
    releaseWithdrawn(ledger, facts(line), 'wdr_1', {
      lines: [{ orderLineId: '1', quantity }],
      cause: 'mistake',
      isLast: true,
    });

  it.each([
    ['a kept unit may be the shipped one', 2, { shippedAt }, 0],
    ['no unit is kept', 3, { shippedAt }, 3],
    ['more units arrived than are kept', 2, { shippedAt, fulfilledQuantity: 2 }, 1],
  ])('were shipped anyway when %s', (_, held, changes, expected) => {
    expect(shippedAnyway(hold(held), { ...unsent, ...changes })).toBe(expected);
  });

  it('stay held when another withdrawal was a mistake, and the platform has cancelled its units', () => {
    const both = hold(1, hold(2), unsent, 'wdr_2');
    const less = { ...unsent, quantity: 1 };
    expect([kept(both, unsent), kept(both, less)]).toEqual([0, 0]);
    const ledger = afterMistake(both, less, 2);
    expect([ledger.withdrawals, kept(ledger, less)]).toEqual([['wdr_2'], 0]);
    expect(kept(afterMistake(both, unsent, 2), unsent)).toBe(2);
  });

  it('are released after the facts of the order were deleted', () => {
    const release = { lines: [{ orderLineId: '1', quantity: 2 }], cause: 'mistake', isLast: true } as const;
    const ledger = releaseWithdrawn(hold(2), undefined, 'wdr_1', release);
    expect([ledger.withdrawals, kept(ledger, unsent)]).toEqual([undefined, 3]);
  });

  it('may be removed from the quantity of the line after their refund', () => {
    const known = { order: facts(unsent), ledger: refundedAlone(hold(2), '1', 2, 2000) };
    const to = (quantity: number) =>
      registerOrder(known, {
        ref: known.order,
        facts: { ...known.order.facts, lines: [{ ...unsent, quantity }] },
        observedAt: start,
        latest: start,
        id: 'ord_1',
        now: start,
      });
    expect(to(1)).toMatchObject({ ok: true, value: { facts: { lines: [{ quantity: 1 }] } } });
  });
});
