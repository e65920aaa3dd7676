import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counterfactuals, type FactChange } from '../../../lib/domain/policies/decision/counterfactuals.ts';
import { compilePolicy } from '../../../lib/domain/policies/evaluate/compile.ts';
import type { Facts } from '../../../lib/domain/policies/facts.ts';
import { type Policy, leavesOf } from '../../../lib/domain/policies/policy.ts';
import { justBefore } from '../../../lib/domain/policies/time/calendar.ts';
import { cases } from './model/generate.ts';
import { decide } from './model/promises.ts';
import { runs } from '../../support/samples.ts';

/** The words that the conditions of a policy name, and one unknown word. */
const wordsOf = ({ rules, conditions = {} }: Policy): readonly string[] => {
  const leaves = rules.flatMap(({ when }) => (when === undefined ? [] : leavesOf(when, conditions)));
  const words = leaves.flatMap(({ value }): readonly unknown[] => (Array.isArray(value) ? value : [value]));
  return ['of no rule', ...words.filter((word) => typeof word === 'string')];
};

/** Returns the values that a change allows. */
const allowed = ({ fact, is, op, value }: FactChange, words: readonly string[]): readonly unknown[] => {
  if (op === 'neq') return words.filter((word) => word !== value);
  if (op === 'notIn') return words.filter((word) => !(value as readonly string[]).includes(word));
  if (op === 'hasNone')
    return [(is as readonly string[]).filter((word) => !(value as readonly string[]).includes(word))];
  if (op === 'lt') return [typeof value === 'number' ? value - 1 : justBefore(String(value))];
  if (op === 'gt') return [Number(value) + 1];
  expect([fact, op]).toEqual([fact, expect.stringMatching(/^(eq|lte|gte)$/)]);
  return [value];
};

const withFact = (facts: Facts, at: number, name: string, value: unknown): Facts => {
  const [group = '', field = ''] = name.split('.');
  if (name === 'requestedAt') return { ...facts, requestedAt: String(value) };
  if (group === 'line')
    return { ...facts, lines: facts.lines.map((line, index) => (index === at ? { ...line, [field]: value } : line)) };
  return { ...facts, [group]: { ...facts[group as 'order'], [field]: value } };
};

describe('counterfactuals', () => {
  it('are true: the policy returns the predicted result for each value that a change allows', () => {
    const met = { applied: 0, lists: 0 };
    fc.assert(
      fc.property(cases, ({ policy, facts }) => {
        const words = wordsOf(policy);
        for (const { line, changes, verdict } of counterfactuals(
          policy,
          compilePolicy(policy),
          facts,
          decide(policy, facts),
        )) {
          const maximum = Math.max(...changes.map((change) => allowed(change, words).length));
          for (let choice = 0; choice < Math.min(maximum, 8); choice += 1) {
            const changed = changes.reduce((current, change) => {
              const values = allowed(change, words);
              return withFact(current, line, change.fact, values[choice % values.length]);
            }, facts);
            expect({ changes, verdict: decide(policy, changed).lines[line]?.verdict }).toEqual({ changes, verdict });
            met.applied += 1;
            if (changes.some(({ op }) => op === 'notIn')) met.lists += 1;
          }
        }
      }),
      { numRuns: runs(400), seed: 20261128 },
    );
    expect(met.applied).toBeGreaterThan(runs(100));
    expect(met.lists).toBeGreaterThan(runs(12));
  });
});
