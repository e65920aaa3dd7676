import { describe, expect, it } from 'vitest';
import { withStatutoryFloor } from '../../../lib/domain/policies/law/statutory-floor.ts';
import { statutoryRules } from '../../../lib/domain/policies/law/statutory-rules.ts';
import { defaultTerms } from '../../../lib/domain/policies/terms/policy-terms.ts';
import type { OrderFacts } from '../../../lib/domain/returns/model/order.ts';
import type { Terms } from '../../../lib/domain/returns/model/terms.ts';
import { deadlinesOf } from '../../../lib/domain/returns/rules/deadlines.ts';
import { termsOfWithdrawal } from '../../../lib/domain/withdrawals/effect/return-terms.ts';
import { order, orderLine } from '../../support/orders.ts';
import { requestedCase } from '../../support/return-case.ts';

const at = '2026-11-07T12:00:00.000Z';
const lines = [{ orderLineId: '1', quantity: 3, reason: { code: 'fit.other' } }];
const factsOf = (country: string): OrderFacts =>
  order({ country, lines: [orderLine({ deliveries: [{ quantity: 3, at: '2026-11-05T12:00:00Z' }] })] }).facts;

/** Returns the terms of a request, by its basis alone or after a declaration at the same time. */
const termsOf = (facts: OrderFacts, basis: 'withdrawal' | 'goodwill', isDeclared = false): Terms => {
  const registered = order(facts);
  const terms = withStatutoryFloor(statutoryRules, defaultTerms, registered, { basis, lines }, at);
  const declared = { withdrawalId: 'wdr_1', declaredAt: at };
  return isDeclared ? termsOfWithdrawal(statutoryRules, terms, { order: registered, lines }, declared) : terms;
};

const stages = {
  requested: {},
  sent: { inTransitAt: '2026-11-10T10:00:00.000Z' },
  received: { partiallyReceivedAt: '2026-11-12T10:00:00.000Z' },
  'sent late': { inTransitAt: '2026-12-01T10:00:00.000Z', receivedAt: '2026-12-03T10:00:00.000Z' },
};

const dueBy = (terms: Terms, stage: keyof typeof stages) =>
  deadlinesOf({ ...requestedCase([3], terms).state, requestedAt: at, ...stages[stage] }).refundDueBy;

describe('refundDueBy of a withdrawal', () => {
  it.each([
    // The end of the 14th local day, or the goods or proof of sending, if they come later.
    ['DE', 'requested', undefined],
    ['DE', 'sent', '2026-11-21T23:00:00.000Z'],
    ['DE', 'received', '2026-11-21T23:00:00.000Z'],
    ['DE', 'sent late', '2026-12-01T10:00:00.000Z'],
    // The last day of Portugal ends in the Azores.
    ['PT', 'sent', '2026-11-22T01:00:00.000Z'],
    // The end of the 14th local day after the day of the goods or proof of sending.
    ['GB', 'requested', undefined],
    ['GB', 'sent', '2026-11-25T00:00:00.000Z'],
    ['GB', 'received', '2026-11-27T00:00:00.000Z'],
    ['BR', 'requested', at],
    ['BR', 'sent', at],
  ] as const)('is the same by its basis as by a declaration: %s, %s', (country, stage, due) => {
    const facts = factsOf(country);
    expect(dueBy(termsOf(facts, 'withdrawal', true), stage)).toBe(due);
    expect(dueBy(termsOf(facts, 'withdrawal'), stage)).toBe(due);
  });

  it('comes with terms that allow the refund then', () => {
    expect(termsOf(factsOf('DE'), 'withdrawal').refundTiming).toBe('in_transit');
    expect(termsOf(factsOf('BR'), 'withdrawal').refundTiming).toBe('approved');
    expect(termsOf(factsOf('DE'), 'goodwill').refundTiming).toBe('received');
  });

  it('counts from the request for another basis, and follows the terms without a right', () => {
    expect(dueBy(termsOf(factsOf('DE'), 'goodwill'), 'requested')).toBe('2026-11-21T12:00:00.000Z');
    expect(dueBy(termsOf({ ...factsOf('DE'), buyerIsConsumer: false }, 'withdrawal'), 'requested')).toBeUndefined();
    expect(dueBy(termsOf(factsOf('US'), 'withdrawal'), 'received')).toBe('2026-11-26T10:00:00.000Z');
  });

  it('is the first of several laws', () => {
    const registered = order(factsOf('DE'));
    const [first] = statutoryRules;
    if (first === undefined) throw new Error('no rule');
    const strict = { ...first, refund: { days: 7, from: 'request' as const } };
    for (const rules of [
      [strict, first],
      [first, strict],
    ]) {
      const terms = withStatutoryFloor(rules, defaultTerms, registered, { basis: 'withdrawal', lines }, at);
      expect(dueBy(terms, 'sent')).toBe('2026-11-14T23:00:00.000Z');
    }
  });
});
