/** The part of JSON Schema 2020-12 in the schemas of the contract, including references to named ones. */
export type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
};

const widest = 100;
const plain: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};
/** The limits that a type cannot express. */
const limits = ['format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'default'];

const indent = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '  ');

/** Returns a comment for the declarations, on one line if it fits. */
export const comment = (...lines: readonly string[]): string => {
  const text = lines.map((line) => line.replaceAll('*/', '*\\/'));
  return text.length === 1
    ? `/** ${text[0]} */\n`
    : `/**\n${text.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
};

/** Returns a union of literals, on separate lines when there are many. */
const union = (members: readonly string[]): string => {
  const line = members.join(' | ');
  const breaks = members.length > 1 && line.length > widest;
  return breaks ? `\n${indent(members.map((member) => `| ${member}`).join('\n'))}` : ` ${line}`;
};

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, '\\$&')}'` : JSON.stringify(value);

/** Returns the comment of a field: its meaning, and the limits that its type cannot express. */
const commentOf = (schema: Schema): string => {
  const present = limits.filter((keyword) => schema[keyword] !== undefined);
  const lines = [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(present.length === 0 ? [] : [present.map((keyword) => `${keyword} ${String(schema[keyword])}`).join(', ')]),
  ];
  return lines.length === 0 ? '' : comment(...lines);
};

/** Returns the fields of an object, one on each line. */
export const fieldsOf = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?';
      return `${commentOf(schema)}${/^\w+$/.test(name) ? name : literal(name)}${mark}:${union(membersOf(schema))};\n`;
    })
    .join('');

/** Returns a block in braces, such as fields or methods. */
export const block = (lines: string): string => (lines === '' ? '{}' : `{\n${indent(lines)}}`);

const objectOf = (schema: Schema): string => {
  const values = Object.values(schema.patternProperties ?? {});
  return values.length === 0 ? block(fieldsOf(schema)) : `{ [name: string]: ${values.map(typeOf).join(' | ')} }`;
};

const listOf = (member: string): string => (/^\w+$/.test(member) ? `${member}[]` : `Array<${member}>`);

/**
 * Returns the TypeScript types of a schema, as far as types can express it.
 *
 * @throws {Error} for a kind of schema that is not supported yet
 */
const membersOf = (schema: Schema): string[] => {
  const { $ref, type = '', enum: words, anyOf, items } = schema;
  if ($ref !== undefined) return [$ref];
  if (words !== undefined) return words.map(literal);
  if ('const' in schema) return [literal(schema.const)];
  if (anyOf !== undefined) return anyOf.flatMap(membersOf);
  if (type === 'array' && items !== undefined) return [listOf(typeOf(items))];
  if (type === 'object') return [objectOf(schema)];
  if (Object.keys(schema).every((key) => key === 'description')) return ['unknown'];
  const name = plain[type];
  if (name === undefined) throw new Error(`no type for the schema ${JSON.stringify(schema)}`);
  return [name];
};

/** Returns the TypeScript type of a schema. */
export const typeOf = (schema: Schema): string => membersOf(schema).join(' | ');

/** Returns the exported declaration of a name for a schema. */
export const declare = (name: string, schema: Schema): string =>
  schema.type === 'object' && schema.patternProperties === undefined
    ? `export interface ${name} ${objectOf(schema)}\n`
    : `export type ${name} =${union(membersOf(schema))};\n`;
