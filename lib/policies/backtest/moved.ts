import type { Facts } from '../facts.ts';
import { selectedBy, selects, specificity } from '../life/selection.ts';
import type { Selectors } from '../policy.ts';

/** What is counted under a name; lists of it are sorted by name, each name once. */
type Named = { readonly name: string };

const byName = (a: Named, b: Named): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Two lists as one; what both name is joined. */
export const joined = <Item extends Named>(
  a: readonly Item[],
  b: readonly Item[],
  join: (a: Item, b: Item) => Item,
): readonly Item[] => {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const items = new Map(a.map((item) => [item.name, item]));
  for (const item of b) {
    const known = items.get(item.name);
    items.set(item.name, known === undefined ? item : join(known, item));
  }
  return [...items.values()].toSorted(byName);
};

/** A list of what came in any order, sorted and joined. */
export const collected = <Item extends Named>(
  items: readonly Item[],
  join: (a: Item, b: Item) => Item,
): readonly Item[] => items.reduce<readonly Item[]>((list, item) => joined(list, [item], join), []);

/**
 * Whether a draft would decide what a version decided: it must be for the order, and either be of the same policy or
 * narrower than the one that decided. Whether a third policy would go before both is not looked at.
 *
 * @param decided the policy that decided, and what the version of then selected
 * @param draft the same of the draft
 */
export const wouldDecide = (
  { order, customer }: Facts,
  decided: { readonly policyId: string; readonly selectors?: Selectors | undefined },
  draft: { readonly policyId: string; readonly selectors?: Selectors | undefined },
): boolean => {
  const { country, channel, market, seller } = order;
  const selected = selectedBy({ country, channel, market, seller, segment: customer.segment });
  return (
    selects(draft.selectors, selected) &&
    (draft.policyId === decided.policyId || specificity(draft.selectors) > specificity(decided.selectors))
  );
};

/** Money in minor units of a currency, its `name`: what would be paid more, and what less. Neither hides the other. */
export type Moved = { readonly name: string; readonly up: number; readonly down: number };

const join = (a: Moved, b: Moved): Moved => ({ name: a.name, up: a.up + b.up, down: a.down + b.down });

export const mergeMoved = (a: readonly Moved[], b: readonly Moved[]): readonly Moved[] => joined(a, b, join);

/** Money by which something changes; nothing where it does not. */
export const movedBy = (currency: string, amount: number): readonly Moved[] =>
  amount === 0 ? [] : [{ name: currency, up: Math.max(0, amount), down: Math.max(0, -amount) }];

/** Lines of one kind whose verdict changes: to the better of the customer and to the worse, and what their goods are worth. */
export type Group = {
  readonly name: string;
  readonly better: number;
  readonly worse: number;
  /** Goods that may come back now, or may no more, as they were sold: fees are of the whole return. */
  readonly worth: readonly Moved[];
};

/** The first names, and all others together: `rest` has no name. */
export type Groups = { readonly named: readonly Group[]; readonly rest?: Omit<Group, 'name'> };

/**
 * A shop may have any number of categories. Which of them are named follows from the names alone: a name that is left out
 * of one part of a report is so of the whole, and none is counted in half.
 */
const maxNames = 200;

const restName = '';

const add = (a: Group, b: Group): Group => ({
  name: a.name,
  better: a.better + b.better,
  worse: a.worse + b.worse,
  worth: mergeMoved(a.worth, b.worth),
});

const cut = (groups: readonly Group[], rests: readonly Omit<Group, 'name'>[]): Groups => {
  const left = [...groups.slice(maxNames), ...rests].map((group) => ({ ...group, name: restName }));
  const [rest] = collected(left, add);
  if (rest === undefined) return { named: groups };
  const { name: _, ...counted } = rest;
  return { named: groups.slice(0, maxNames), rest: counted };
};

export const noGroups: Groups = { named: [] };

export const groupsOf = (groups: readonly Group[]): Groups => cut(collected(groups, add), []);

export const mergeGroups = (a: Groups, b: Groups): Groups =>
  cut(joined(a.named, b.named, add), [a.rest ?? [], b.rest ?? []].flat());
