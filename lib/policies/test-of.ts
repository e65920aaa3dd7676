import type { Instant } from '../returns/order.ts';
import { inUtc, isWithinDays } from './calendar.ts';
import type { Condition, Value } from './condition.ts';
import type { Facts, LineFacts } from './facts.ts';
import { compareInstants } from './instants.ts';
import { leavesOf, type Leaf } from './leaves.ts';
import type { Policy } from './policy.ts';

/** What a condition comes to: undefined where nobody knows. */
export type Truth = boolean | undefined;

/** A condition made ready: a line is there where the rule is about lines. */
export type Test = (facts: Facts, line: LineFacts | undefined) => Truth;

type Found = Value | readonly string[];

/** Reads one fact; undefined where it is missing. */
export type Reader = (facts: Facts, line: LineFacts | undefined) => Found | undefined;

type Fields = Readonly<Record<string, Found | undefined>>;

/** Reads a fact by its name, such as `line.finalSale`. */
export const readerOf = (name: string): Reader => {
  const [group = '', field = ''] = name.split('.');
  if (group === 'requestedAt') return (facts) => facts.requestedAt;
  // Facts hold what the catalogue says that they hold, by these names.
  if (group === 'line') return (_, line) => (line as Fields | undefined)?.[field];
  if (group === 'order') return (facts) => (facts.order as unknown as Fields)[field];
  if (group === 'customer') return (facts) => (facts.customer as Fields)[field];
  return (facts) => (facts.return as unknown as Fields)[field];
};

/** Facts that are instants, in UTC: one may be written in several ways. */
const instants = new Set([
  'line.deliveredAt',
  'line.shippedAt',
  'order.lastDeliveredAt',
  'order.placedAt',
  'requestedAt',
]);

const toUtc = (value: Value): Value => inUtc(String(value));

/** What an instant is held against, as facts are written: a policy may name it in any offset. */
const written = (leaf: Leaf): Leaf => {
  if (!instants.has(leaf.fact)) return leaf;
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

/** Two values in their order: below zero, zero, above. Text is instants here: of other text there is no order. */
type Compare = (found: Found, value: Value) => number;
const byOrder: Compare = (found, value) =>
  typeof found === 'number' && typeof value === 'number'
    ? found - value
    : compareInstants(found as Instant, value as Instant);

/** Whether a fact that is there is as wanted. */
const holds = (leaf: Leaf): ((found: Found, requestedAt: Instant) => boolean) => {
  const { fact, op, value } = leaf;
  switch (op) {
    case 'eq':
      return instants.has(fact) ? (found) => byOrder(found, value) === 0 : (found) => found === value;
    case 'neq':
      return instants.has(fact) ? (found) => byOrder(found, value) !== 0 : (found) => found !== value;
    case 'in': {
      const among = new Set<unknown>(value);
      return (found) => among.has(found);
    }
    case 'notIn': {
      const among = new Set<unknown>(value);
      return (found) => !among.has(found);
    }
    case 'hasAny': {
      const among = new Set<unknown>(value);
      return (found) => (found as readonly string[]).some((one) => among.has(one));
    }
    case 'hasAll':
      return (found) => value.every((one) => (found as readonly unknown[]).includes(one));
    case 'lt':
      return (found) => byOrder(found, value) < 0;
    case 'lte':
      return (found) => byOrder(found, value) <= 0;
    case 'gt':
      return (found) => byOrder(found, value) > 0;
    case 'gte':
      return (found) => byOrder(found, value) >= 0;
    case 'between':
      return (found) => byOrder(found, value[0]) >= 0 && byOrder(found, value[1]) <= 0;
    case 'withinDays':
      return (found, requestedAt) => isWithinDays(found as Instant, value, requestedAt);
    case 'exists':
      return () => value;
  }
};

const leafTest = (leaf: Leaf): Test => {
  const read = readerOf(leaf.fact);
  if (leaf.op === 'exists') return (facts, line) => (read(facts, line) !== undefined) === leaf.value;
  const isAsWanted = holds(written(leaf));
  return (facts, line) => {
    const found = read(facts, line);
    return found === undefined ? undefined : isAsWanted(found, facts.requestedAt);
  };
};

/** True where all are, false where one is; else nobody knows. */
const all =
  (tests: readonly Test[]): Test =>
  (facts, line) => {
    let truth: Truth = true;
    for (const test of tests) {
      const one = test(facts, line);
      if (one === false) return false;
      if (one === undefined) truth = undefined;
    }
    return truth;
  };

/** True where one is, false where none is; else nobody knows. */
const any =
  (tests: readonly Test[]): Test =>
  (facts, line) => {
    let truth: Truth = false;
    for (const test of tests) {
      const one = test(facts, line);
      if (one === true) return true;
      if (one === undefined) truth = undefined;
    }
    return truth;
  };

type Named = NonNullable<Policy['conditions']>;

/**
 * A condition made ready to be tested.
 *
 * @param named the policy's conditions, which it may use
 * @throws Error for a condition that was never checked and uses one that there is not
 */
export const testOf = (condition: Condition, named: Named): Test => {
  if ('and' in condition) return all(condition.and.map((one) => testOf(one, named)));
  if ('or' in condition) return any(condition.or.map((one) => testOf(one, named)));
  if ('not' in condition) {
    const test = testOf(condition.not, named);
    return (facts, line) => {
      const truth = test(facts, line);
      return truth === undefined ? undefined : !truth;
    };
  }
  if ('use' in condition) {
    const used = named[condition.use];
    if (used === undefined) throw new Error(`no condition ${condition.use}`);
    return testOf(used, named);
  }
  return leafTest(condition);
};

/** The names of the facts that a condition looks at, each once, sorted; those of conditions that it uses among them. */
export const factsIn = (condition: Condition, named: Named): readonly string[] =>
  [...new Set(leavesOf(condition, named).map(({ fact }) => fact))].toSorted();
