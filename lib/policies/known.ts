import type { Value } from './condition.ts';
import type { Facts, LineFacts } from './facts.ts';

/** What a fact is, where it is known. */
export type Found = Value | readonly string[];

/** The facts that a policy looks at, each in its place; undefined for one that is missing. */
export type Known = readonly (Found | undefined)[];

/** In the first place, whatever a policy looks at. */
export const requestedAtPlace = 0;

/** Where each fact of a policy stands: each is read once, however many rules look at it. */
export type Places = { readonly names: readonly string[]; readonly placeOf: (fact: string) => number };

/** Gives facts their places as they are asked for. */
export const places = (): Places => {
  const names = ['requestedAt'];
  return {
    names,
    placeOf: (fact) => {
      const known = names.indexOf(fact);
      return known === -1 ? names.push(fact) - 1 : known;
    },
  };
};

type Fields = Readonly<Record<string, Found | undefined>>;

const read = (name: string, facts: Facts, line: LineFacts | undefined): Found | undefined => {
  const dot = name.indexOf('.');
  if (dot === -1) return facts.requestedAt;
  const group = name.slice(0, dot);
  // Facts hold what the catalogue says that they hold, by these names.
  const fields = (group === 'line' ? line : facts[group as 'order' | 'customer' | 'return']) as unknown;
  return (fields as Fields | undefined)?.[name.slice(dot + 1)];
};

/** Reads the facts of a request that are of the whole, and those of a line where it is about one. */
export const readFacts = (names: readonly string[], facts: Facts, line?: LineFacts): Known =>
  names.map((name) => read(name, facts, line));
