import type { Facts } from '../facts.ts';
import { selectionFactsOf, selects, specificity } from '../lifecycle/in-force.ts';
import type { Selectors } from '../policy.ts';

/** An item counted under a name. Lists of items are sorted by name, and each name is unique. */
type NamedItem = { readonly name: string };

const byName = (a: NamedItem, b: NamedItem): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Merges two lists. Items with the same name are joined. */
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

/** Sorts a list of items in any order, and joins items with the same name. */
export const collectByName = <Item extends NamedItem>(
  items: readonly Item[],
  join: (a: Item, b: Item) => Item,
): readonly Item[] => items.reduce<readonly Item[]>((list, item) => mergeByName(list, [item], join), []);

/**
 * Returns whether a draft would have decided in place of a version.
 * It must select the order. It must also belong to the same policy, or be more specific than the version that decided.
 * A third policy that would precede both is not considered.
 *
 * @param decided the policy that decided, and the selectors of its version
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

/** Money in minor units of a currency, its `name`: additional payments and reduced ones. The two are not offset. */
export type MoneyDelta = { readonly name: string; readonly up: number; readonly down: number };

const join = (a: MoneyDelta, b: MoneyDelta): MoneyDelta => ({ name: a.name, up: a.up + b.up, down: a.down + b.down });

export const mergeMoneyDeltas = (a: readonly MoneyDelta[], b: readonly MoneyDelta[]): readonly MoneyDelta[] =>
  mergeByName(a, b, join);

/** Returns the change of an amount; an empty list when it is zero. */
export const moneyDelta = (currency: string, amount: number): readonly MoneyDelta[] =>
  amount === 0 ? [] : [{ name: currency, up: Math.max(0, amount), down: Math.max(0, -amount) }];

/**
 * Lines of one group whose verdict changes, with the worth of their goods.
 * They are counted as better or worse for the customer.
 */
export type LineGroup = {
  readonly name: string;
  readonly better: number;
  readonly worse: number;
  /** Goods that become or cease to be returnable, at their selling price, without fees. */
  readonly worth: readonly MoneyDelta[];
};

/** The first names, and all others together in `rest`, which has no name. */
export type LineGroups = { readonly named: readonly LineGroup[]; readonly rest?: Omit<LineGroup, 'name'> };

/**
 * A shop may have any number of categories. The names alone decide which of them are listed. So all partitions leave
 * out the same names, and no name is counted in part.
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
