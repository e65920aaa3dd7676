import { isObject, type JsonObject } from '../../../runtime/json.ts';
import { isOpaqueId } from './core-schema.ts';

/* Makes the examples of an adapter's deployment from those of the contract, which tell a story of our standalone mode. */

/** The keywords of a derived schema that an example depends on. */
type Schema = {
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly examples?: readonly unknown[];
};

const derived = (example: unknown, schema: Schema, namesOf: (schema: Schema) => readonly string[]): unknown => {
  const { items, properties } = schema;
  if (isOpaqueId(schema)) return schema.examples?.[0] ?? example;
  // An alternative of a union has its items elsewhere.
  if (Array.isArray(example))
    return items === undefined ? example : example.map((item) => derived(item, items, namesOf));
  if (!isObject(example) || properties === undefined) return example;
  const names = new Set(namesOf(schema));
  return Object.fromEntries(
    Object.entries(example).flatMap(([name, value]) => {
      const member = properties[name];
      return member === undefined || !names.has(name) ? [] : [[name, derived(value, member, namesOf)]];
    }),
  );
};

/** Returns an example of a request: it has the accepted fields only. */
export const requestExample = (example: unknown, schema: JsonObject): unknown =>
  derived(example, schema, ({ properties = {} }) => Object.keys(properties));

/** Returns an example of an answer. It has the fields that are always there: a service may know no others. */
export const answerExample = (example: unknown, schema: JsonObject): unknown =>
  derived(example, schema, ({ required = [] }) => required);
