import { describe, expect, it } from 'vitest';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import { createReturn } from '../../../lib/domain/returns/commands/request/create-return.ts';
import type { ReasonDefinition } from '../../../lib/domain/returns/model/return.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { emptyLedger } from '../../../lib/domain/returns/money/order-ledger.ts';
import { builtInReasons, putReason, mergeReasons } from '../../../lib/domain/returns/rules/reasons.ts';
import { order } from '../../support/orders.ts';
import { reasonFacts } from '../../support/reasons.ts';
import { start } from '../../support/return-case.ts';

const put = (changed: readonly ReasonDefinition[], code: string) => putReason(changed, { code, ...reasonFacts });

/** Returns the given number of reasons of the shop. */
const own = (count: number) =>
  Array.from({ length: count }).reduce<readonly ReasonDefinition[]>((changed, _, index) => {
    const decision = put(changed, `own.${'x'.repeat(index + 1)}`);
    if (!decision.ok) throw new Error(decision.failure.code);
    return decision.value.changed;
  }, []);

describe('reasons', () => {
  it("lists the shop's reasons before the built-in ones", () => {
    const decision = put(own(1), 'fit.too_small');
    if (!decision.ok) throw new Error(decision.failure.code);
    const reasons = mergeReasons(decision.value.changed);
    expect(reasons.size).toBe(builtInReasons.size + 1);
    expect(reasons.get('fit.too_small')).toMatchObject({ group: 'fit', fault: 'merchant', version: 1 });
    expect(reasons.get('fit.too_large')).toMatchObject({ group: 'fit', fault: 'customer', version: 0 });
    expect(reasons.get('other')).toMatchObject({ group: 'other', fault: 'none' });
  });

  it('stores one of each, with its current version', () => {
    const changed = ['a', 'b', 'a'].reduce<readonly ReasonDefinition[]>((before, code) => {
      const decision = put(before, code);
      return decision.ok ? decision.value.changed : before;
    }, []);
    expect(changed.map(({ code, version }) => [code, version])).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
  });

  it('stores at most 200 reasons, and then only allows changes', () => {
    const full = own(200 - builtInReasons.size);
    expect(put(full, 'one_more')).toMatchObject({
      ok: false,
      failure: { code: 'invalid_request', errors: [{ path: '/code', code: 'max_items' }] },
    });
    expect(put(full, 'other')).toMatchObject({ ok: true });
    expect(put(full, 'own.x')).toMatchObject({ ok: true, value: { reason: { version: 2 } } });
  });

  it('accepts the name of a JavaScript property as a code', () => {
    expect(builtInReasons.get('__proto__')).toBeUndefined();
    expect(put([], '__proto__')).toMatchObject({ ok: true, value: { reason: { code: '__proto__', version: 1 } } });
  });

  it('leaves reasons that require evidence to manual review, when the terms approve automatically', () => {
    const decision = putReason([], { code: 'fit.too_small', ...reasonFacts, evidenceRequired: true });
    if (!decision.ok) throw new Error(decision.failure.code);
    const reasons = mergeReasons(decision.value.changed);
    const ids = { id: 'ret_1', rmaNumber: '0', lineIds: ['a'], subject: 'x' };
    const situation = { order: order(), ledger: emptyLedger, now: start, reasons };
    const typesOf = (code: string) => {
      const lines = [{ orderLineId: '1', quantity: 1, reason: { code } }];
      const created = createReturn(situation, { lines }, { ...defaultTerms, approval: 'auto' }, ids);
      return created.ok ? created.value.events.map(({ type }) => type) : created.failure.code;
    };
    expect(typesOf('fit.too_large')).toEqual(['return.requested', 'return.approved']);
    expect(typesOf('fit.too_small')).toEqual(['return.requested']);
  });

  it('requires no evidence for a withdrawal, whichever liable party the reason states', () => {
    const decision = putReason([], {
      code: 'fit.too_small',
      ...reasonFacts,
      fault: 'merchant',
      evidenceRequired: true,
    });
    if (!decision.ok) throw new Error(decision.failure.code);
    const situation = {
      order: order(),
      ledger: emptyLedger,
      now: start,
      reasons: mergeReasons(decision.value.changed),
    };
    const lines = [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }];
    const typesOf = (basis: 'withdrawal' | 'defect', floor: Terms['floor']) => {
      const terms = { ...defaultTerms, approval: 'auto', floor } as const;
      const created = createReturn(situation, { lines, basis }, terms, {
        id: 'ret_1',
        rmaNumber: '0',
        lineIds: ['a'],
        subject: 'x',
      });
      return created.ok ? created.value.events.map(({ type }) => type) : created.failure.code;
    };
    const floor = { law: 'EU 2011/83', fees: [] };
    expect(typesOf('withdrawal', floor)).toEqual(['return.requested', 'return.approved']);
    expect(typesOf('defect', floor)).toEqual(['return.requested']);
    expect(typesOf('withdrawal', null)).toEqual(['return.requested']);
  });
});
