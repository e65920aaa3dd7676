import { editDistance } from '../../runtime/nearest.ts';

/** Returns one step of a JSON Pointer (RFC 6901, 3). */
export const pointer = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Names of this API are shorter. A longer name of a caller is not compared, so that the cost stays bounded. */
const maxName = 40;
/** A longer list of names helps no reader. */
const maxNames = 12;

/** Sorts names by their distance to the name of a caller, the nearest first. */
const byDistance = (name: string, allowed: readonly string[]) =>
  allowed
    .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);

const list = (names: readonly string[]): string =>
  `Allowed: ${names.slice(0, maxNames).join(', ')}${names.length > maxNames ? ', …' : ''}`;

/**
 * Makes the message for an unknown field: the allowed fields, the nearest first, and a suggestion. It repeats the name
 * only when it is short and plain.
 */
export const unknownField = (name: string, allowed: readonly string[]): string => {
  if (allowed.length === 0) return 'is not allowed: no field is expected here';
  if (name.length > maxName || !/^[\w.-]+$/.test(name)) return `Unknown field. ${list(allowed)}`;
  const nearest = byDistance(name, allowed);
  const [first] = nearest;
  const isNear = first !== undefined && first.distance <= Math.max(1, Math.floor(name.length / 3));
  const guess = isNear ? ` Did you mean "${first.known}"?` : '';
  return `Unknown field "${name}".${guess} ${list(nearest.map(({ known }) => known))}`;
};
