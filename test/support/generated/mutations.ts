import type { Json, Schema } from './document.ts';

type Members = { readonly [name: string]: Json };
type Step = string | number;

/** A place in a body: its value, and its schema. */
type Site = { readonly path: readonly Step[]; readonly schema: Schema; readonly value: Json };

type Resolve = (schema: Schema) => Schema;

const isMembers = (value: Json): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** Returns the schema of a union that a value fits. */
const branchOf = (resolve: Resolve, schema: Schema, value: Json): Schema => {
  const branches = (schema.anyOf ?? schema.oneOf ?? []).map(resolve);
  return branches.find(({ type }) => (type === 'null') === (value === null)) ?? schema;
};

const innerSchema = ({ properties = {}, patternProperties = {} }: Schema, name: string): Schema | undefined =>
  Object.hasOwn(properties, name)
    ? properties[name]
    : Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern, 'u').test(name))?.[1];

/** Returns every place of a value. The first items of a list represent all. */
const sitesOf = (resolve: Resolve, unresolved: Schema, value: Json, path: readonly Step[] = []): Site[] => {
  const schema = branchOf(resolve, resolve(unresolved), value);
  const inside = isList(value)
    ? value.slice(0, 3).map((item, index) => ({ step: index, item, inner: schema.items }))
    : isMembers(value)
      ? Object.entries(value).map(([step, item]) => ({ step, item, inner: innerSchema(schema, step) }))
      : [];
  return [
    { path, schema, value },
    ...inside.flatMap(({ step, item, inner }) =>
      inner === undefined ? [] : sitesOf(resolve, inner, item, [...path, step]),
    ),
  ];
};

const replaced = (value: Json, [step, ...rest]: readonly Step[], put: Json): Json => {
  if (step === undefined) return put;
  if (isList(value)) return value.map((item, index) => (index === step ? replaced(item, rest, put) : item));
  if (!isMembers(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === step ? replaced(item, rest, put) : item]),
  );
};

const depth = 20_000;

/** JSON that `JSON.stringify` would not write, by its placeholder. */
const raw: Readonly<Record<string, string>> = {
  '<1e400>': '1e400',
  '<-1e400>': '-1e400',
  '<1e308>': '1e308',
  '<2^53 + 1>': '9007199254740993',
  '<10,000 digits>': '9'.repeat(10_000),
  '<deep list>': '['.repeat(depth) + ']'.repeat(depth),
  '<deep object>': '{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
};
const written = (value: Json) =>
  JSON.stringify(value).replaceAll(/"(<[^"<>]+>)"/g, (text, name: string) => raw[name] ?? text);

const others: Readonly<Record<string, Json>> = { string: 'marker', number: 7, boolean: true, object: {}, array: [] };
const typeOf = (value: Json) => (isList(value) ? 'array' : typeof value);
const without = (value: Members, name: string): Members =>
  Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
const withMember = (value: Members, name: string, member: Json): Members =>
  Object.fromEntries([...Object.entries(value), [name, member]]);
/** Fields that a careless merge would write into the prototype of every object, where all objects would have them. */
const poisons: readonly (readonly [name: string, member: Json])[] = [
  ['__proto__', { status: 'completed', quantity: 1, polluted: true }],
  ['constructor', { prototype: { status: 'completed', polluted: true } }],
  ['prototype', { polluted: true }],
];
const isText = ({ value }: Site) => typeof value === 'string';
const isNumber = ({ value }: Site) => typeof value === 'number';

/** Replacements for the value at a site, by the kind of the fault. */
const wrongs: Readonly<Record<string, (site: Site) => readonly Json[]>> = {
  'a missing field': ({ schema, value }) =>
    isMembers(value) ? (schema.required ?? []).map((name) => without(value, name)) : [],
  'an unknown field': ({ value }) =>
    isMembers(value) ? ['linez', '__proto__', 'constructor', ''].map((name) => withMember(value, name, 'marker')) : [],
  'a field that would reach a prototype': ({ value }) =>
    isMembers(value) ? poisons.map(([name, member]) => withMember(value, name, member)) : [],
  'a bad name': ({ schema, value }) =>
    isMembers(value) && schema.patternProperties !== undefined
      ? ['', 'a b', 'ü', '\ud83d', 'x'.repeat(200)].map((name) => withMember(value, name, 'marker'))
      : [],
  null: () => [null],
  'a wrong type': ({ value }) =>
    Object.entries(others).flatMap(([type, other]) => (type === typeOf(value) ? [] : [other])),
  'a number out of range': (site) =>
    isNumber(site) ? [(site.schema.minimum ?? 0) - 1, (site.schema.maximum ?? 2 ** 53) + 1, 1.5] : [],
  'a huge number': (site) =>
    isNumber(site) ? ['<1e400>', '<-1e400>', '<1e308>', '<2^53 + 1>', '<10,000 digits>'] : [],
  'text for a number': ({ value }) =>
    typeof value === 'number' ? ['NaN', 'Infinity', '1e400', '0x10', '', String(value)] : [],
  'too long a text': (site) => (isText(site) ? ['x'.repeat((site.schema.maxLength ?? 5_000) + 1)] : []),
  'an empty text': (site) => (isText(site) ? [''] : []),
  'a text of another form': (site) =>
    isText(site) ? ['marker ü', ' ', '\u0000', '../..', '2026-02-30T00:00:00Z'] : [],
  'half a character': ({ value }) => (typeof value === 'string' ? [`${value}\ud83d`, '\udc4d'] : []),
  'too many items': ({ schema, value }) =>
    isList(value) && value[0] !== undefined ? [Array<Json>((schema.maxItems ?? 1_000) + 1).fill(value[0])] : [],
  'no items': ({ value }) => (isList(value) ? [[]] : []),
  'an item twice': ({ value }) => (isList(value) && value[0] !== undefined ? [[...value, value[0]]] : []),
  'no fields': ({ value }) => (isMembers(value) ? [{}] : []),
  'too many fields': ({ schema, value }) =>
    isMembers(value) && schema.maxProperties !== undefined
      ? [Object.fromEntries(Array.from({ length: schema.maxProperties + 1 }, (_, index) => [`x${index}`, 'y']))]
      : [],
  'deep nesting': () => ['<deep list>', '<deep object>'],
};

export const bodyMutations: readonly string[] = Object.keys(wrongs);

/** Generates bodies with one fault of a kind, where the kind applies. Some may still fit the document. */
export const mutatedBodies = (kind: string, resolve: Resolve, schema: Schema, body: Json): (() => string)[] =>
  sitesOf(resolve, schema, body).flatMap((site) =>
    (wrongs[kind]?.(site) ?? []).map((put) => () => written(replaced(body, site.path, put))),
  );
