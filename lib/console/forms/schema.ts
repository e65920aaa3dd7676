import type { ConsoleForms, FormSchema } from '../../contract/console.ts';

/** A schema without references. `nullable`: null clears the field (RFC 7396). */
export type Resolved = FormSchema & { readonly nullable?: true };

export type Resolve = (schema: FormSchema) => Resolved;

const isNull = ({ type }: FormSchema): boolean => type === 'null';

/** Makes a function that follows references, and takes the null out of a nullable schema. */
export const resolverOf = ({ schemas }: Pick<ConsoleForms, 'schemas'>): Resolve => {
  const resolve = (schema: FormSchema): Resolved => {
    const { $ref, description, ...rest } = schema;
    const described = description === undefined ? {} : { description };
    const target = $ref === undefined ? undefined : schemas[$ref];
    if (target !== undefined) return { ...resolve(target), ...rest, ...described };
    const variants = schema.anyOf?.filter((variant) => !isNull(variant));
    const [only, ...others] = variants ?? [];
    if (only === undefined || others.length > 0 || variants?.length === schema.anyOf?.length) return schema;
    return { ...resolve(only), ...described, nullable: true };
  };
  return resolve;
};

/** The kinds of fields. Each has its own input. */
export type Kind =
  | 'money'
  | 'object'
  | 'record'
  | 'list'
  | 'union'
  | 'choice'
  | 'boolean'
  | 'integer'
  | 'percent'
  | 'time'
  | 'long'
  | 'code'
  | 'text'
  | 'json';

/** Texts that may be longer than this have an input of several lines. */
const longText = 300;

const isMoney = ({ properties = {} }: FormSchema): boolean =>
  Object.keys(properties).length === 2 && 'amount' in properties && 'currency' in properties;

const textKind = (schema: FormSchema): Kind => {
  if (schema.enum !== undefined) return 'choice';
  if (schema.format === 'date-time') return 'time';
  if (schema.pattern === '^[a-z_]+$') return 'code';
  return schema.pattern === undefined && (schema.maxLength ?? 0) > longText ? 'long' : 'text';
};

const objectKind = (schema: FormSchema): Kind => {
  if (isMoney(schema)) return 'money';
  if (schema.properties !== undefined) return 'object';
  return schema.patternProperties === undefined ? 'json' : 'record';
};

/** Returns the kind of a field. Basis points are shown in percent. */
export const kindOf = (name: string, schema: Resolved): Kind => {
  if (schema.anyOf !== undefined) return 'union';
  switch (schema.type) {
    case 'object':
      return objectKind(schema);
    case 'array':
      return 'list';
    case 'string':
      return textKind(schema);
    case 'boolean':
      return 'boolean';
    case 'integer':
      return /bps$/i.test(name) ? 'percent' : 'integer';
    case undefined:
    default:
      return 'json';
  }
};

/** Returns the value that a field has when a person adds it. Most begin empty. */
export const emptyValue = (name: string, schema: Resolved): unknown => {
  if (schema.default !== undefined) return schema.default;
  const kind = kindOf(name, schema);
  if (kind === 'object' || kind === 'record') return {};
  if (kind === 'list') return [];
  return kind === 'boolean' ? true : undefined;
};

/** The field of a line in an entry of a list: `lineId` in a return, `orderLineId` in an order. */
export type LineKey = 'lineId' | 'orderLineId';

/** Returns the field that names the line, if the schema is a list of units of lines. */
export const lineKeyOf = (resolve: Resolve, schema: Resolved): LineKey | undefined => {
  const names = schema.items === undefined ? {} : (resolve(schema.items).properties ?? {});
  if (Object.keys(names).length < 2) return undefined;
  if ('lineId' in names) return 'lineId';
  return 'orderLineId' in names && 'quantity' in names ? 'orderLineId' : undefined;
};

/** Appends a name to a JSON pointer (RFC 6901). */
export const pointer = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
