import { describe, expect, it } from 'vitest';
import { policyFieldErrors } from '../../../lib/domain/policies/check/policy-field-errors.ts';
import { goldenCase } from './documents.ts';

const wayBack = { type: 'return_shipping', amount: { amount: 490, currency: 'EUR' } };
const opened = { fact: 'line.condition', op: 'eq', value: 'opened' };

/** Returns the errors of a fee with a condition. The policy names the condition on opened goods. */
const errorsFor = (fee: object, when: object): readonly string[] =>
  policyFieldErrors({
    rules: [{ id: 'fee', phase: 'fee', text: 'A fee.', fee, when }],
    conditions: { opened },
  }).map(({ path, code, message }) => `${path} ${code} ${message}`);

describe('policyFieldErrors, for fees', () => {
  it.each([{ type: 'restocking', bps: 1000 }, { type: 'inspection', bps: 1000 }, { type: 'restocking' }])(
    'accepts facts of a line for %o',
    (fee) => {
      for (const when of [opened, { use: 'opened' }])
        expect(errorsFor(fee, when).filter((line) => line.includes('line_fact'))).toEqual([]);
    },
  );

  it('accepts a fee for a promotion without an amount, and for the whole return only', () => {
    const kept = { fact: 'order.quantityKept', op: 'gt', value: 0 };
    expect(errorsFor({ type: 'promotion' }, kept)).toEqual([]);
    expect(errorsFor({ type: 'promotion', bps: 1000 }, kept)).toEqual([
      '/rules/0/fee/bps unknown_field is not a field of a fee for a promotion; the fields are type',
    ]);
    expect(errorsFor({ type: 'promotion' }, { use: 'opened' })).toEqual([
      '/rules/0/when/use line_fact must not use line.condition: a rule for promotion evaluates the whole return',
    ]);
  });

  it('returns line_fact for a fee of the way back, and says that it evaluates the whole return', () => {
    expect(errorsFor(wayBack, opened)).toEqual([
      '/rules/0/when/fact line_fact must be a fact of the whole return in a rule for return_shipping',
    ]);
    expect(errorsFor(wayBack, { use: 'opened' })).toEqual([
      '/rules/0/when/use line_fact must not use line.condition: a rule for return_shipping evaluates the whole return',
    ]);
  });

  it('accepts a golden case that expects the fee of a line', () => {
    const expectation = { lines: [{ fees: { restocking: { rule: 'opened', bps: 1000, cap: 500 } } }] };
    expect(policyFieldErrors({ rules: [], goldenCases: [{ ...goldenCase, expect: expectation }] })).toEqual([]);
  });
});
