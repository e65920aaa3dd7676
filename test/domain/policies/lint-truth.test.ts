import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../lib/domain/policies/policy.ts';
import { findingLines, deny, window } from './linted.ts';
import { runs } from '../../support/samples.ts';

type Known = Readonly<Record<string, number | boolean | undefined>>;

const isSo = (known: number | boolean, op: string, value: unknown): boolean => {
  const [from, to] = Array.isArray(value) ? (value as readonly number[]) : [Number(value), Number(value)];
  const tests: Readonly<Record<string, boolean>> = {
    eq: known === value,
    neq: known !== value,
    lt: Number(known) < Number(value),
    gte: Number(known) >= Number(value),
    between: Number(known) >= Number(from) && Number(known) <= Number(to),
    in: Array.isArray(value) && value.includes(known),
  };
  return tests[op] ?? false;
};

/** Evaluates a condition by direct recursion. null is unknown. */
const truth = (condition: Condition, facts: Known): boolean | null => {
  if ('not' in condition) {
    const inner = truth(condition.not, facts);
    return inner === null ? null : !inner;
  }
  if ('and' in condition || 'or' in condition) {
    const [parts, ends] = 'and' in condition ? [condition.and, false] : [condition.or, true];
    const all = new Set(parts.map((part) => truth(part, facts)));
    if (all.has(ends)) return ends;
    return all.has(null) ? null : !ends;
  }
  if (!('fact' in condition)) return null;
  const known = facts[condition.fact];
  if (condition.op === 'exists') return (known !== undefined) === condition.value;
  return known === undefined ? null : isSo(known, condition.op, condition.value);
};

const everything: readonly Known[] = [undefined, 0, 1, 2, 3, 4, 5].flatMap((value) =>
  [undefined, true, false].map((isGift) => ({ 'line.quantity': value, 'order.isGift': isGift })),
);

const number = fc.nat(4);
const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ fact: fc.constant('line.quantity'), op: fc.constantFrom('eq', 'neq', 'lt', 'gte'), value: number }),
  fc
    .tuple(number, number)
    .map(([a, b]) => ({ fact: 'line.quantity', op: 'between', value: [Math.min(a, b), Math.max(a, b)] }) as const),
  fc.record({
    fact: fc.constant('line.quantity'),
    op: fc.constant('in' as const),
    value: fc.array(number, { maxLength: 3 }),
  }),
  fc.record({ fact: fc.constant('order.isGift'), op: fc.constantFrom('eq', 'neq'), value: fc.boolean() }),
  fc.record({
    fact: fc.constantFrom('line.quantity', 'order.isGift'),
    op: fc.constant('exists' as const),
    value: fc.boolean(),
  }),
);
const condition = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leaf,
    fc.record({ and: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('any') }),
  ),
})).any;

describe('lint: truth of conditions', () => {
  it('reports that a condition is never true exactly when no facts make it true', () => {
    fc.assert(
      fc.property(condition, (when) => {
        const isNever = everything.every((facts) => truth(when, facts) !== true);
        expect(findingLines([deny('a', when)])).toEqual(isNever ? ['error unreachable /rules/0/when a'] : []);
      }),
      { numRuns: runs(500), seed: 1 },
    );
  });

  it('reports that a window is never chosen only when no facts choose it', () => {
    fc.assert(
      fc.property(condition, condition, fc.nat(1), (one, other, priority) => {
        const found = findingLines([
          window('a', {}, { when: one }),
          window('b', { days: 60 }, { when: other, priority }),
        ]);
        if (!found.some((line) => line.startsWith('error unreachable /rules/0 '))) return;
        expect(everything.filter((facts) => truth(one, facts) === true && truth(other, facts) !== true)).toEqual([]);
      }),
      { numRuns: runs(500) },
    );
  });
});
