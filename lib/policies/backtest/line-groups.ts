import type { Facts } from '../facts.ts';
import { selectionFactsOf, selects, specificity } from '../life/selection.ts';
import type { Selectors } from '../policy.ts';

/** What is counted under a name; lists of it are sorted by name, each name once. */
type NamedItem = { readonly name: string };

const byName = (a: NamedItem, b: NamedItem): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Two lists as one; what both name is joined. */
export const mergeByName = <Item extends NamedItem>(
  a: readonly Item[],
  b: readonly Item[],
  addMoneyDeltas: (a: Item, b: Item) => Item,
): readonly Item[] => {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const items = new Map(a.map((item) => [item.name, item]));
  for (const item of b) {
    const known = items.get(item.name);
    items.set(item.name, known === undefined ? item : addMoneyDeltas(known, item));
  }
  return [...items.values()].toSorted(byName);
};

/** A list of what came in any order, sorted and joined. */
export const collectByName = <Item extends NamedItem>(
  items: readonly Item[],
  join: (a: Item, b: Item) => Item,
): readonly Item[] => items.reduce<readonly Item[]>((list, item) => mergeByName(list, [item], join), []);

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
  const selected = selectionFactsOf({ country, channel, market, seller, segment: customer.segment });
  return (
    selects(draft.selectors, selected) &&
    (draft.policyId === decided.policyId || specificity(draft.selectors) > specificity(decided.selectors))
  );
};

/** Money in minor units of a currency, its `name`: what would be paid more, and what less. Neither hides the other. */
export type MoneyDelta = { readonly name: string; readonly up: number; readonly down: number };

const join = (a: MoneyDelta, b: MoneyDelta): MoneyDelta => ({ name: a.name, up: a.up + b.up, down: a.down + b.down });

export const mergeMoneyDeltas = (a: readonly MoneyDelta[], b: readonly MoneyDelta[]): readonly MoneyDelta[] =>
  mergeByName(a, b, join);

/** Money by which something changes; nothing where it does not. */
export const moneyDelta = (currency: string, amount: number): readonly MoneyDelta[] =>
  amount === 0 ? [] : [{ name: currency, up: Math.max(0, amount), down: Math.max(0, -amount) }];

/** Lines of one kind whose verdict changes: to the better of the customer and to the worse, and what their goods are worth. */
export type LineGroup = {
  readonly name: string;
  readonly better: number;
  readonly worse: number;
  /** Goods that may come back now, or may no more, as they were sold: fees are of the whole return. */
  readonly worth: readonly MoneyDelta[];
};

/** The first names, and all others together: `rest` has no name. */
export type LineGroups = { readonly named: readonly LineGroup[]; readonly rest?: Omit<LineGroup, 'name'> };

/**
 * A shop may have any number of categories. Which of them are named follows from the names alone: a name that is left out
 * of one part of a report is so of the whole, and none is counted in half.
 */
const maxNames = 200;

const restName = '';

const addLineGroups = (a: LineGroup, b: LineGroup): LineGroup => ({
  name: a.name,
  better: a.better + b.better,
  worse: a.worse + b.worse,
  worth: mergeMoneyDeltas(a.worth, b.worth),
});

const limitNames = (groups: readonly LineGroup[], rests: readonly Omit<LineGroup, 'name'>[]): LineGroups => {
  const left = [...groups.slice(maxNames), ...rests].map((group) => ({ ...group, name: restName }));
  const [rest] = collectByName(left, addLineGroups);
  if (rest === undefined) return { named: groups };
  const { name: _, ...counted } = rest;
  return { named: groups.slice(0, maxNames), rest: counted };
};

export const noLineGroups: LineGroups = { named: [] };

export const toLineGroups = (groups: readonly LineGroup[]): LineGroups =>
  limitNames(collectByName(groups, addLineGroups), []);

export const mergeLineGroups = (a: LineGroups, b: LineGroups): LineGroups =>
  limitNames(mergeByName(a.named, b.named, addLineGroups), [a.rest ?? [], b.rest ?? []].flat());
