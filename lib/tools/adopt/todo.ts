import { literal } from './names.ts';

/* The places of an adapter that a person fills in. */

/** Returns the TypeScript of a place that does not compile. `given` are expressions that may help to fill it. */
export const todo = (what: string, ...given: readonly string[]): string =>
  `todo(${[literal(what), ...given].join(', ')})`;

/**
 * The declaration of `todo`. No place has the text of its parameter, and the compiler prints both in one line. It
 * returns `never`, which is assignable to everything: each place gives one error, also inside of others.
 */
export const todoDeclaration = `/** A place to fill in: it does not compile. What follows its text may help. Remove this when no place is left. */
declare const todo: (what: 'FILL IN', ...given: readonly unknown[]) => never;`;
