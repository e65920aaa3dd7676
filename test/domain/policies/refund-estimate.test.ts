import { describe, expect, it } from 'vitest';
import { refundEstimate } from '../../../lib/domain/policies/decision/stored-decision.ts';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Policy } from '../../../lib/domain/policies/policy.ts';
import { goldenCase } from './documents.ts';

type Rule = Policy['rules'][number];

const approval: Rule = { id: 'all', phase: 'approval', text: 'By itself.', approval: 'auto' };
const shipping: Rule = {
  id: 'shipping',
  phase: 'fee',
  text: 'The way back.',
  fee: { type: 'return_shipping', amount: { amount: 490, currency: 'EUR' } },
};
const restocking = (fee: { readonly bps: number; readonly cap?: number }): Rule => ({
  id: 'restocking',
  phase: 'fee',
  text: 'Opened.',
  fee: {
    type: 'restocking',
    bps: fee.bps,
    ...(fee.cap !== undefined && { cap: { amount: fee.cap, currency: 'EUR' } }),
  },
});
const returnless: Rule = { id: 'keep', phase: 'logistics', text: 'Keep it.', returnless: true };

/** A return of goods worth 50.00, with or without a statutory right. */
const factsWith = (rights: 'with' | 'without') => ({
  ...goldenCase.facts,
  lines: goldenCase.facts.lines.map((line) => (rights === 'with' ? line : { ...line, rights: [] })),
});

const estimate = (rules: readonly Rule[], rights: 'with' | 'without' = 'without'): number => {
  const facts = factsWith(rights);
  return refundEstimate(evaluate(compilePolicy({ rules: [...rules, approval] }), facts), facts);
};

describe('refundEstimate', () => {
  it.each([
    ['the whole worth without fees', [], 5000],
    ['the worth less the shipping back', [shipping], 4510],
    ['the whole worth of goods that the customer keeps', [shipping, returnless], 5000],
    ['the worth less a share', [restocking({ bps: 1000 })], 4500],
    ['the worth less a share up to its cap', [restocking({ bps: 1000, cap: 200 })], 4800],
  ] as const)('returns %s', (_, rules, refund) => {
    expect(estimate(rules)).toBe(refund);
  });

  it('deducts the fee of each line, up to its cap, and none of lines that the policy denies', () => {
    const facts = factsWith('without');
    const lines = ['opened', 'opened', 'used', 'opened'].flatMap((condition, index) =>
      facts.lines.slice(0, 1).map((line) => ({ ...line, orderLineId: String(index), value: 1000, condition })),
    );
    const is = (condition: string) => ({ fact: 'line.condition', op: 'eq', value: condition }) as const;
    const rules: readonly Rule[] = [
      { ...restocking({ bps: 1000, cap: 90 }), when: is('opened') },
      { id: 'used', phase: 'exclusion', text: 'Used.', deny: 'used', when: is('used') },
      approval,
    ];
    const request = { ...facts, order: { ...facts.order, currency: 'EUR' }, lines };
    expect(refundEstimate(evaluate(compilePolicy({ rules }), request), request)).toBe(3000 - 3 * 90);
  });

  it('deducts no restocking fee where the law gives a right', () => {
    expect(estimate([restocking({ bps: 1000 })], 'with')).toBe(5000);
  });
});
