import { collected, joined } from './keyed.ts';

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
const mostNames = 200;

const restName = '';

const add = (a: Group, b: Group): Group => ({
  name: a.name,
  better: a.better + b.better,
  worse: a.worse + b.worse,
  worth: mergeMoved(a.worth, b.worth),
});

const cut = (groups: readonly Group[], rests: readonly Omit<Group, 'name'>[]): Groups => {
  const left = [...groups.slice(mostNames), ...rests].map((group) => ({ ...group, name: restName }));
  const [rest] = collected(left, add);
  if (rest === undefined) return { named: groups };
  const { name: _, ...counted } = rest;
  return { named: groups.slice(0, mostNames), rest: counted };
};

export const noGroups: Groups = { named: [] };

export const groupsOf = (groups: readonly Group[]): Groups => cut(collected(groups, add), []);

export const mergeGroups = (a: Groups, b: Groups): Groups =>
  cut(joined(a.named, b.named, add), [a.rest ?? [], b.rest ?? []].flat());
