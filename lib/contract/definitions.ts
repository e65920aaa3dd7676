import { aboutKeyword } from './scalars.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Takes the schemas that have a name (`$id`) out of a document and puts references in their place, so that what is
 * used in many places is written once.
 *
 * @param prefix where the definitions will stand, such as `#/components/schemas/`
 * @param options `refSiblings`: a description may stand next to `$ref`, as in JSON Schema 2020-12 and not in draft 7
 */
export const extractDefinitions = (document: object, prefix: string, { refSiblings = true } = {}) => {
  const definitions: Record<string, Json> = {};
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (typeof value !== 'object' || value === null) return value;
    const { $id: name, [aboutKeyword]: about, ...schema } = value;
    const described = () => Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, visit(inner)]));
    const description = typeof about === 'string' ? { description: about } : {};
    if (typeof name !== 'string') return { ...described(), ...description };
    // Large schemas are in many places.
    definitions[name] ??= described();
    const reference = { $ref: `${prefix}${name}` };
    return about === undefined || refSiblings
      ? { ...reference, ...description }
      : { allOf: [reference], ...description };
  };
  // Through JSON, which drops the marks that the schema builder leaves for its own types.
  return { document: visit(JSON.parse(JSON.stringify(document)) as Json), definitions };
};
