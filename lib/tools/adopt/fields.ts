import { isObject } from '../../runtime/json.ts';
import { itemsOf, memberOf, membersOf, type Place, placeIn, resolved, textOf } from './pointer.ts';

/** A field of an object in the description. */
export type Field = { readonly schema: Place; readonly isOptional: boolean };
export type Fields = ReadonlyMap<string, Field>;

/** The deepest nesting of variants of a list. */
const maxLevels = 10;

const isNull = (schema: unknown): boolean => memberOf(schema, 'type') === 'null';

/** Returns the variants of a schema, besides null. */
export const variantsOf = (root: unknown, place: Place): readonly Place[] => {
  const schema = resolved(root, place);
  return ['oneOf', 'anyOf']
    .flatMap((name) => itemsOf(placeIn(schema, name)))
    .filter((variant) => !isNull(resolved(root, variant).value));
};

const onlyVariant = (root: unknown, schema: Place): Place | undefined => {
  const variants = variantsOf(root, schema);
  return variants.length === 1 ? variants[0] : undefined;
};

/** Whether a schema itself allows null, besides its variants. */
export const isNullable = (schema: unknown): boolean => {
  const type = memberOf(schema, 'type');
  return (
    memberOf(schema, 'nullable') === true ||
    memberOf(schema, 'x-nullable') === true ||
    (Array.isArray(type) && type.includes('null'))
  );
};

/** Whether a value of a schema may be null. */
export const hasNull = (schema: unknown): boolean =>
  isNullable(schema) ||
  ['oneOf', 'anyOf'].some((name) => {
    const variants = memberOf(schema, name);
    return Array.isArray(variants) && variants.some(isNull);
  });

/** Returns the fields of an object schema, also those of its parts in allOf, by name. */
export const fieldsOf = (root: unknown, place: Place): Fields => {
  const found = new Map<string, Field>();
  const seen = new Set<string>();
  const collect = (from: Place): void => {
    const schema = resolved(root, from);
    if (seen.has(schema.at) || !isObject(schema.value)) return;
    seen.add(schema.at);
    const required = new Set(itemsOf(placeIn(schema, 'required')).map(({ value }) => value));
    for (const [name, member] of membersOf(placeIn(schema, 'properties')))
      found.set(name, {
        schema: member,
        isOptional: !required.has(name) || hasNull(resolved(root, member).value),
      });
    for (const part of itemsOf(placeIn(schema, 'allOf'))) collect(part);
    const only = onlyVariant(root, schema);
    if (only !== undefined) collect(only);
  };
  collect(place);
  return found;
};

/** Returns the schema of the items of a list; undefined for another schema. */
export const listItem = (root: unknown, place: Place, level = 0): Place | undefined => {
  const schema = resolved(root, place);
  const items = placeIn(schema, 'items');
  if (items.value !== undefined) return items;
  const only = level > maxLevels ? undefined : onlyVariant(root, schema);
  return only === undefined ? undefined : listItem(root, only, level + 1);
};

/** Whether the values of a schema are numbers. */
export const isNumeric = (root: unknown, place: Place, level = 0): boolean => {
  const schema = resolved(root, place);
  const types = [memberOf(schema.value, 'type')].flat().filter((type) => type !== undefined && type !== 'null');
  if (types.length > 0) return types.every((type) => type === 'integer' || type === 'number');
  const only = level > maxLevels ? undefined : onlyVariant(root, schema);
  return only !== undefined && isNumeric(root, only, level + 1);
};

/** Returns a word of an enumeration as text. A service may number its words. */
const wordOf = (value: unknown): string | undefined => (Number.isSafeInteger(value) ? String(value) : textOf(value));

const enumWords = (schema: Place): readonly string[] =>
  [...itemsOf(placeIn(schema, 'enum')).map(({ value }) => value), memberOf(schema.value, 'const')].flatMap(
    (word) => wordOf(word) ?? [],
  );

/** Returns the words of an enumeration: of the schema, its parts and its variants. */
export const wordsOfSchema = (root: unknown, place: Place): readonly string[] => {
  const words = new Set<string>();
  const seen = new Set<string>();
  const collect = (from: Place): void => {
    const schema = resolved(root, from);
    if (seen.has(schema.at)) return;
    seen.add(schema.at);
    for (const word of enumWords(schema)) words.add(word);
    for (const name of ['oneOf', 'anyOf', 'allOf']) for (const part of itemsOf(placeIn(schema, name))) collect(part);
  };
  collect(place);
  return [...words];
};
