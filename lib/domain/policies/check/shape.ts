import type { FieldError } from '../../returns/model/status.ts';

/** A JSON Schema (2020-12). With `$id` it becomes a named schema of the OpenAPI document. */
export type Schema = Readonly<Record<string, unknown>>;

/** Yields the errors of a value at a JSON Pointer, none when it is valid. The errors are made lazily. */
type Errors = (value: unknown, path: string) => Iterable<FieldError>;

/** The errors of a value, and the schema for readers: it accepts each value without errors, and some with errors. */
export type Check = Errors & { readonly schema: Schema };

/** Returns a check with its schema. */
export const check = (schema: Schema, errors: Errors): Check => Object.assign(errors, { schema });

/** Returns the same check. Its schema has a name of its own in the OpenAPI document. */
export const named = ($id: string, of: Check): Check => check({ $id, ...of.schema }, (value, path) => of(value, path));

export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

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

/** Checks a required field. The message for a missing field repeats what its check expects. */
export function* field(name: string, check: Errors, of: Members, parentPath: string): Iterable<FieldError> {
  const path = parentPath + pointerStep(name);
  if (Object.hasOwn(of, name)) return yield* check(of[name], path);
  for (const { message } of check(undefined, path))
    return yield { path, code: 'required', message: `is required: ${message}` };
}

/**
 * Checks an object with given fields and no others.
 *
 * @param what the name of the object in messages about unknown fields
 */
export const fields = (
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
  what: string,
): Check => {
  const noField = `is not a field of ${what}; the fields are ${Object.keys({ ...required, ...optional }).join(', ')}`;
  const schemas = Object.entries({ ...required, ...optional }).map(([name, { schema }]) => [name, schema] as const);
  const schema = {
    type: 'object',
    description: `${capitalised(what)}.`,
    required: Object.keys(required),
    properties: Object.fromEntries(schemas),
    additionalProperties: false,
  };
  return check(schema, function* (value, path) {
    if (!isMembers(value)) return yield { path, code: 'type', message: 'must be an object' };
    for (const [name, inner] of Object.entries(required)) yield* field(name, inner, value, path);
    for (const [name, inner] of Object.entries(value)) {
      const at = path + pointerStep(name);
      if (Object.hasOwn(optional, name)) yield* optional[name]?.(inner, at) ?? [];
      else if (!Object.hasOwn(required, name)) yield { path: at, code: 'unknown_field', message: noField };
    }
  });
};

/** Works as `fields`, with the fields of a type, so that both change together. */
export const typedFields = <Of>(required: Required<Of>, optional: Optional<Of>, what: string): Check =>
  fields(required, optional, what);

/** Checks a list. Its items are checked only when it is not too long. */
export const listOf = (item: Check, maximum: number, minimum = 0): Check =>
  check({ type: 'array', items: item.schema, minItems: minimum, maxItems: maximum }, function* (value, path) {
    if (!Array.isArray(value)) return yield { path, code: 'type', message: 'must be a list' };
    if (value.length > maximum) return yield { path, code: 'max_items', message: `must have at most ${maximum} items` };
    if (value.length < minimum) yield { path, code: 'min_items', message: `must have at least ${minimum} items` };
    for (const [index, inner] of value.entries()) yield* item(inner, `${path}/${index}`);
  });

/** The pattern of names that a policy defines. */
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const nameInWords = 'a name such as holidays: 1 to 64 of A-Z, a-z, 0-9, _ and -, with a letter first';
export const isName = (text: string): boolean => namePattern.test(text);

/** Checks values by names that the policy defines, only when they are not too many. */
export const mapOf = (of: Check, maximum: number): Check => {
  const schema = {
    type: 'object',
    patternProperties: { [namePattern.source]: of.schema },
    'x-expected': nameInWords,
    additionalProperties: false,
    maxProperties: maximum,
  };
  return check(schema, function* (value, path) {
    if (!isMembers(value)) return yield { path, code: 'type', message: 'must be an object' };
    if (Object.keys(value).length > maximum)
      return yield { path, code: 'max_properties', message: `must have at most ${maximum} names` };
    for (const [name, inner] of Object.entries(value)) {
      const at = path + pointerStep(name);
      if (isName(name)) yield* of(inner, at);
      else yield { path: at, code: 'pattern', message: `must have ${nameInWords}` };
    }
  });
};
