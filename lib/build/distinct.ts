import { isWellFormed } from '../http/body.ts';
import { canonicalJson } from '../returns/history/canonical-json.ts';

/**
 * Whether no two items of a list are the same JSON value, in time linear in their size. Items with broken text have no
 * canonical JSON: they count as distinct, and the request is refused for the text.
 */
export const areDistinct = (items: readonly unknown[]): boolean =>
  !isWellFormed(items) || new Set(items.map(canonicalJson)).size === items.length;
