import type { Condition, Leaf } from '../policy.ts';
import { literal, literalsOf, negate, type Literal } from './literal.ts';
import { isPossible } from './possible.ts';

/** One case in which a condition is true: literals that must all hold, also grouped by fact. */
type Case = { readonly all: readonly Literal[]; readonly byFact: ReadonlyMap<string, readonly Literal[]> };

/** All cases in which a condition is true. It is empty when there is none, and undefined when there are too many. */
export type Cases = readonly Case[] | undefined;

export type NamedConditions = Readonly<Record<string, Condition>>;

/** Above these limits rules are not compared, because the comparison of each pair would take too long. */
const maxCases = 16;
const maxLiterals = 64;

const emptyCase: Case = { all: [], byFact: new Map() };
const alwaysTrue: readonly Case[] = [emptyCase];

/** Adds the group of a reason, so that rules about reasons and about groups can be compared. */
const withReasonGroup = (literals: readonly Literal[]): readonly Literal[] =>
  literals.flatMap((known) =>
    known.fact === 'line.reason' && known.op === 'in'
      ? [
          known,
          literal(
            'line.reasonGroup',
            'in',
            [...known.keys].map((code) => String(code).split('.')[0] ?? ''),
          ),
        ]
      : [known],
  );

const addLiterals = (partial: Case, literals: readonly Literal[]): Case => {
  const byFact = new Map(partial.byFact);
  for (const added of literals) byFact.set(added.fact, [...(byFact.get(added.fact) ?? []), added]);
  return { all: [...partial.all, ...literals], byFact };
};

const isPossibleCase = ({ byFact }: Case): boolean => [...byFact.values()].every(isPossible);

const sizeOf = (cases: readonly Case[]): number => cases.reduce((size, { all }) => size + all.length, 0);

/** Returns the cost of comparing a condition. */
export const comparisonWeight = (cases: Cases): number =>
  (cases ?? []).reduce((sum, { all }) => all.reduce((weight, { keys }) => weight + Math.max(keys.size, 1), sum), 0);

const limitCases = (cases: readonly Case[]): Cases =>
  cases.length > maxCases || sizeOf(cases) > maxLiterals ? undefined : cases;

const disjunction = (parts: readonly Cases[]): Cases => {
  const known = parts.filter((part) => part !== undefined);
  return known.length < parts.length ? undefined : limitCases(known.flat());
};

/** Combines cases that must all hold. One part that is never true makes the whole never true. */
const conjunction = (parts: readonly Cases[], isIncluded = isPossibleCase): Cases => {
  if (parts.some((part) => part?.length === 0)) return [];
  let whole: Cases = alwaysTrue;
  for (const part of parts) {
    if (whole === undefined || part === undefined) return undefined;
    const joined: readonly Case[] = whole.flatMap((a) => part.map((b) => addLiterals(a, b.all)));
    whole = limitCases(joined.filter(isIncluded));
  }
  return whole;
};

/** How cases are combined: which of them remain, and which literals are added. */
type CaseReading = {
  readonly isIncluded: (combined: Case) => boolean;
  readonly withImplied: (literals: readonly Literal[]) => readonly Literal[];
};

const plausible: CaseReading = { isIncluded: isPossibleCase, withImplied: withReasonGroup };

/** Keeps all cases, because a case that is never true is still unknown where its facts are. */
const exact: CaseReading = { isIncluded: () => true, withImplied: (literals) => literals };

const comparisonCases = (comparison: Leaf, wanted: boolean, { isIncluded, withImplied }: CaseReading): Cases => {
  const literals = literalsOf(comparison);
  // A value that is not between two ends is outside of one of them.
  return wanted
    ? conjunction([[addLiterals(emptyCase, withImplied(literals))]], isIncluded)
    : disjunction(
        literals.map((alternative) =>
          conjunction([[addLiterals(emptyCase, withImplied([negate(alternative)]))]], isIncluded),
        ),
      );
};

const makeCaseFinder = (
  named: NamedConditions,
  reading: CaseReading,
): ((condition: Condition | undefined) => Cases) => {
  const known = new Map<string, Cases>();
  const ofUse = (name: string, wanted: boolean): Cases => {
    const key = `${name} ${wanted}`;
    if (!known.has(key)) known.set(key, casesOf(named[name], wanted));
    return known.get(key);
  };
  const casesOf = (condition: Condition | undefined, wanted: boolean): Cases => {
    if (condition === undefined) return wanted ? alwaysTrue : [];
    if ('use' in condition) return ofUse(condition.use, wanted);
    if ('not' in condition) return casesOf(condition.not, !wanted);
    if ('fact' in condition) return comparisonCases(condition, wanted, reading);
    const [parts, isAnd] = 'and' in condition ? [condition.and, true] : [condition.or, false];
    const inner = parts.map((part) => casesOf(part, wanted));
    return isAnd === wanted ? conjunction(inner, reading.isIncluded) : disjunction(inner);
  };
  return (condition) => casesOf(condition, true);
};

/**
 * Makes a function that returns the cases of a condition. It reads each named condition once, however often it is used.
 *
 * @param named the conditions that others use
 */
export const caseFinder = (named: NamedConditions): ((condition: Condition | undefined) => Cases) =>
  makeCaseFinder(named, plausible);

/**
 * Makes a function that returns exact cases. They have the same value as their condition for all facts: true, false or
 * unknown. The value of the condition is the highest of its cases. The value of a case is the lowest of its literals
 * (Kleene).
 *
 * @param named the conditions that others use
 */
export const exactCaseFinder = (named: NamedConditions): ((condition: Condition | undefined) => Cases) =>
  makeCaseFinder(named, exact);

/** Returns the cases in which both are true. */
export const bothTrue = (a: Cases, b: Cases): Cases => conjunction([a, b]);

/** The same for exact cases. */
export const bothExactlyTrue = (a: Cases, b: Cases): Cases => conjunction([a, b], exact.isIncluded);

const areCompatible = (a: Case, b: Case): boolean =>
  b.all.every(({ fact }) => {
    const known = a.byFact.get(fact);
    return known === undefined || isPossible([...known, ...(b.byFact.get(fact) ?? [])]);
  });

/** Returns whether two conditions can be true at once. The result is false when their cases are unknown. */
export const canBothHold = (a: Cases, b: Cases): boolean =>
  a !== undefined && b !== undefined && a.some((ofA) => b.some((ofB) => areCompatible(ofA, ofB)));

/** Returns cases in which some facts have some of these values. */
export const casesWith = (...literals: readonly Literal[]): Cases => conjunction([[addLiterals(emptyCase, literals)]]);

const isImplied = (implied: Literal, by: Case): boolean => {
  const known = by.byFact.get(implied.fact);
  if (known === undefined) return false;
  const isMissing = known.some(({ op }) => op === 'missing');
  return isMissing === (implied.op === 'missing') && !isPossible([...known, negate(implied)]);
};

/** Returns whether a condition is true wherever another is, as far as the cases show it. */
export const implies = (a: Cases, b: Cases): boolean =>
  a !== undefined &&
  b !== undefined &&
  a.every((ofA) => b.some((ofB) => ofB.all.every((implied) => isImplied(implied, ofA))));

/**
 * Returns whether a literal has at least the value of a case for all facts.
 * True ranks over unknown, and unknown over false.
 */
const isAtLeast = (compared: Literal, by: Case): boolean => {
  const known = by.byFact.get(compared.fact);
  if (known === undefined) return false;
  // A missing fact makes these two false or true, and every other literal unknown.
  if (compared.op === 'exists' || compared.op === 'missing') return known.some(({ op }) => op === compared.op);
  return known.every(({ op }) => op !== 'missing') && !isPossible([...known, negate(compared)]);
};

/**
 * Returns whether a condition has at least the value of another for all facts.
 * The result is true only when exact cases prove it.
 */
export const covers = (a: Cases, by: Cases): boolean =>
  a !== undefined &&
  by !== undefined &&
  a.every((covered) => by.some((covering) => covering.all.every((compared) => isAtLeast(compared, covered))));
