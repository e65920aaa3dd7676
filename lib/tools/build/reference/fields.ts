import type { Schema } from '../typescript.ts';
import { linkTo } from './page.ts';

/** What a table of fields shows: path, type, whether it is required, meaning and limits. */
export const fieldColumns = ['Field', 'Type', 'Required', 'Meaning'] as const;

/** The name of the component that a `$ref` names. */
export const referencedName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

const codes = (values: readonly unknown[]): string => values.map((value) => `\`${String(value)}\``).join(', ');

/** The type of a schema as a reader names it. */
export const typeText = (schema: Schema): string => {
  const { $ref, type = '', enum: values, anyOf, oneOf = anyOf, items } = schema;
  // A reference with a text of its own, as AsyncAPI has it.
  if (schema.allOf?.length === 1) return schema.allOf.map(typeText).join('');
  if ($ref !== undefined) return linkTo('types', referencedName($ref));
  if (values !== undefined) return 'one of';
  if ('const' in schema) return 'constant';
  if (oneOf !== undefined) return [...new Set(oneOf.map(typeText))].join(' or ');
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeText(items)}`;
  if (type === 'object' && schema.patternProperties !== undefined) return 'object by name';
  return type === '' ? 'any' : type;
};

const range = (low: unknown, high: unknown, unit: string): string | undefined => {
  const [min, max] = [low, high].map((limit) => (typeof limit === 'number' ? limit.toLocaleString('en') : undefined));
  if (min === undefined) return max === undefined ? undefined : `At most ${max}${unit}.`;
  return max === undefined ? `At least ${min}${unit}.` : `${min} to ${max}${unit}.`;
};

/** The limits of a value, as sentences. */
export const limitsText = (schema: Schema): string => {
  const { items, description = '' } = schema;
  // A text that explains each value is the better list.
  const isExplained = schema.enum?.every((value) => description.includes(`\`${String(value)}\``)) === true;
  const values = isExplained ? undefined : schema.enum;
  const sentences = [
    values === undefined ? undefined : `${codes(values)}.`,
    'const' in schema ? `${codes([schema['const']])}.` : undefined,
    items?.enum === undefined ? undefined : `${codes(items.enum)}.`,
    range(schema['minimum'], schema['maximum'], ''),
    range(schema['minLength'], schema['maxLength'], ' characters'),
    range(schema['minItems'], schema['maxItems'], ' items'),
    typeof schema['x-expected'] === 'string' ? `Must be ${schema['x-expected']}.` : undefined,
    schema['default'] === undefined ? undefined : `Default: \`${JSON.stringify(schema['default'])}\`.`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
};

const meaningOf = (schema: Schema): string =>
  [schema.description, limitsText(schema)].filter((text) => text !== undefined && text !== '').join(' ');

const isObject = (schema: Schema): boolean => schema.properties !== undefined && schema.$ref === undefined;

/** The object inside a field that the table unfolds: the field itself, an item, or one of its alternatives. */
const innerOf = (schema: Schema): { readonly schema: Schema; readonly suffix: string } | undefined => {
  if (isObject(schema)) return { schema, suffix: '' };
  if (schema.items !== undefined && isObject(schema.items)) return { schema: schema.items, suffix: '[]' };
  const alternative = schema.anyOf?.find(isObject);
  return alternative === undefined ? undefined : { schema: alternative, suffix: '' };
};

/** Inline objects deeper than this are not unfolded. The contract has none. */
const maxDepth = 6;

/** The rows of a schema's fields; those of inline objects follow their field with a dotted path. */
export const fieldRows = (schema: Schema, prefix = '', depth = 0): readonly (readonly string[])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const required = schema.required?.includes(name) === true ? 'yes' : 'no';
    const inner = depth < maxDepth ? innerOf(field) : undefined;
    return [
      [`\`${path}\``, typeText(field), required, meaningOf(field)],
      ...(inner === undefined ? [] : fieldRows(inner.schema, `${path}${inner.suffix}.`, depth + 1)),
    ];
  });
