import type { Policy, Condition, Value } from '../../../../lib/domain/policies/policy.ts';
import type { Facts, LineFacts } from '../../../../lib/domain/policies/facts.ts';

/** The truth of a condition. It is undefined when unknown. */
export type Truth = boolean | undefined;

/** The input of a condition. A condition about the whole return has no line. */
export type ConditionInput = { readonly policy: Policy; readonly facts: Facts; readonly line?: LineFacts };

type Known = Value | readonly string[];

/** Returns the value of a fact, or undefined when it is missing. */
export const factOf = (name: string, { facts, line }: ConditionInput): Known | undefined => {
  if (name === 'requestedAt') return facts.requestedAt;
  const [scope = '', field = ''] = name.split('.');
  const scopes: Readonly<Record<string, object | undefined>> = {
    order: facts.order,
    customer: facts.customer,
    return: facts.return,
    line,
  };
  return (scopes[scope] as Readonly<Record<string, Known | undefined>> | undefined)?.[field];
};

const named = (name: string, { policy }: ConditionInput): Condition => {
  const condition = policy.conditions?.[name];
  if (condition === undefined) throw new Error(`no condition ${name}`);
  return condition;
};

/** Returns the facts that a condition names, directly or by use: each once, sorted. */
export const factsIn = (condition: Condition | undefined, input: ConditionInput): readonly string[] => {
  const all = (of: Condition): readonly string[] => {
    if ('and' in of) return of.and.flatMap(all);
    if ('or' in of) return of.or.flatMap(all);
    if ('not' in of) return all(of.not);
    return 'use' in of ? all(named(of.use, input)) : [of.fact];
  };
  return condition === undefined ? [] : [...new Set(all(condition))].toSorted();
};

const isInstant = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

/** Returns the time of an instant, and any other value unchanged. */
const comparable = (value: Known): number | string | boolean => {
  if (isInstant(value)) return Date.parse(value);
  if (typeof value === 'object') throw new Error('lists have no order');
  return value;
};

const leaf = (condition: Extract<Condition, { fact: string }>, input: ConditionInput): Truth => {
  const fact = factOf(condition.fact, input);
  if (condition.op === 'exists') return (fact !== undefined) === condition.value;
  if (fact === undefined) return undefined;
  const texts = Array.isArray(fact) ? (fact as readonly string[]) : [];
  switch (condition.op) {
    case 'eq':
      return comparable(fact) === comparable(condition.value);
    case 'neq':
      return comparable(fact) !== comparable(condition.value);
    case 'lt':
      return comparable(fact) < comparable(condition.value);
    case 'lte':
      return comparable(fact) <= comparable(condition.value);
    case 'gt':
      return comparable(fact) > comparable(condition.value);
    case 'gte':
      return comparable(fact) >= comparable(condition.value);
    case 'in':
      return condition.value.some((one) => one === fact);
    case 'notIn':
      return !condition.value.some((one) => one === fact);
    case 'hasAny':
      return condition.value.some((one) => texts.some((text) => text === one));
    case 'hasAll':
      return condition.value.every((one) => texts.some((text) => text === one));
    case 'between': {
      const [minimum, maximum] = condition.value;
      return comparable(minimum) <= comparable(fact) && comparable(fact) <= comparable(maximum);
    }
    case 'withinDays': {
      const age = Date.parse(input.facts.requestedAt) - Number(comparable(fact));
      return age >= 0 && age <= condition.value * 24 * 60 * 60 * 1000;
    }
    default:
      throw new Error(`no such condition: ${JSON.stringify(condition satisfies never)}`);
  }
};

/** Returns whether a condition is true. An absent condition is true. */
export const truthOf = (condition: Condition | undefined, input: ConditionInput): Truth => {
  if (condition === undefined) return true;
  if ('and' in condition) {
    const truths = new Set(condition.and.map((one) => truthOf(one, input)));
    if (truths.has(false)) return false;
    return truths.has(undefined) ? undefined : true;
  }
  if ('or' in condition) {
    const truths = new Set(condition.or.map((one) => truthOf(one, input)));
    if (truths.has(true)) return true;
    return truths.has(undefined) ? undefined : false;
  }
  if ('not' in condition) {
    const truth = truthOf(condition.not, input);
    return truth === undefined ? undefined : !truth;
  }
  if ('use' in condition) return truthOf(named(condition.use, input), input);
  return leaf(condition, input);
};
