import type { Instant } from '../../returns/model/order.ts';
import type { Condition, Value } from '../condition.ts';
import type { Leaf } from '../leaves.ts';
import type { Policy } from '../policy.ts';
import { compareInstants, inUtc, isWithinDays } from '../time/calendar.ts';
import { type Found, placeOf, requestedAtPlace } from './known.ts';
import type { Test } from './truth-of.ts';

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

const blank: Test = { op: 'and', tests: [], place: 0, value: undefined, values: [], holds: () => true };

/** True where all are, false where one is; else nobody knows. */
export const allOf = (tests: readonly Test[]): Test => ({ ...blank, op: 'and', tests });

/** True where one is, false where none is; else nobody knows. */
export const anyOf = (tests: readonly Test[]): Test => ({ ...blank, op: 'or', tests });

const not = (test: Test): Test => ({ ...blank, op: 'not', tests: [test] });

const holdsAt = (place: number, holds: Test['holds']): Test => ({ ...blank, op: 'holds', place, holds });

/** Whether a fact is a value. */
export const equals = (place: number, value: Value): Test => ({ ...blank, op: 'eq', place, value });

const among = (place: number, values: readonly unknown[]): Test => {
  if (values.length <= shortList) return { ...blank, op: 'among', place, values };
  const known = new Set(values);
  return holdsAt(place, (found) => known.has(found));
};

const hasAny = (place: number, values: readonly unknown[]): Test => {
  if (values.length <= shortList) return { ...blank, op: 'any', place, values };
  const known = new Set(values);
  return holdsAt(place, (found) => (found as readonly string[]).some((one) => known.has(one)));
};

const isSameInstant = (place: number, value: Value): Test => holdsAt(place, (found) => byOrder(found, value) === 0);

const leafTest = (leaf: Leaf): Test => {
  const { fact, op, value } = written(leaf);
  const place = placeOf(fact);
  switch (op) {
    case 'exists':
      return { ...blank, op, place, value };
    case 'eq':
      return instants.has(fact) ? isSameInstant(place, value) : equals(place, value);
    case 'neq':
      return not(instants.has(fact) ? isSameInstant(place, value) : equals(place, value));
    case 'in':
      return among(place, value);
    case 'notIn':
      return not(among(place, value));
    case 'hasAny':
      return hasAny(place, value);
    case 'hasAll':
      return holdsAt(place, (found) => value.every((one) => (found as readonly unknown[]).includes(one)));
    case 'lt':
      return holdsAt(place, (found) => byOrder(found, value) < 0);
    case 'lte':
      return holdsAt(place, (found) => byOrder(found, value) <= 0);
    case 'gt':
      return holdsAt(place, (found) => byOrder(found, value) > 0);
    case 'gte':
      return holdsAt(place, (found) => byOrder(found, value) >= 0);
    case 'between':
      return holdsAt(place, (found) => byOrder(found, value[0]) >= 0 && byOrder(found, value[1]) <= 0);
    case 'withinDays':
      return holdsAt(place, (found, known) =>
        isWithinDays(found as Instant, value, known[requestedAtPlace] as Instant),
      );
  }
};

type Named = NonNullable<Policy['conditions']>;

/**
 * A condition made ready to be tested.
 *
 * @param named the policy's conditions, which it may use
 * @throws Error for a condition that was never checked and uses one that there is not
 */
export const testOf = (condition: Condition, named: Named): Test => {
  const ready = (one: Condition): Test => testOf(one, named);
  if ('and' in condition) return allOf(condition.and.map(ready));
  if ('or' in condition) return anyOf(condition.or.map(ready));
  if ('not' in condition) return not(ready(condition.not));
  if ('use' in condition) {
    const used = named[condition.use];
    if (used === undefined) throw new Error(`no condition ${condition.use}`);
    return ready(used);
  }
  return leafTest(condition);
};
