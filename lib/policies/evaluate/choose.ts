import type { Ready } from './compile.ts';
import type { RuleResult } from '../evaluation.ts';

/** The more specific goes first, then the one of higher priority, then by id. */
const before = (a: Ready, b: Ready): number =>
  b.tested.names.length - a.tested.names.length ||
  (b.rule.priority ?? 0) - (a.rule.priority ?? 0) ||
  (a.id < b.id ? -1 : 1);

export type Choice<Rule extends Ready = Ready> = {
  /** The first of those that hold. */
  readonly chosen: Rule | undefined;
  /** Those that nobody knows to hold, and that would go before it. */
  readonly rivals: readonly Rule[];
};

/**
 * Chooses one rule of those of a kind. Whatever order they are given in, it is the same one.
 *
 * @param results what the condition of each of the rules came to, in their places
 */
export const choose = <Rule extends Ready>(
  rules: readonly Rule[],
  results: readonly RuleResult[],
  kind: string,
): Choice<Rule> => {
  let chosen: Rule | undefined;
  const unknown: Rule[] = [];
  for (let place = 0; place < rules.length; place += 1) {
    const ready = rules[place];
    if (ready?.kind !== kind) continue;
    const result = results[place];
    if (result === 'unknown') unknown.push(ready);
    if (result === 'matched' && (chosen === undefined || before(ready, chosen) < 0)) chosen = ready;
  }
  const first = chosen;
  return { chosen, rivals: first === undefined ? unknown : unknown.filter((ready) => before(ready, first) < 0) };
};
