import type { Instant } from '../../returns/model/order.ts';
import { compileCondition, evaluateCondition } from '../evaluate/compile-condition.ts';
import { factIndex, type FactValue } from '../evaluate/fact-values.ts';
import type { Condition, Leaf, Policy } from '../policy.ts';

/**
 * The orders that a published text is about: complete orders of consumers in a country, placed in a period. Without a
 * channel they are the orders of every channel.
 */
export type TextScope = {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly channel?: string;
  /** The first and the last instant of the period. */
  readonly from: Instant;
  readonly to: Instant;
};

const valuesAt = ({ country, channel }: TextScope, placedAt: Instant): readonly (FactValue | undefined)[] => {
  const values: (FactValue | undefined)[] = [];
  const known: Readonly<Record<string, FactValue | undefined>> = {
    'order.country': country,
    'order.channel': channel,
    'order.completeness': 'full',
    'order.buyerIsConsumer': true,
    'order.placedAt': placedAt,
  };
  for (const [fact, value] of Object.entries(known)) values[factIndex(fact)] = value;
  return values;
};

/** Operators of which the result for all instants of a period follows from its two ends. */
const monotonous: ReadonlySet<string> = new Set(['lt', 'lte', 'gt', 'gte', 'exists']);

/** Returns the result of a comparison for every order of the scope; undefined when orders differ. */
const leafTruth = (leaf: Leaf, scope: TextScope): boolean | undefined => {
  if (leaf.fact === 'order.placedAt' && !monotonous.has(leaf.op)) return undefined;
  const [first, last] = [scope.from, scope.to].map((at) => {
    const values = valuesAt(scope, at);
    // A fact outside the scope may be known or missing, so even `exists` has no result.
    if (values[factIndex(leaf.fact)] === undefined) return undefined;
    return evaluateCondition(compileCondition(leaf, {}), values);
  });
  return first === last ? first : undefined;
};

/** What remains of a condition when the facts of a scope are known: a constant, or a condition on other facts. */
export type Remainder = boolean | Condition;

const joined = (parts: readonly Remainder[], op: 'and' | 'or'): Remainder => {
  const decisive = op === 'or';
  if (parts.includes(decisive)) return decisive;
  const open = parts.filter((part) => typeof part !== 'boolean');
  const [only] = open;
  if (only === undefined) return !decisive;
  if (open.length === 1) return only;
  return op === 'and' ? { and: open } : { or: open };
};

/** Returns what remains of a condition for the orders of a scope. Named conditions are replaced by their content. */
export const remainderOf = (
  condition: Condition | undefined,
  named: NonNullable<Policy['conditions']>,
  scope: TextScope,
): Remainder => {
  if (condition === undefined) return true;
  if ('and' in condition)
    return joined(
      condition.and.map((part) => remainderOf(part, named, scope)),
      'and',
    );
  if ('or' in condition)
    return joined(
      condition.or.map((part) => remainderOf(part, named, scope)),
      'or',
    );
  if ('not' in condition) {
    const inner = remainderOf(condition.not, named, scope);
    return typeof inner === 'boolean' ? !inner : { not: inner };
  }
  if ('use' in condition) return remainderOf(named[condition.use], named, scope);
  return leafTruth(condition, scope) ?? condition;
};
