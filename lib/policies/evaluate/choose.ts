import type { Ready } from './compile.ts';
import type { RuleResult } from '../evaluation.ts';

/** A rule that holds, or might. */
export type Candidate<Rule extends Ready = Ready> = { readonly ready: Rule; readonly result: RuleResult };

/** The more specific goes first, then the one of higher priority, then by id. */
const before = (a: Ready, b: Ready): number =>
  b.tested.names.length - a.tested.names.length ||
  (b.rule.priority ?? 0) - (a.rule.priority ?? 0) ||
  (a.id < b.id ? -1 : 1);

export type Choice<Rule extends Ready = Ready> = {
  /** The first of those that hold. */
  readonly chosen?: Rule;
  /** Those that nobody knows to hold, and that would go before it. */
  readonly rivals: readonly Rule[];
};

/** Chooses one rule of those of a kind. Whatever order they are given in, it is the same one. */
export const choose = <Rule extends Ready>(candidates: readonly Candidate<Rule>[]): Choice<Rule> => {
  let chosen: Rule | undefined;
  for (const { ready, result } of candidates)
    if (result === 'matched' && (chosen === undefined || before(ready, chosen) < 0)) chosen = ready;
  const rivals = candidates.flatMap(({ ready, result }) =>
    result === 'unknown' && (chosen === undefined || before(ready, chosen) < 0) ? [ready] : [],
  );
  return { ...(chosen === undefined ? {} : { chosen }), rivals };
};
