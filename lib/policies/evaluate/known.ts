import type { Facts, LineFacts } from '../facts.ts';
import { lineReaders, wholeReaders, type Found, type Reader } from './readers.ts';

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

type Placed<From> = { readonly place: number; readonly read: Reader<From> };

/** How the facts of a policy are read, each into its place: those of the whole, and those of each line. */
export type Reading = {
  readonly whole: readonly (Reader<Facts> | undefined)[];
  readonly line: readonly Placed<LineFacts>[];
};

/** Makes ready to read facts by their names, each into its place. */
export const readingOf = (names: readonly string[]): Reading => ({
  whole: names.map((name) => wholeReaders[name]),
  line: names.flatMap((name, place) => {
    const read = lineReaders[name];
    return read === undefined ? [] : [{ place, read }];
  }),
});

/** Reads what is of a request as a whole. */
export const readWhole = ({ whole }: Reading, facts: Facts): Known => {
  // Pushed, not mapped: what `map` makes the engine stores in another way once it has optimised the call, and then all
  // that was made fast for the arrays of before is made again.
  const known: (Found | undefined)[] = [];
  for (const read of whole) known.push(read?.(facts));
  return known;
};

/** Reads what is of one line, beside what is of the whole. */
export const readLine = ({ line: readers }: Reading, whole: Known, line: LineFacts): Known => {
  const known = [...whole];
  for (const { place, read } of readers) known[place] = read(line);
  return known;
};
