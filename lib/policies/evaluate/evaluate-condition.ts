import type { Value } from '../condition.ts';
import type { FactValue, FactValues } from './fact-values.ts';

/** What a condition comes to: undefined where nobody knows. */
export type Truth = boolean | undefined;

/**
 * A condition made ready, to be asked of the facts of a request or of one of its lines. Each has every field: what asks
 * is one piece of code for objects of one shape, which the engine makes far faster than a function for each condition.
 */
export type CompiledCondition = {
  /** `among`: the fact is one of `values`; `any`: one of those in the fact is; `holds`: what the other operators are. */
  readonly op: 'and' | 'or' | 'not' | 'exists' | 'eq' | 'among' | 'any' | 'holds';
  /** What `and`, `or` and `not` are of. */
  readonly tests: readonly CompiledCondition[];
  /** Where the fact stands that all others look at. */
  readonly place: number;
  readonly value: Value | undefined;
  readonly values: readonly unknown[];
  readonly holds: (found: FactValue, known: FactValues) => boolean;
};

/** True where all are, false where one is; else nobody knows. */
const all = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  let truth: Truth = true;
  for (const test of tests) {
    const one = evaluateCondition(test, known);
    if (one === false) return false;
    if (one === undefined) truth = undefined;
  }
  return truth;
};

/** True where one is, false where none is; else nobody knows. */
const any = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  let truth: Truth = false;
  for (const test of tests) {
    const one = evaluateCondition(test, known);
    if (one === true) return true;
    if (one === undefined) truth = undefined;
  }
  return truth;
};

/** True where none is, false where one is; else nobody knows. */
const none = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  const truth = any(tests, known);
  return truth === undefined ? undefined : !truth;
};

const overlaps = (found: readonly unknown[], values: readonly unknown[]): boolean => {
  for (const one of found) if (values.includes(one)) return true;
  return false;
};

/** What a condition comes to where these facts are known. */
export const evaluateCondition = (test: CompiledCondition, known: FactValues): Truth => {
  const { op } = test;
  if (op === 'and') return all(test.tests, known);
  if (op === 'not') return none(test.tests, known);
  if (op === 'or') return any(test.tests, known);
  const found = known[test.place];
  if (op === 'exists') return (found !== undefined) === test.value;
  if (found === undefined) return undefined;
  if (op === 'eq') return found === test.value;
  if (op === 'among') return test.values.includes(found);
  if (op === 'any') return overlaps(found as readonly string[], test.values);
  return test.holds(found, known);
};
