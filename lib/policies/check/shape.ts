import type { FieldError } from '../../returns/model/status.ts';

/** What is wrong with a value at a place (JSON Pointer); nothing where it is right. Faults are made as they are asked for. */
export type Check = (value: unknown, path: string) => Iterable<FieldError>;

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One step of a JSON Pointer (RFC 6901, 3). */
export const pointerStep = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

type OptionalKeys<Of> = {
  [Key in keyof Of]-?: Partial<Pick<Of, Key>> extends Pick<Of, Key> ? Key : never;
}[keyof Of];
type Required<Of> = { readonly [Key in Exclude<keyof Of, OptionalKeys<Of>>]: Check };
type Optional<Of> = { readonly [Key in OptionalKeys<Of>]: Check };

/** One field that must be there; of one that is not, its check says what it would have to be. */
export function* field(name: string, check: Check, of: Members, place: string): Iterable<FieldError> {
  const path = place + pointerStep(name);
  if (Object.hasOwn(of, name)) return yield* check(of[name], path);
  for (const { message } of check(undefined, path))
    return yield { path, code: 'required', message: `is required: ${message}` };
}

/**
 * An object with some fields and no others.
 *
 * @param what it is, for who names a field that it does not have
 */
export const fields = (
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
  what: string,
): Check => {
  const noField = `is no field of ${what}; there are ${Object.keys({ ...required, ...optional }).join(', ')}`;
  return function* (value, path) {
    if (!isMembers(value)) return yield { path, code: 'type', message: 'must be an object' };
    for (const [name, check] of Object.entries(required)) yield* field(name, check, value, path);
    for (const [name, inner] of Object.entries(value)) {
      const at = path + pointerStep(name);
      if (Object.hasOwn(optional, name)) yield* optional[name]?.(inner, at) ?? [];
      else if (!Object.hasOwn(required, name)) yield { path: at, code: 'unknown_field', message: noField };
    }
  };
};

/** As `fields`, with those of a type: the one cannot change without the other. */
export const typedFields = <Of>(required: Required<Of>, optional: Optional<Of>, what: string): Check =>
  fields(required, optional, what);

/** A list whose items are looked at only where they are not too many. */
export const listOf = (check: Check, maximum: number, minimum = 0): Check =>
  function* (value, path) {
    if (!Array.isArray(value)) return yield { path, code: 'type', message: 'must be a list' };
    if (value.length > maximum) return yield { path, code: 'max_items', message: `must have at most ${maximum} items` };
    if (value.length < minimum) yield { path, code: 'min_items', message: `must have at least ${minimum}` };
    for (const [index, item] of value.entries()) yield* check(item, `${path}/${index}`);
  };

/** What a name may be by which a policy calls something of its own. */
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const invalidNameMessage = 'must have a name such as holidays: 1 to 64 of A-Z, a-z, 0-9, _ and -, with a letter first';
export const isName = (text: string): boolean => namePattern.test(text);

/** Values by names that the policy chose, looked at only where they are not too many. */
export const mapOf = (check: Check, maximum: number): Check =>
  function* (value, path) {
    if (!isMembers(value)) return yield { path, code: 'type', message: 'must be an object' };
    if (Object.keys(value).length > maximum)
      return yield { path, code: 'max_properties', message: `must have at most ${maximum} names` };
    for (const [name, inner] of Object.entries(value)) {
      const at = path + pointerStep(name);
      if (isName(name)) yield* check(inner, at);
      else yield { path: at, code: 'pattern', message: invalidNameMessage };
    }
  };
