import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../lib/policies/terms/policy-terms.ts';
import { cancel } from '../../lib/returns/commands/endings.ts';
import { receive } from '../../lib/returns/commands/goods/receive.ts';
import { createReturn } from '../../lib/returns/commands/request/create-return.ts';
import { reopen } from '../../lib/returns/commands/request/reopen.ts';
import { appendEntries } from '../../lib/returns/history/history.ts';
import type { OrderLine } from '../../lib/returns/model/order.ts';
import type { Return } from '../../lib/returns/model/return.ts';
import { emptyLedger, shipped } from '../../lib/returns/money/ledger.ts';
import { allowedActions } from '../../lib/returns/rules/allowed-actions.ts';
import { order, orderLine } from '../support/orders.ts';
import { type Case, run, sealed, situationOf, start } from '../support/return-case.ts';

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
  const made = { at: start, actor, causationId: 'request', correlationId: 'trace', policyVersion: null };
  return { order: order({ lines: [underWay] }), ledger, ...appendEntries(undefined, events, made) };
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
