import { literal } from './names.ts';

/* The places of an adapter that a person fills in. */

/** Returns the TypeScript of a place that does not compile. `given` are expressions that may help to fill it. */
export const todo = (what: string, ...given: readonly string[]): string =>
  `todo(${[literal(what), ...given].join(', ')})`;

/**
 * The declaration of `todo`. Its parameter has a type that no text has, and the compiler prints the text. It returns
 * `never`, which is assignable to everything: each place gives one error, also inside of others.
 */
export const todoDeclaration = `declare const place: unique symbol;
type FillIn<What extends string> = { readonly [place]: What };
/** A place to fill in: it does not compile. What follows its text may help. Remove this when no place is left. */
declare const todo: <const What extends string>(what: What & FillIn<What>, ...given: readonly unknown[]) => never;`;
