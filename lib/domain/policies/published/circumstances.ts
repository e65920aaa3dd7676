import { factKinds } from '../fact-catalogue.ts';
import { exactCaseFinder } from '../lint/cases.ts';
import type { Literal } from '../lint/literal.ts';
import { isPossible } from '../lint/possible.ts';
import { type Condition, factsIn } from '../policy.ts';
import { type Circumstance, type Circumstances, type OmissionReason, publicFacts } from './statement.ts';

/** More alternatives or values make a sentence that customers do not read. */
const maxAlternatives = 6;
const maxValues = 50;

const circumstanceOf = ({ fact: name, op, keys }: Literal): Circumstance | undefined => {
  const fact = publicFacts.find((known) => known === name);
  if (fact === undefined || keys.size > maxValues) return undefined;
  const values = [...keys].map(String).toSorted();
  if (fact === 'line.finalSale') {
    if (values.length !== 1 || (op !== 'in' && op !== 'notIn')) return undefined;
    return (op === 'in') === values.includes('true') ? { fact, is: ['true'] } : { fact, isNot: ['true'] };
  }
  const isSingle = keys.size === 1;
  if (op === 'in' || op === 'hasAny' || (op === 'hasAll' && isSingle)) return { fact, is: values };
  if (op === 'notIn' || op === 'hasNone' || (op === 'lacksOne' && isSingle)) return { fact, isNot: values };
  return undefined;
};

const keyOf = (circumstances: readonly Circumstance[]): string =>
  circumstances
    .map((circumstance) => JSON.stringify(circumstance))
    .toSorted()
    .join(' ');

/** One case of a condition: its circumstances, and the facts that it requires to be missing. */
type PublicCase = { readonly missing: readonly string[]; readonly circumstances: readonly Circumstance[] };

const publicCase = (literals: readonly Literal[]): PublicCase | undefined => {
  const circumstances: Circumstance[] = [];
  for (const literal of literals) {
    if (literal.op === 'missing') continue;
    const isImplied = literals.some(({ fact, op }) => fact === literal.fact && op !== 'exists' && op !== 'missing');
    if (literal.op === 'exists' && isImplied) continue;
    const circumstance = circumstanceOf(literal);
    if (circumstance === undefined) return undefined;
    circumstances.push(circumstance);
  }
  const missing = literals.filter(({ op }) => op === 'missing').map(({ fact }) => fact);
  return { missing: [...new Set(missing)].toSorted(), circumstances };
};

/**
 * Returns whether a case with a missing fact needs no words: another case says that the fact has none of some values.
 * To a customer, a fact that is missing has none of them.
 */
const isSaidBy = ({ missing: [fact, ...more], circumstances }: PublicCase, other: PublicCase): boolean => {
  if (fact === undefined || more.length > 0 || other.missing.length > 0) return false;
  const rest = other.circumstances.filter((circumstance) => circumstance.fact !== fact);
  return (
    other.circumstances.some((circumstance) => circumstance.fact === fact && 'isNot' in circumstance) &&
    keyOf(rest) === keyOf(circumstances)
  );
};

const isPossibleCase = (literals: readonly Literal[]): boolean =>
  [...Map.groupBy(literals, ({ fact }) => fact).values()].every(isPossible);

/**
 * Returns where a condition is true, in facts that a customer knows; undefined when that cannot be said exactly.
 *
 * @param condition without named conditions, as `remainderOf` returns it
 */
export const circumstancesOf = (condition: Condition): Circumstances | undefined => {
  const cases = exactCaseFinder({})(condition)
    ?.map(({ all }) => all)
    .filter(isPossibleCase)
    .map(publicCase);
  if (cases === undefined || cases.length === 0) return undefined;
  const known = cases.filter((found) => found !== undefined);
  if (known.length < cases.length) return undefined;
  const said = known.filter(({ missing }) => missing.length === 0);
  if (known.some((open) => open.missing.length > 0 && !said.some((other) => isSaidBy(open, other)))) return undefined;
  const alternatives = [...new Map(said.map(({ circumstances }) => [keyOf(circumstances), circumstances])).values()];
  return alternatives.length > maxAlternatives ? undefined : alternatives;
};

/** Returns why a condition cannot be published. */
export const secrecyOf = (condition: Condition): OmissionReason => {
  const facts = factsIn(condition, {});
  if (facts.some((fact) => fact.startsWith('customer.'))) return 'individual';
  return facts.some((fact) => factKinds.get(fact) === 'number') ? 'threshold' : 'not_expressible';
};
