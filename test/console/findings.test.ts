import { describe, expect, it } from 'vitest';
import { portugueseFinding } from '../../lib/console/screens/policies/editor/portuguese-finding.ts';
import type { Text } from '../../lib/console/texts/catalogue.ts';
import portuguese from '../../lib/console/texts/findings/pt.json' with { type: 'json' };
import { lint } from '../../lib/domain/policies/lint/lint.ts';
import type { LintFinding } from '../../lib/domain/policies/lint/linted-rule.ts';
import type { Policy, Rule } from '../../lib/domain/policies/policy.ts';
import { among, approve, block, compared, deny, exempt, fee, flat, is, window } from '../domain/policies/linted.ts';

/** A code without a Portuguese text is a type error. */
const texts: Readonly<Record<LintFinding['code'], Text>> = portuguese;

/** Makes a rule with a text for customers. */
const says = (rule: Rule, text: string): Rule => ({ ...rule, text });

/** Rules with every kind of finding that lint has. */
const rules: readonly Rule[] = [
  deny('never', { and: [compared('return.value', 'lt', 1), compared('return.value', 'gt', 2)] }),
  window('long', {}, { priority: 1 }),
  window('short', { days: 7 }),
  window('a', { days: 31 }, { when: is('order.channel', 'a') }),
  window('b', { days: 32 }, { when: is('order.market', 'b') }),
  says(window('other-days', { days: 33 }, { when: is('order.seller', 'c') }), 'Within 14 days.'),
  says(fee('free', { type: 'restocking', bps: 1000 }), 'Returns are free.'),
  flat('label', 490, 'EUR'),
  deny('twice'),
  deny('once', is('order.isGift', true)),
  deny('dear', compared('return.value', 'gt', 10_000), 'too_dear'),
  deny('lists', among('customer.lists', 'hasAny', 'none')),
  deny('categories', among('line.categories', 'hasAny', 'none')),
  deny('reasons', is('line.reason', 'none')),
  block('blocked'),
  exempt('exempt'),
];

const found = (some: readonly Rule[], rest: Partial<Policy> = {}): readonly LintFinding[] =>
  lint({ rules: some, ...rest }, { reasons: new Set(['fit.too_small']) });

/** A finding of the service alone, which needs no rule. */
const noGoldenCases: LintFinding = {
  code: 'no_golden_cases',
  severity: 'warning',
  path: '/goldenCases',
  message: 'has no golden cases',
};

describe('Portuguese text of a finding', () => {
  const all = [...found(rules, { categories: ['shoes'] }), noGoldenCases];
  const textOf = (code: LintFinding['code']) =>
    all
      .filter((finding) => finding.code === code)
      .map(({ rules: ids = [], values, ...finding }) =>
        portugueseFinding({ ...finding, rules: [...ids], ...(values && { values }) }),
      );

  it.each(Object.keys(texts) as LintFinding['code'][])('exists for %s, with each value', (code) => {
    const shown = textOf(code);
    expect(shown.length).toBeGreaterThan(0);
    for (const text of shown) expect(text).toMatch(/^[A-ZÉÍ][^{}]+\.$/u);
  });

  it('names other rules, days, laws and amounts', () => {
    expect(textOf('unreachable')).toEqual([
      'Nunca pode ser verdadeira.',
      'Nunca se aplica: long tem precedência em todos os casos.',
    ]);
    expect(textOf('text_contradicts_rule')).toEqual([
      'Indica 14, mas a regra tem 33.',
      'Diz que é grátis, mas a regra tem uma taxa.',
    ]);
    expect(textOf('window_below_floor')).toContainEqual(expect.stringContaining('EU 2011/83 (14), UK CCR 2013 (14)'));
    expect(textOf('fee_above_price')).toEqual([expect.stringContaining('no mínimo 490.')]);
  });

  it('is absent for an error of a field', () => {
    expect(portugueseFinding({ code: 'type', severity: 'error', message: 'must be an object' })).toBeUndefined();
    expect(found([approve('all', 'manual')])).toEqual([]);
  });
});
