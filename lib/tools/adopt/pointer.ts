import { isObject } from '../../runtime/json.ts';
import { UnreadableDescription } from './failure.ts';
import { maxHops } from './limits.ts';

/** A value of the description with its JSON Pointer (RFC 6901) as a URI fragment. */
export type Place = { readonly value: unknown; readonly at: string };

/** The longest member name in a pointer. */
const maxName = 100;

/** Returns the pointer of a member. Names in it are clipped, without control characters. */
export const stepped = (at: string, name: string): string =>
  `${at}/${name
    .slice(0, maxName)
    .replaceAll(/[\p{C}\p{Z}]/gu, '?')
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')}`;

/** Returns an own member of an object; undefined for another value. */
export const memberOf = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const placeIn = ({ value, at }: Place, ...names: readonly string[]): Place =>
  names.reduce<Place>((place, name) => ({ value: memberOf(place.value, name), at: stepped(place.at, name) }), {
    value,
    at,
  });

/** Returns the members of an object with their places; none for another value. */
export const membersOf = ({ value, at }: Place): readonly (readonly [string, Place])[] =>
  isObject(value)
    ? Object.entries(value).map(([name, member]) => [name, { value: member, at: stepped(at, name) }])
    : [];

/** Returns the items of a list with their places; none for another value. */
export const itemsOf = ({ value, at }: Place): readonly Place[] =>
  Array.isArray(value) ? value.map((item: unknown, index) => ({ value: item, at: stepped(at, String(index)) })) : [];

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const decoded = (part: string): string | undefined => {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
};

const child = (value: unknown, name: string): unknown =>
  Array.isArray(value) && /^\d{1,7}$/.test(name) ? (value as readonly unknown[])[Number(name)] : memberOf(value, name);

const target = (root: unknown, reference: string, from: string): Place => {
  const names = reference === '#' ? [] : reference.slice(2).split('/').map(decoded);
  let place: Place = { value: root, at: '#' };
  for (const name of names) {
    const value = name === undefined ? undefined : child(place.value, name);
    if (name === undefined || value === undefined)
      throw new UnreadableDescription('reference_not_found', from, 'a reference to a value of this file');
    place = { value, at: stepped(place.at, name) };
  }
  return place;
};

/** Returns the reference of a value; undefined for a value without one. */
export const referenceOf = (value: unknown): string | undefined => textOf(memberOf(value, '$ref'));

/**
 * Follows one reference. Nothing outside of the file is read.
 *
 * @throws {UnreadableDescription} for a reference to a file or a URL, and one without a target
 */
export const referred = (root: unknown, reference: string, at: string): Place => {
  const from = stepped(at, '$ref');
  if (reference !== '#' && !reference.startsWith('#/'))
    throw new UnreadableDescription(
      'reference_not_local',
      from,
      'a reference into this file, which begins with #/. Bundle a description of several files first',
    );
  return target(root, reference, from);
};

/** Follows references until a value without one. */
export const resolved = (root: unknown, place: Place): Place => {
  let current = place;
  for (let hops = 0; hops < maxHops; hops += 1) {
    const reference = referenceOf(current.value);
    if (reference === undefined) return current;
    current = referred(root, reference, current.at);
  }
  throw new UnreadableDescription('reference_loop', place.at, `at most ${maxHops} references in a row`);
};
