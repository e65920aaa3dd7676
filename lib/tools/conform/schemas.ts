import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type JsonObject } from '../../runtime/json.ts';

/* Validates values by schemas of OpenAPI, Swagger and our contract. Each schema is compiled once. */

/** Returns the differences between a value and a schema: a path in the value, and what must be there. */
export type Validate = (schema: unknown, value: unknown) => readonly string[];

/** The bounds that OpenAPI 3.0 and Swagger 2.0 exclude by a switch, and JSON Schema by the bound itself. */
const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

const withExclusiveBounds = (schema: JsonObject): JsonObject =>
  bounds.reduce((changed, [bound, exclusive]) => {
    if (typeof changed[exclusive] !== 'boolean') return changed;
    const { [bound]: value, [exclusive]: isExclusive, ...rest } = changed;
    return { ...rest, ...(value !== undefined && { [isExclusive === true ? exclusive : bound]: value }) };
  }, schema);

/** Writes `nullable` as JSON Schema does: the validator knows it only beside `type`. */
const withNullType = (schema: JsonObject): JsonObject => {
  const { nullable, ...rest } = schema;
  if (typeof nullable !== 'boolean') return schema;
  return nullable ? { anyOf: [rest, { type: 'null' }] } : rest;
};

/** The name of the document for references into it, which schemas have from wherever they are compiled. */
const documentName = 'document';

/** Returns a member of a schema of JSON Schema. Parts of a document have no names of their own. */
const memberOf = (name: string, value: unknown): readonly (readonly [string, unknown])[] => {
  if (typeof value === 'string' && name === '$id') return [];
  if (typeof value === 'string' && name === '$ref' && value.startsWith('#')) return [[name, documentName + value]];
  return [[name, asJsonSchema(value)]];
};

/** Returns a value whose schemas are those of JSON Schema. */
const asJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (!isObject(value)) return value;
  const members = Object.entries(value).flatMap(([name, inner]) => memberOf(name, inner));
  return withNullType(withExclusiveBounds(Object.fromEntries(members)));
};

/**
 * Opens the schemas of a document.
 *
 * @returns validates a value by a schema; throws for a schema that cannot be compiled
 */
export const openSchemas = (document: unknown = {}): Validate => {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  ajv.addSchema(asJsonSchema(document) as JsonObject, documentName);
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema, value) => {
    if (!isObject(schema)) return schema === false ? [' must be absent'] : [];
    const validate = compiled.get(schema) ?? ajv.compile(asJsonSchema(schema) as JsonObject);
    compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message = 'is invalid', params }) =>
        `${instancePath} ${message}${'additionalProperty' in params ? ` ${String(params['additionalProperty'])}` : ''}`,
    );
  };
};
