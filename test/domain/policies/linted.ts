import { expect } from 'vitest';
import { policyFieldErrors } from '../../../lib/domain/policies/check/policy-field-errors.ts';
import type { FeeTerms, Policy, Rule, WindowTerms, Condition } from '../../../lib/domain/policies/policy.ts';
import { lint } from '../../../lib/domain/policies/lint/lint.ts';
import { builtInReasons } from '../../../lib/domain/returns/rules/reasons.ts';

const approval: Rule = { id: 'anyone', phase: 'approval', text: 'A person reviews it.', approval: 'manual' };
export type When = Condition | undefined;
export type Extra = { readonly when?: Condition; readonly priority?: number };

const always = (when: When): Extra => (when === undefined ? {} : { when });
export const deny = (id: string, when?: When, code = 'no'): Rule => ({
  id,
  phase: 'exclusion',
  text: id,
  deny: code,
  ...always(when),
});
export const limit = (id: string, when?: When, code = 'no'): Rule => ({
  id,
  phase: 'limit',
  text: id,
  deny: code,
  ...always(when),
});
export const window = (id: string, terms: Partial<WindowTerms> = {}, extra: Extra = {}): Rule => ({
  id,
  phase: 'window',
  text: id,
  window: { anchor: 'delivered', days: 30, ...terms },
  ...extra,
});
export const fee = (id: string, terms: FeeTerms, when?: When): Rule => ({
  id,
  phase: 'fee',
  text: id,
  fee: terms,
  ...always(when),
});
export const flat = (id: string, amount: number, currency: string, when?: When): Rule =>
  fee(id, { type: 'return_shipping', amount: { amount, currency } }, when);
export const block = (id: string, when?: When): Rule => ({
  id,
  phase: 'list',
  text: id,
  block: 'blocked',
  ...always(when),
});
export const exempt = (id: string, when?: When): Rule => ({
  id,
  phase: 'list',
  text: id,
  exempts: ['window'],
  ...always(when),
});
export const approve = (id: string, how: 'auto' | 'manual', when?: When): Rule => ({
  id,
  phase: 'approval',
  text: id,
  approval: how,
  ...always(when),
});

export const is = (fact: string, value: string | number | boolean): Condition => ({ fact, op: 'eq', value });
export const compared = (fact: string, op: 'lt' | 'lte' | 'gt' | 'gte', value: string | number): Condition => ({
  fact,
  op,
  value,
});
export const among = (
  fact: string,
  op: 'in' | 'notIn' | 'hasAny' | 'hasAll',
  ...value: readonly string[]
): Condition => ({
  fact,
  op,
  value,
});
export const since = (fact: string, value: number): Condition => ({ fact, op: 'withinDays', value });
export const exists = (fact: string, value: boolean): Condition => ({ fact, op: 'exists', value });

export const found = (rules: readonly Rule[], rest: Partial<Policy> = {}) => {
  const policy = { rules: [...rules, approval], ...rest };
  expect(policyFieldErrors(policy)).toEqual([]);
  return lint(policy, { reasons: new Set(builtInReasons.keys()) });
};
export const findingLines = (rules: readonly Rule[], rest: Partial<Policy> = {}) =>
  found(rules, rest).map(({ code, severity, path, rules: ids = [] }) =>
    `${severity} ${code} ${path} ${ids.join(' ')}`.trim(),
  );

/** Returns more alternatives than lint examines. */
export const many = (count: number): readonly Condition[] =>
  Array.from({ length: count }, (_, at) => is('line.sku', `s${at}`));
