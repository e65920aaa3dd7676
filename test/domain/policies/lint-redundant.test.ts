import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phases, type Policy, type Rule, type Condition } from '../../../lib/domain/policies/policy.ts';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Evaluation } from '../../../lib/domain/policies/evaluation.ts';
import type { Facts } from '../../../lib/domain/policies/facts.ts';
import { lint } from '../../../lib/domain/policies/lint/lint.ts';
import { canonicalJson } from '../../../lib/domain/returns/history/canonical-json.ts';
import {
  approve,
  among,
  compared,
  deny,
  exempt,
  exists,
  fee,
  flat,
  is,
  limit,
  many,
  findingLines,
  window,
} from './linted.ts';
import { conditions } from './model/generate-conditions.ts';
import { factsArbitrary } from './model/generate-facts.ts';
import { policyArbitrary } from './model/generate-policy.ts';
import { runs } from '../../support/samples.ts';

const german = is('order.country', 'DE');
const small = is('line.reason', 'fit.too_small');
const both = (...and: readonly Condition[]): Condition => ({ and });
const require = (id: string, what: readonly ('note' | 'evidence')[], when?: Condition): Rule => ({
  id,
  phase: 'requirement',
  text: id,
  require: what,
  ...(when === undefined ? {} : { when }),
});
const allow = (id: string, resolutions: readonly ('refund' | 'exchange')[], when?: Condition): Rule => ({
  id,
  phase: 'resolution',
  text: id,
  resolutions,
  ...(when === undefined ? {} : { when }),
});
const reject = (id: string, when?: Condition): Rule => ({
  id,
  phase: 'approval',
  text: id,
  approval: 'reject',
  deny: 'closed',
  ...(when === undefined ? {} : { when }),
});

describe('lint: redundant rule', () => {
  it.each<[string, readonly Rule[], string]>([
    ['an equal denial with a later id', [deny('b'), deny('a')], '/rules/0 b a'],
    ['an equal limit', [limit('a', german), limit('b', german)], '/rules/1 b a'],
    ['a denial of fewer cases', [deny('a', german), deny('b', both(german, small))], '/rules/1 b a'],
    [
      'a denial of one value of a list',
      [deny('a', is('line.sku', 'x')), deny('b', among('line.sku', 'in', 'x', 'y'))],
      '/rules/0 a b',
    ],
    [
      'a list with fewer exemptions',
      [{ ...exempt('a'), exempts: ['window', 'limit'] } as Rule, exempt('b', german)],
      '/rules/1 b a',
    ],
    ['a smaller requirement', [require('a', ['note', 'evidence']), require('b', ['note'], small)], '/rules/1 b a'],
    [
      'a wider choice of resolutions',
      [allow('a', ['refund']), allow('b', ['refund', 'exchange'], german)],
      '/rules/1 b a',
    ],
    ['an approval with a stricter one', [approve('a', 'auto', german), approve('b', 'manual')], '/rules/0 a anyone'],
    [
      'a rejection of fewer cases',
      [reject('a', german), reject('b', both(german, is('return.quantity', 1)))],
      '/rules/1 b a',
    ],
    ['a window equal to the next one', [window('a', {}, { when: small }), window('b')], '/rules/0 a b'],
    [
      'a fee equal to the next one',
      [fee('a', { type: 'restocking', bps: 9 }, is('return.quantity', 2)), fee('b', { type: 'restocking', bps: 9 })],
      '/rules/0 a b',
    ],
  ])('reports %s', (_, rules, at) => {
    expect(findingLines(rules)[0]).toBe(`warning redundant ${at}`);
  });

  it.each<[string, readonly Rule[]]>([
    ['another code', [deny('a', german), deny('b', both(german, small), 'never')]],
    ['another phase', [deny('a'), limit('b')]],
    ['another case', [deny('a', german), deny('b', small)]],
    [
      'a code that a later rule would return',
      [deny('a', both(german, small)), deny('b', small, 'never'), deny('c', german)],
    ],
    [
      'a review by a rule when the other one denies nothing',
      [
        deny('a', { or: [small, both(german, is('order.country', 'FR'))] }),
        deny('b', { or: [small, is('line.sku', 'x')] }),
      ],
    ],
    [
      'a review when the other rule tests for a missing fact',
      [deny('a', both(exists('order.country', true), among('order.country', 'in', 'DE', 'FR'))), deny('b', german)],
    ],
    ['a list with another exemption', [exempt('a'), { ...exempt('b', german), exempts: ['limit'] } as Rule]],
    ['a larger requirement', [require('a', ['note']), require('b', ['note', 'evidence'], small)]],
    ['a narrower choice of resolutions', [allow('a', ['refund', 'exchange']), allow('b', ['refund'], german)]],
    [
      'a fee of lines beside the same fee of the return, because each line is rounded alone',
      [
        fee('a', { type: 'restocking', bps: 1000 }, is('line.orderLineId', '1')),
        fee('b', { type: 'restocking', bps: 1000 }),
      ],
    ],
    ['a single approval', [approve('a', 'auto'), approve('b', 'auto', german)].slice(0, 1)],
    [
      'a window with another one in between',
      [
        window('a', {}, { when: small, priority: 1 }),
        window('b', { days: 60 }, { when: is('line.resolution', 'refund') }),
        window('c'),
      ],
    ],
    ['a window that may be unknown', [window('a', {}, { when: german }), window('b')]],
    [
      'a review of a return that may be rejected',
      [approve('a', 'manual', german), reject('b', { or: [german, is('return.quantity', 2)] })],
    ],
    ['a group that may not contain the reason', [deny('a', small), deny('b', is('line.reasonGroup', 'fit'))]],
    ['a missing fact and another present one', [deny('a', exists('order.country', false)), deny('b', { not: german })]],
    ['a fee in another currency', [flat('a', 0, 'EUR'), flat('b', 0, 'USD')]],
    ['too many cases to compare', [deny('a', { or: many(40) }), deny('b', { or: [...many(40), german] })]],
  ])('does not report %s', (_, rules) => {
    expect(findingLines(rules).filter((line) => line.includes('redundant') && !line.endsWith('anyone'))).toEqual([]);
  });

  it('omits the finding when the rule also has an error', () => {
    const codes = findingLines([deny('a'), deny('b', undefined, 'never'), deny('c')]).map((line) => line.split(' ')[1]);
    expect(codes).toEqual(['contradiction', 'contradiction']);
  });
});

const withoutRules = (fees: Evaluation['fees'] = {}) =>
  Object.fromEntries(Object.entries(fees).map(([type, { rule: ___, ...terms }]) => [type, terms]));

/** Returns all outcomes that must not change: without the trace, missing facts and the choice of equal fees. */
const outcomesOf = (policy: Policy, requests: readonly Facts[]): readonly string[] => {
  const compiled = compilePolicy(policy);
  return requests.map((facts) => {
    const { trace: _, lines, fees, ...rest } = evaluate(compiled, facts);
    return canonicalJson({
      ...rest,
      lines: lines.map(({ missing: __, fees: own, ...line }) => ({ ...line, fees: withoutRules(own) })),
      fees: withoutRules(fees),
    });
  });
};

const seed = 20261123;

const perLine = new Set(['exclusion', 'window', 'requirement', 'resolution']);
const mayReadLine = (rule: Rule): boolean =>
  perLine.has(rule.phase) || (rule.phase === 'fee' && rule.fee.type !== 'return_shipping');

/** Copies a rule with another id, for the same or fewer cases, and perhaps with another priority. */
const repeated = (rule: Rule, index: number): Arbitrary<Rule> =>
  fc
    .record({
      prefix: fc.constantFrom('a', 'z'),
      extra: fc.option(conditions[mayReadLine(rule) ? 'line' : 'whole']),
      how: fc.constantFrom('and', 'or', 'alone', 'same', 'same'),
      priority: fc.option(fc.nat(2)),
    })
    .map(({ prefix, extra, how, priority }): Rule => {
      const { when: _, priority: __, ...rest } = rule;
      const parts = [...(rule.when === undefined ? [] : [rule.when]), ...(extra === null ? [] : [extra])];
      const joined: Condition | undefined = how === 'or' ? { or: parts } : { and: parts };
      const when = how === 'same' ? rule.when : how === 'alone' ? undefined : joined;
      return {
        ...rest,
        id: `${prefix}-${index}`,
        ...(when === undefined ? {} : { when }),
        ...(priority === null ? {} : { priority }),
      };
    });

const withRepeats: Arbitrary<Policy> = policyArbitrary
  .filter(({ rules }) => rules.length > 0)
  .chain((policy) =>
    fc
      .shuffledSubarray([...policy.rules], { minLength: 1, maxLength: Math.min(3, policy.rules.length) })
      .chain((rules) => fc.tuple(...rules.map(repeated)))
      .map((added) => ({ ...policy, rules: [...policy.rules, ...added] })),
  );

const without = (policy: Policy, ids: readonly string[]): Policy => ({
  ...policy,
  rules: policy.rules.filter(({ id }) => !ids.includes(id)),
});

describe('deletion of redundant rules', () => {
  it('changes no verdict, alone or together', () => {
    const found = new Map<string, number>();
    const requests = fc.sample(factsArbitrary, { numRuns: 20, seed });
    fc.assert(
      fc.property(withRepeats, (policy) => {
        const needless = lint(policy, { reasons: new Set() }).flatMap(({ code, rules = [] }) =>
          code === 'redundant' ? rules.slice(0, 1) : [],
        );
        if (needless.length === 0) return;
        const before = outcomesOf(policy, requests);
        for (const ids of [needless, ...needless.map((id) => [id])])
          expect(outcomesOf(without(policy, ids), requests)).toEqual(before);
        for (const { id, phase } of policy.rules)
          if (needless.includes(id)) found.set(phase, (found.get(phase) ?? 0) + 1);
      }),
      { numRuns: runs(800, 2), seed },
    );
    expect(phases.filter((phase) => !found.has(phase))).toEqual([]);
  });
});

describe('lint: amount without a currency', () => {
  const euro = is('order.currency', 'EUR');
  const dear = compared('line.value', 'gte', 5000);
  it.each<[string, Rule]>([
    ['of a line', deny('a', dear)],
    ['of the return', limit('a', compared('return.value', 'lt', 100))],
    ['in one case of two', deny('a', { or: [both(euro, dear), both(german, dear)] })],
    ['by a use', deny('a', { use: 'dear' })],
    ['of another currency', deny('a', { not: both(euro, dear) })],
    ['of a share', fee('a', { type: 'restocking', bps: 9 }, compared('order.value', 'gt', 100))],
    ['in too many cases', deny('a', { or: [...many(40), dear] })],
  ])('reports an amount %s', (_, rule) => {
    expect(findingLines([rule], { conditions: { dear } })).toEqual(['warning amount_without_currency /rules/0/when a']);
  });

  it.each<[string, Rule]>([
    ['with its currency', deny('a', both(euro, dear))],
    ['with an excluded currency', deny('a', both({ not: euro }, dear))],
    ['with the currency of its fee', flat('a', 5, 'EUR', compared('return.value', 'gte', 5))],
    ['of zero', deny('a', compared('line.value', 'gt', 0))],
    ['that is only tested for presence', deny('a', exists('line.unitPrice', true))],
    ['that is a quantity', deny('a', compared('line.quantity', 'gt', 5))],
  ])('does not report an amount %s', (_, rule) => {
    expect(findingLines([rule], { conditions: { dear } })).toEqual([]);
  });
});
