import type { PolicyTerms } from '../../../../contract/console.ts';
import { isRecord } from '../../../api/record.ts';
import { listOf, type Members } from './document.ts';

/* The conditions of a policy: comparisons of facts, joined by `and`, `or` and `not`, and named conditions. */

export type Group = 'and' | 'or';
export type ConditionKind = Group | 'not' | 'use' | 'comparison' | 'other';

const kinds = ['and', 'or', 'not', 'use'] as const;

/** Returns the kind of a condition. `other`: the builder cannot show it. */
export const kindOf = (condition: unknown): ConditionKind => {
  if (!isRecord(condition)) return 'other';
  const kind = kinds.find((name) => Object.hasOwn(condition, name));
  if (kind === 'and' || kind === 'or') return Array.isArray(condition[kind]) ? kind : 'other';
  return kind ?? (Object.hasOwn(condition, 'fact') ? 'comparison' : 'other');
};

const isList = (op: string): boolean => ['in', 'notIn', 'hasAny', 'hasAll'].includes(op);

/** Returns how the value of a comparison is entered. */
export const inputOf = (op: string, kind: string): 'list' | 'range' | 'flag' | 'days' | 'single' => {
  if (isList(op)) return 'list';
  if (op === 'between') return 'range';
  if (op === 'exists' || kind === 'boolean') return 'flag';
  return op === 'withinDays' ? 'days' : 'single';
};

const empty = (kind: string): string | number =>
  kind === 'number' ? 0 : kind === 'instant' ? '2026-01-01T00:00:00Z' : '';

/** Returns the first value of a comparison. A value that fits the new operator stays. */
const valueFor = (op: string, kind: string, before: unknown): unknown => {
  const first = Array.isArray(before) ? before[0] : before;
  const single = typeof first === typeof empty(kind) ? first : empty(kind);
  switch (inputOf(op, kind)) {
    case 'list':
      return listOf(before).length > 0 ? before : single === '' ? [] : [single];
    case 'range':
      return [single, single];
    case 'flag':
      return typeof before === 'boolean' ? before : true;
    case 'days':
      return 30;
    case 'single':
      return single;
  }
};

/** Returns a comparison with another operator. */
export const withOperator = (comparison: Members, op: string, { facts }: PolicyTerms): Members => {
  const { fact, op: before, value } = comparison;
  const kind = facts[String(fact)] ?? 'text';
  const fits = inputOf(String(before), kind) === inputOf(op, kind);
  return { fact, op, value: fits ? value : valueFor(op, kind, value) };
};

/** Returns a comparison with another fact. The operator stays where facts of that kind have it. */
export const withFact = (comparison: Members, fact: string, terms: PolicyTerms): Members => {
  const { fact: before, op, value } = comparison;
  const [kind = 'text', kindBefore] = [terms.facts[fact], terms.facts[String(before)]];
  const known = terms.operators[kind] ?? [];
  const next = known.includes(String(op)) ? String(op) : (known[0] ?? 'eq');
  return { fact, op: next, value: kind === kindBefore && next === op ? value : valueFor(next, kind, value) };
};

/** Returns a first comparison on a fact. */
export const comparisonOn = (fact: string, terms: PolicyTerms): Members => withFact({}, fact, terms);

/** Returns a condition in another group. A group keeps its conditions. */
export const regroup = (condition: unknown, to: Group | 'not'): unknown => {
  const kind = kindOf(condition);
  if (!isRecord(condition)) return condition;
  if (to === 'not') return { not: condition };
  const inside = kind === 'and' || kind === 'or' ? listOf(condition[kind]) : [condition];
  return { [to]: inside };
};

/** Returns the facts that a rule may read. */
export const factsOfRule = ({ phase, fee }: Members, { facts, phases, wholeFees }: PolicyTerms): readonly string[] => {
  const isOfPhase = phases.find(({ name }) => name === phase)?.isPerLine ?? true;
  const isPerLine = isOfPhase && !(isRecord(fee) && wholeFees.includes(String(fee['type'])));
  return Object.keys(facts).filter((fact) => isPerLine || !fact.startsWith('line.'));
};
