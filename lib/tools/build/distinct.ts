import { isWellFormed } from '../../contract/validation/input-limits.ts';
import { canonicalJson } from '../../domain/returns/history/canonical-json.ts';

/**
 * Whether all items of a list are different JSON values, in time linear in their size. Items with ill-formed text have
 * no canonical JSON. They count as distinct, because the request fails for the text anyway.
 */
export const areDistinct = (items: readonly unknown[]): boolean =>
  !isWellFormed(items) || new Set(items.map(canonicalJson)).size === items.length;
