import type { Value } from '../condition.ts';
import type { FactValue, FactValues } from './fact-values.ts';

/** The result of a condition: undefined when it is unknown. */
export type Truth = boolean | undefined;

/**
 * A compiled condition, evaluated on the facts of a request or of one line.
 * All conditions have the same fields. The engine optimizes one evaluator for objects of one shape far better than a
 * function per condition.
 */
export type CompiledCondition = {
  /** `among`: the fact is one of `values`. `any`: the fact contains one of them. `holds`: all other operators. */
  readonly op: 'and' | 'or' | 'not' | 'exists' | 'eq' | 'among' | 'any' | 'holds';
  /** The operands of `and`, `or` and `not`. */
  readonly tests: readonly CompiledCondition[];
  /** The index of the fact that all other operators read. */
  readonly index: number;
  readonly value: Value | undefined;
  readonly values: readonly unknown[];
  readonly holds: (found: FactValue, known: FactValues) => boolean;
};

/** True when all are true, false when one is false, otherwise unknown. */
const all = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  let truth: Truth = true;
  for (const test of tests) {
    const one = evaluateCondition(test, known);
    if (one === false) return false;
    if (one === undefined) truth = undefined;
  }
  return truth;
};

/** True when one is true, false when all are false, otherwise unknown. */
const any = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  let truth: Truth = false;
  for (const test of tests) {
    const one = evaluateCondition(test, known);
    if (one === true) return true;
    if (one === undefined) truth = undefined;
  }
  return truth;
};

/** True when all are false, false when one is true, otherwise unknown. */
const none = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  const truth = any(tests, known);
  return truth === undefined ? undefined : !truth;
};

const overlaps = (found: readonly unknown[], values: readonly unknown[]): boolean => {
  for (const one of found) if (values.includes(one)) return true;
  return false;
};

/** Evaluates a condition on known facts. */
export const evaluateCondition = (test: CompiledCondition, known: FactValues): Truth => {
  const { op } = test;
  if (op === 'and') return all(test.tests, known);
  if (op === 'not') return none(test.tests, known);
  if (op === 'or') return any(test.tests, known);
  const found = known[test.index];
  if (op === 'exists') return (found !== undefined) === test.value;
  if (found === undefined) return undefined;
  if (op === 'eq') return found === test.value;
  if (op === 'among') return test.values.includes(found);
  if (op === 'any') return overlaps(found as readonly string[], test.values);
  return test.holds(found, known);
};
