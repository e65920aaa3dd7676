import type { Ready } from './compile.ts';
import type { RuleResult } from '../evaluation.ts';

/** A rule that holds, or might. */
export type Candidate = { readonly ready: Ready; readonly result: RuleResult };

/** The more specific goes first, then the one of higher priority, then by id. */
const before = (a: Ready, b: Ready): number =>
  b.tested.names.length - a.tested.names.length ||
  (b.rule.priority ?? 0) - (a.rule.priority ?? 0) ||
  (a.rule.id < b.rule.id ? -1 : 1);

export type Choice = {
  /** The first of those that hold. */
  readonly chosen?: Ready;
  /** Those that nobody knows to hold, and that would go before it. */
  readonly rivals: readonly Ready[];
};

/** Chooses one rule of those of a kind. Whatever order they are given in, it is the same one. */
export const choose = (candidates: readonly Candidate[]): Choice => {
  let chosen: Ready | undefined;
  for (const { ready, result } of candidates)
    if (result === 'matched' && (chosen === undefined || before(ready, chosen) < 0)) chosen = ready;
  const rivals = candidates.flatMap(({ ready, result }) =>
    result === 'unknown' && (chosen === undefined || before(ready, chosen) < 0) ? [ready] : [],
  );
  return { ...(chosen === undefined ? {} : { chosen }), rivals };
};
