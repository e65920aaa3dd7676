import type { Condition } from '../condition.ts';
import { literal, literalsOf, negated, type Literal } from './literal.ts';
import { isPossible } from './possible.ts';

/** One way for a condition to be true: what must be so with each fact. */
export type Case = ReadonlyMap<string, readonly Literal[]>;

/** Every way for a condition to be true; none where it never is, undefined where there are too many to look at. */
export type Cases = readonly Case[] | undefined;

export type Named = Readonly<Record<string, Condition>>;

/** Beyond that, rules are not compared with each other: each with each would take too long. */
const mostCases = 16;
const mostLiterals = 64;

const always: readonly Case[] = [new Map()];

/** A reason tells its group, so that rules about one and the other can be compared. */
const withGroup = (literals: readonly Literal[]): readonly Literal[] =>
  literals.flatMap((one) =>
    one.fact === 'line.reason' && one.op === 'in'
      ? [
          one,
          literal(
            'line.reasonGroup',
            'in',
            [...one.keys].map((code) => String(code).split('.')[0] ?? ''),
          ),
        ]
      : [one],
  );

const add = (one: Case, literals: readonly Literal[]): Case => {
  const all = new Map(one);
  for (const each of literals) all.set(each.fact, [...(all.get(each.fact) ?? []), each]);
  return all;
};

const isCase = (one: Case): boolean => [...one.values()].every(isPossible);

const sizeOf = (cases: readonly Case[]): number =>
  cases.reduce((size, one) => [...one.values()].reduce((sum, literals) => sum + literals.length, size), 0);

const within = (cases: readonly Case[]): Cases =>
  cases.length > mostCases || sizeOf(cases) > mostLiterals ? undefined : cases;

const either = (parts: readonly Cases[]): Cases => {
  const known = parts.filter((part) => part !== undefined);
  return known.length < parts.length ? undefined : within(known.flat());
};

/** What is never true makes all of it never true, whatever the rest is. */
const both = (parts: readonly Cases[]): Cases => {
  if (parts.some((part) => part?.length === 0)) return [];
  let whole: Cases = always;
  for (const part of parts) {
    if (whole === undefined || part === undefined) return undefined;
    const joined: readonly Case[] = whole.flatMap((one) => part.map((other) => add(one, [...other.values()].flat())));
    whole = within(joined.filter(isCase));
  }
  return whole;
};

/**
 * The ways in which a condition can be true, or false.
 *
 * @param wanted what it is to be
 */
export const casesOf = (condition: Condition | undefined, named: Named, wanted = true): Cases => {
  if (condition === undefined) return wanted ? always : [];
  if ('use' in condition) return casesOf(named[condition.use], named, wanted);
  if ('not' in condition) return casesOf(condition.not, named, !wanted);
  if ('and' in condition || 'or' in condition) {
    const [parts, isAnd] = 'and' in condition ? [condition.and, true] : [condition.or, false];
    const inner = parts.map((part) => casesOf(part, named, wanted));
    return isAnd === wanted ? both(inner) : either(inner);
  }
  const literals = literalsOf(condition);
  // What is not between two ends is beyond one of them.
  return wanted
    ? both([[add(new Map(), withGroup(literals))]])
    : either(literals.map((one) => both([[add(new Map(), withGroup([negated(one)]))]])));
};

/** The ways in which all of it is true. */
export const together = (a: Cases, b: Cases): Cases => both([a, b]);

/** Whether two conditions can be true at once, as far as that is plain. */
export const canMeet = (a: Cases, b: Cases): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.some((one) => b.some((other) => isCase(add(one, [...other.values()].flat()))));

/** Cases in which some facts are one of some values. */
export const given = (...literals: readonly Literal[]): Cases => both([[add(new Map(), literals)]]);

const isImplied = (one: Literal, by: Case): boolean => {
  const known = by.get(one.fact) ?? [];
  const isMissing = known.some(({ op }) => op === 'missing');
  return known.length > 0 && isMissing === (one.op === 'missing') && !isPossible([...known, negated(one)]);
};

/** Whether a condition is true wherever another is, as far as that is plain. */
export const implies = (a: Cases, b: Cases): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.every((one) => b.some((other) => [...other.values()].flat().every((each) => isImplied(each, one))));
