import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffPolicies, type PolicyChange } from '../../../lib/domain/policies/lifecycle/diff.ts';
import type { Policy } from '../../../lib/domain/policies/policy.ts';
import { isSame } from '../../../lib/domain/returns/history/canonical-json.ts';

const rule = (id: string, more: object = {}) => ({ id, phase: 'exclusion', text: id, deny: 'no', ...more });
const policy = (rules: readonly object[], more: object = {}) => ({ rules, ...more }) as unknown as Policy;

describe('diffPolicies', () => {
  it('is empty for policies that differ only in the sequence of their rules', () => {
    expect(diffPolicies(policy([rule('a'), rule('b')]), policy([rule('b'), rule('a')]))).toEqual([]);
  });

  it('lists added, removed and changed rules', () => {
    expect(
      diffPolicies(
        policy([rule('a'), rule('b'), rule('c')]),
        policy([rule('d'), rule('c', { deny: 'never' }), rule('a')]),
      ),
    ).toEqual([
      { rule: 'b', path: '', change: 'removed', before: rule('b') },
      { rule: 'c', path: '/deny', change: 'changed', before: 'no', after: 'never' },
      { rule: 'd', path: '', change: 'added', after: rule('d') },
    ]);
  });

  it('lists changes of the policy itself first, with valid JSON pointers', () => {
    const from = policy([], { conditions: { 'a/b': { use: 'x' } }, lists: { known: ['1', '2'] }, favorable: true });
    const to = policy([], { conditions: { 'a/b': { use: 'y' } }, lists: { known: ['1'] }, holidays: ['2026-12-24'] });
    expect(diffPolicies(from, to)).toEqual([
      { path: '/conditions/a~1b/use', change: 'changed', before: 'x', after: 'y' },
      { path: '/favorable', change: 'removed', before: true },
      { path: '/holidays', change: 'added', after: ['2026-12-24'] },
      { path: '/lists/known', change: 'changed', before: ['1', '2'], after: ['1'] },
    ]);
  });

  type Json = null | boolean | string | number | Json[] | { [name: string]: Json };
  const isList = (value: Json | undefined): value is Json[] => Array.isArray(value);

  /** Returns a value with one change applied. */
  const patched = (value: Json | undefined, steps: readonly string[], change: PolicyChange): Json | undefined => {
    const [name, ...rest] = steps;
    if (name === undefined) return change.after as Json | undefined;
    if (isList(value))
      return value.map((item, index) => (String(index) === name ? (patched(item, rest, change) ?? null) : item));
    const members = Object.entries((value ?? {}) as Record<string, Json>);
    const inner = patched(members.find(([one]) => one === name)?.[1], rest, change);
    const others = members.filter(([one]) => one !== name);
    return Object.fromEntries(inner === undefined ? others : [...others, [name, inner]]);
  };
  const stepsOf = (path: string) =>
    path
      .split('/')
      .slice(1)
      .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

  const member = fc.jsonValue({ maxDepth: 3 }).filter((value) => JSON.stringify(value).isWellFormed());
  const members = fc.dictionary(fc.constantFrom('a', 'b/c', '~', 'd'), member, { maxKeys: 4 });
  const rules = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
  const policies = fc
    .tuple(members, rules, fc.array(members, { minLength: 4, maxLength: 4 }))
    .map(
      ([own, ids, inner]) =>
        ({ ...own, rules: ids.map((id, index) => ({ ...inner[index], id })) }) as unknown as Policy,
    );

  it('has every change that turns one policy into the other', () => {
    fc.assert(
      fc.property(policies, policies, (from, to) => {
        const byId = (of: Policy) => Object.fromEntries(of.rules.map((one) => [one.id, one])) as Json;
        let whole = { ...(from as unknown as Record<string, Json>), rules: byId(from) } as Json | undefined;
        for (const change of diffPolicies(from, to)) {
          const prefix = change.rule === undefined ? [] : ['rules', change.rule];
          whole = patched(whole, [...prefix, ...stepsOf(change.path)], change);
        }
        expect(isSame(whole, { ...to, rules: byId(to) })).toBe(true);
      }),
    );
  });

  it('is empty for a policy and itself', () => {
    fc.assert(
      fc.property(policies, (one) => {
        expect(diffPolicies(one, structuredClone(one))).toEqual([]);
      }),
    );
  });
});
