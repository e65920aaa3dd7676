import type { Instant } from '../../returns/order.ts';
import { inUtc, isWithinDays } from '../time/calendar.ts';
import type { Condition, Value } from '../condition.ts';
import { compareInstants } from '../time/instants.ts';
import { requestedAtPlace, type Known, type Places } from './known.ts';
import type { Leaf } from '../leaves.ts';
import type { Policy } from '../policy.ts';
import type { Found } from './readers.ts';

/** What a condition comes to: undefined where nobody knows. */
export type Truth = boolean | undefined;

/** A condition made ready: asked of the facts of a request, or of one of its lines. */
export type Test = (known: Known) => Truth;

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

/** Lists no longer than this are gone through: faster than a set, which has to know what each item hashes to. */
const shortList = 8;

const hasAny = (value: readonly unknown[]): ((found: Found) => boolean) => {
  const among = value.length > shortList ? new Set(value) : undefined;
  return (found) => {
    for (const one of found as readonly string[])
      if (among === undefined ? value.includes(one) : among.has(one)) return true;
    return false;
  };
};

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
    case 'hasAny':
      return hasAny(value);
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

const leafTest = (leaf: Leaf, { placeOf }: Places): Test => {
  const place = placeOf(leaf.fact);
  if (leaf.op === 'exists') return (known) => (known[place] !== undefined) === leaf.value;
  const isAsWanted = holds(written(leaf));
  return (known) => {
    const found = known[place];
    return found === undefined ? undefined : isAsWanted(found, known[requestedAtPlace] as Instant);
  };
};

/** True where all are, false where one is; else nobody knows. */
const all =
  (tests: readonly Test[]): Test =>
  (known) => {
    let truth: Truth = true;
    for (const test of tests) {
      const one = test(known);
      if (one === false) return false;
      if (one === undefined) truth = undefined;
    }
    return truth;
  };

/** True where one is, false where none is; else nobody knows. */
const any =
  (tests: readonly Test[]): Test =>
  (known) => {
    let truth: Truth = false;
    for (const test of tests) {
      const one = test(known);
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
 * @param places of the facts that it looks at
 * @throws Error for a condition that was never checked and uses one that there is not
 */
export const testOf = (condition: Condition, named: Named, places: Places): Test => {
  const ready = (one: Condition): Test => testOf(one, named, places);
  if ('and' in condition) return all(condition.and.map(ready));
  if ('or' in condition) return any(condition.or.map(ready));
  if ('not' in condition) {
    const test = ready(condition.not);
    return (known) => {
      const truth = test(known);
      return truth === undefined ? undefined : !truth;
    };
  }
  if ('use' in condition) {
    const used = named[condition.use];
    if (used === undefined) throw new Error(`no condition ${condition.use}`);
    return ready(used);
  }
  return leafTest(condition, places);
};
