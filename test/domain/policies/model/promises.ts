import fc from 'fast-check';
import { expect } from 'vitest';
import { compilePolicy } from '../../../../lib/domain/policies/evaluate/compile.ts';
import { evaluate } from '../../../../lib/domain/policies/evaluate/evaluate.ts';
import type { Evaluation, LineVerdict } from '../../../../lib/domain/policies/evaluation.ts';
import type { Facts } from '../../../../lib/domain/policies/facts.ts';
import { phases, type Policy, type Rule } from '../../../../lib/domain/policies/policy.ts';
import { canonicalJson } from '../../../../lib/domain/returns/history/canonical-json.ts';
import { count, type Coverage } from './coverage.ts';
import { fromTrace } from './from-trace.ts';
import type { Case } from './generate.ts';
import { naive } from './naive.ts';
import { factsIn } from './truth.ts';

/* The properties of an evaluation, for any policy and any facts. Each function throws when its property fails. */

export const decide = (policy: Policy, facts: Facts): Evaluation => evaluate(compilePolicy(policy), facts);

/** Checks that the result agrees with the second evaluator. */
export const expectAgreement = ({ policy, facts }: Case, coverage: Coverage): void => {
  const decided = decide(policy, facts);
  count(coverage, decided);
  const { trace: _, ...rest } = decided;
  expect(rest).toEqual(naive(policy, facts));
};

/** Checks that no policy goes below a certain right. Returns the number of checked lines. */
export const expectFloor = ({ policy, facts }: Case): number => {
  if (facts.order.completeness === 'partial') return 0;
  const { lines } = decide(policy, facts);
  const owed = facts.lines.flatMap((line, index) => {
    const isCertain = line.rights.some(({ claim, certain }) => claim === 'withdrawal' && certain);
    const isDue = line.delivered !== false || facts.return.basis === 'withdrawal';
    return isCertain && isDue && line.resolution === 'refund' ? [lines[index]] : [];
  });
  for (const line of owed) expect(line).toMatchObject({ verdict: 'eligible', codes: [] });
  return owed.length;
};

/** Checks that no policy rejects a line with a right of withdrawal. Returns the number of undelivered lines. */
export const expectWithdrawal = ({ policy, facts }: Case): number => {
  const withdrawn = { ...facts, return: { ...facts.return, basis: 'withdrawal' } };
  const { lines, verdict } = decide(policy, withdrawn);
  const live = facts.lines.map(({ rights }) => rights.some(({ claim }) => claim === 'withdrawal'));
  expect(lines.filter((line, index) => live[index] === true && line.verdict === 'ineligible')).toEqual([]);
  if (live.includes(true)) expect(verdict).not.toBe('rejected');
  return facts.lines.filter(({ delivered }, index) => live[index] === true && delivered === false).length;
};

const rank: Readonly<Record<LineVerdict, number>> = { ineligible: 0, needs_review: 1, eligible: 2 };

const ranksOf = (policy: Policy, facts: Facts): readonly number[] =>
  decide(policy, facts).lines.map(({ verdict }) => rank[verdict]);

/** Checks that an added denying rule improves no line. Returns whether it worsened one. */
export const expectStricter = ({ policy, facts }: Case, added: Rule): boolean => {
  const before = ranksOf(policy, facts);
  const after = ranksOf({ ...policy, rules: [...policy.rules, added] }, facts);
  expect(after.filter((now, line) => now > (before[line] ?? 0))).toEqual([]);
  return after.some((now, line) => now < (before[line] ?? 0));
};

const longer = (rule: Rule): Rule => {
  if (!('window' in rule)) return rule;
  const { window } = rule;
  const { fallback, ...rest } = window;
  const days = window.days + 1;
  return {
    ...rule,
    window: {
      ...rest,
      days,
      ...(fallback === undefined ? {} : { fallback: { ...fallback, days: fallback.days + 1 } }),
    },
  };
};

/** Checks that a longer window denies no more lines. Returns whether it allowed more. */
export const expectLonger = ({ policy, facts }: Case): boolean => {
  const before = ranksOf(policy, facts);
  const after = ranksOf({ ...policy, rules: policy.rules.map(longer) }, facts);
  expect(after.filter((now, line) => now < (before[line] ?? 0))).toEqual([]);
  return after.some((now, line) => now > (before[line] ?? 0));
};

const frozen = <Item>(item: Item): Item => {
  if (typeof item === 'object' && item !== null && !Object.isFrozen(item)) {
    Object.freeze(item);
    Object.values(item).forEach(frozen);
  }
  return item;
};

const reversed = <Item extends object>(item: Item): Item =>
  Object.fromEntries(Object.entries(item).toReversed()) as Item;

/** Checks for the same bytes from frozen copies and reordered rules and members. Returns the number of bytes. */
export const expectSameBytes = ({ policy, facts }: Case, rules: readonly Rule[]): number => {
  const compiled = compilePolicy(frozen(structuredClone(policy)));
  const first = canonicalJson(evaluate(compiled, frozen(structuredClone(facts))));
  expect(canonicalJson(evaluate(compiled, structuredClone(facts)))).toBe(first);
  const others = { ...policy, rules, conditions: reversed(policy.conditions ?? {}) };
  const turned = { ...reversed(facts), order: reversed(facts.order), lines: facts.lines.map(reversed) };
  expect(canonicalJson(decide(others, turned))).toBe(first);
  return first.length;
};

/** Checks that the trace alone explains the verdicts and codes. Returns the number of codes. */
export const expectExplained = ({ policy, facts }: Case): number => {
  const { trace, verdict, approval, lines } = decide(policy, facts);
  expect(
    fromTrace(
      trace,
      facts.lines.map(({ resolution }) => resolution),
    ),
  ).toEqual({ verdict, approval, lines: lines.map(({ verdict: one, codes }) => ({ verdict: one, codes })) });
  return lines.flatMap(({ codes }) => codes).length;
};

const ofLines = new Set(['exclusion', 'window', 'requirement', 'resolution']);

/** Returns the types of fees with a rule on a fact of a line. */
const lineFeesOf = (policy: Policy, facts: Facts): ReadonlySet<string> =>
  new Set(
    policy.rules.flatMap((rule) =>
      rule.phase === 'fee' && factsIn(rule.when, { policy, facts }).some((fact) => fact.startsWith('line.'))
        ? [rule.fee.type]
        : [],
    ),
  );

/** Checks that each rule is in the trace once, or once per line, in order. Returns the number of entries. */
export const expectComplete = ({ policy, facts }: Case): number => {
  const { trace } = decide(policy, facts);
  const lineFees = lineFeesOf(policy, facts);
  const each = facts.lines.map((_, line) => line);
  const order = ['facts', 'floor', 'integrity', ...phases];
  const expected = [
    { rank: 0, rule: 'facts.completeness', line: -1 },
    ...each.flatMap((line) =>
      (facts.lines[line]?.rights ?? []).map(({ law }) => ({ rank: 1, rule: `floor.${law}`, line })),
    ),
    ...each.map((line) => ({ rank: 2, rule: 'integrity.delivered', line })),
    ...policy.rules.flatMap((rule) => {
      const isOfLine = ofLines.has(rule.phase) || (rule.phase === 'fee' && lineFees.has(rule.fee.type));
      const rank = order.indexOf(rule.phase);
      return (isOfLine ? each : [-1]).map((line) => ({ rank, rule: rule.id, line }));
    }),
  ].toSorted((a, b) => a.rank - b.rank || (a.rule === b.rule ? a.line - b.line : a.rule < b.rule ? -1 : 1));
  expect(trace.map(({ phase, rule, line = -1 }) => ({ rank: order.indexOf(phase), rule, line }))).toEqual(expected);
  return trace.length;
};

/** Returns the rules of a policy in an arbitrary sequence. */
export const shuffled = ({ rules }: Policy): fc.Arbitrary<Rule[]> =>
  fc.shuffledSubarray([...rules], { minLength: rules.length, maxLength: rules.length });
