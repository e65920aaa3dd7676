import type { Instant } from '../../returns/model/order.ts';
import type { Policy, Condition, Value, Leaf } from '../policy.ts';
import { compareInstants, inUtc, isWithinDays } from '../time/calendar.ts';
import { type FactValue, factIndex, requestedAtIndex, type FactValues } from './fact-values.ts';

/** Facts that are instants, in UTC. One instant can be written in several forms. */
const instantFacts = new Set([
  'line.deliveredAt',
  'line.shippedAt',
  'order.lastDeliveredAt',
  'order.placedAt',
  'requestedAt',
]);

const toUtc = (value: Value): Value => inUtc(String(value));

/** Normalizes the instants of a leaf to UTC, as facts have them. A policy may write them with any offset. */
const inUtcForm = (leaf: Leaf): Leaf => {
  if (!instantFacts.has(leaf.fact)) return leaf;
  switch (leaf.op) {
    case 'eq':
    case 'neq':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return { ...leaf, value: toUtc(leaf.value) };
    case 'between':
      return { ...leaf, value: [toUtc(leaf.value[0]), toUtc(leaf.value[1])] };
    case 'exists':
    case 'hasAll':
    case 'hasAny':
    case 'in':
    case 'notIn':
    case 'withinDays':
      return leaf;
  }
};

/** Compares two values: negative, zero or positive. Text values are instants here, because other text has no order. */
type Compare = (found: FactValue, value: Value) => number;
const compareValues: Compare = (found, value) =>
  typeof found === 'number' && typeof value === 'number'
    ? found - value
    : compareInstants(found as Instant, value as Instant);

/** A list of at most this length is scanned. That is faster than a set, which hashes each item. */
const shortList = 8;

const emptyTest: CompiledCondition = {
  op: 'and',
  tests: [],
  index: 0,
  value: undefined,
  values: [],
  holds: () => true,
};

/** True when all are true, false when one is false, otherwise unknown. */
export const allOf = (tests: readonly CompiledCondition[]): CompiledCondition => ({ ...emptyTest, op: 'and', tests });

/** True when one is true, false when all are false, otherwise unknown. */
export const anyOf = (tests: readonly CompiledCondition[]): CompiledCondition => ({ ...emptyTest, op: 'or', tests });

const not = (test: CompiledCondition): CompiledCondition => ({ ...emptyTest, op: 'not', tests: [test] });

const testAt = (index: number, holds: CompiledCondition['holds']): CompiledCondition => ({
  ...emptyTest,
  op: 'holds',
  index,
  holds,
});

/** Tests whether a fact equals a value. */
export const equals = (index: number, value: Value): CompiledCondition => ({ ...emptyTest, op: 'eq', index, value });

const isAmong = (index: number, values: readonly unknown[]): CompiledCondition => {
  if (values.length <= shortList) return { ...emptyTest, op: 'among', index, values };
  const known = new Set(values);
  return testAt(index, (found) => known.has(found));
};

const hasAny = (index: number, values: readonly unknown[]): CompiledCondition => {
  if (values.length <= shortList) return { ...emptyTest, op: 'any', index, values };
  const known = new Set(values);
  return testAt(index, (found) => (found as readonly string[]).some((value) => known.has(value)));
};

const isSameInstant = (index: number, value: Value): CompiledCondition =>
  testAt(index, (found) => compareValues(found, value) === 0);

const compileLeaf = (leaf: Leaf): CompiledCondition => {
  const { fact, op, value } = inUtcForm(leaf);
  const index = factIndex(fact);
  switch (op) {
    case 'exists':
      return { ...emptyTest, op, index, value };
    case 'eq':
      return instantFacts.has(fact) ? isSameInstant(index, value) : equals(index, value);
    case 'neq':
      return not(instantFacts.has(fact) ? isSameInstant(index, value) : equals(index, value));
    case 'in':
      return isAmong(index, value);
    case 'notIn':
      return not(isAmong(index, value));
    case 'hasAny':
      return hasAny(index, value);
    case 'hasAll':
      return testAt(index, (found) => value.every((wanted) => (found as readonly unknown[]).includes(wanted)));
    case 'lt':
      return testAt(index, (found) => compareValues(found, value) < 0);
    case 'lte':
      return testAt(index, (found) => compareValues(found, value) <= 0);
    case 'gt':
      return testAt(index, (found) => compareValues(found, value) > 0);
    case 'gte':
      return testAt(index, (found) => compareValues(found, value) >= 0);
    case 'between':
      return testAt(index, (found) => compareValues(found, value[0]) >= 0 && compareValues(found, value[1]) <= 0);
    case 'withinDays':
      return testAt(index, (found, known) => isWithinDays(found as Instant, value, known[requestedAtIndex] as Instant));
  }
};

type NamedConditions = NonNullable<Policy['conditions']>;

/**
 * Compiles a condition.
 *
 * @param named the policy's conditions, which it may use
 * @throws Error for an unchecked condition that uses an unknown one
 */
export const compileCondition = (condition: Condition, named: NamedConditions): CompiledCondition => {
  const compileNested = (nested: Condition): CompiledCondition => compileCondition(nested, named);
  if ('and' in condition) return allOf(condition.and.map(compileNested));
  if ('or' in condition) return anyOf(condition.or.map(compileNested));
  if ('not' in condition) return not(compileNested(condition.not));
  if ('use' in condition) {
    const used = named[condition.use];
    if (used === undefined) throw new Error(`no condition ${condition.use}`);
    return compileNested(used);
  }
  return compileLeaf(condition);
};

/** The result of a condition: undefined when it is unknown. */
type Truth = boolean | undefined;

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
    const result = evaluateCondition(test, known);
    if (result === false) return false;
    if (result === undefined) truth = undefined;
  }
  return truth;
};

/** True when one is true, false when all are false, otherwise unknown. */
const any = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  let truth: Truth = false;
  for (const test of tests) {
    const result = evaluateCondition(test, known);
    if (result === true) return true;
    if (result === undefined) truth = undefined;
  }
  return truth;
};

/** True when all are false, false when one is true, otherwise unknown. */
const none = (tests: readonly CompiledCondition[], known: FactValues): Truth => {
  const truth = any(tests, known);
  return truth === undefined ? undefined : !truth;
};

const overlaps = (found: readonly unknown[], values: readonly unknown[]): boolean => {
  for (const value of found) if (values.includes(value)) return true;
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
