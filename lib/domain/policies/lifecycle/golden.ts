import { isSame } from '../../returns/history/canonical-json.ts';
import type { Instant } from '../../returns/model/order.ts';
import { pointerStep } from '../check/shape.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Facts } from '../facts.ts';
import type { Policy } from '../policy.ts';

/** The expected part of an evaluation: the given fields of an object, every item of a list, all of the fees. */
export type Expected<Value> = Value extends readonly (infer Item)[]
  ? readonly Expected<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Expected<Value[Name]> }
    : Value;

/** A request and its expected evaluation. A version with another result cannot be published. */
export type GoldenCase = {
  readonly name: string;
  readonly facts: Facts;
  readonly expect: Expected<Omit<Evaluation, 'trace'>> & {
    /** The first end of a window over all lines. */
    readonly returnableUntil?: Instant;
  };
};

/** A policy as it is written and stored, with its golden cases. */
export type PolicyDocument = Policy & { readonly goldenCases?: readonly GoldenCase[] };

/** A difference: JSON Pointer in the evaluation. `expected` and `found` are null for an absent value. */
export type CaseDifference = { readonly path: string; readonly expected: unknown; readonly found: unknown };

export type CaseResult = {
  readonly name: string;
  readonly passed: boolean;
  readonly differences: readonly CaseDifference[];
  /** Names of the facts that rules needed and the case does not have, sorted. */
  readonly missing: readonly string[];
};

const differences = (expected: unknown, found: unknown, path: string): CaseDifference[] => {
  if (expected === undefined) return [];
  const isList = Array.isArray(expected);
  if (isList && Array.isArray(found) && found.length === expected.length)
    return expected.flatMap((item, index) => differences(item, found[index], `${path}/${index}`));
  if (!isList && typeof expected === 'object' && expected !== null && typeof found === 'object' && found !== null)
    return Object.entries(expected).flatMap(([name, value]) => {
      const inner = Object.hasOwn(found, name) ? (found as Record<string, unknown>)[name] : null;
      return (name === 'fees' ? feeDifferences : differences)(value, inner, path + pointerStep(name));
    });
  return isSame(expected, found) ? [] : [{ path, expected, found: found ?? null }];
};

/** Adds the first end of a window to an evaluation. All ends have one format and compare as text. */
const withReturnableUntil = (evaluation: Evaluation) => ({
  ...evaluation,
  returnableUntil: evaluation.lines.flatMap(({ returnableUntil = [] }) => returnableUntil).toSorted()[0],
});

/** Compares all fees: `{}` expects that nothing is charged. */
const feeDifferences = (expected: unknown, found: unknown, path: string): CaseDifference[] => {
  const charged = found ?? {};
  const none = Object.fromEntries(Object.keys(charged).map((type) => [type, null]));
  return differences({ ...none, ...(expected as object) }, charged, path);
};

/** Runs the golden cases of a policy, in order. */
export const runGoldenCases = (
  cases: readonly GoldenCase[],
  evaluate: (facts: Facts) => Evaluation,
): readonly CaseResult[] =>
  cases.map(({ name, facts, expect }) => {
    const evaluation = evaluate(facts);
    const found = differences(expect, withReturnableUntil(evaluation), '');
    const missing = [...new Set(evaluation.lines.flatMap((line) => line.missing))].toSorted();
    return { name, passed: found.length === 0, differences: found, missing };
  });
