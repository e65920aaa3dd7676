import { extractDefinitions } from '../../../contract/definitions.ts';
import { type Described, openApi } from '../../../contract/openapi.ts';
import { factSchemaName } from '../../../domain/policies/check/condition.ts';
import { policyDocumentSchema } from '../../../domain/policies/check/policy-field-errors.ts';
import { factKinds } from '../../../domain/policies/fact-catalogue.ts';
import { standardPolicy } from '../../../domain/policies/templates/standard.ts';
import type { Schema } from '../typescript.ts';
import { factDescription } from './fact-texts.ts';
import texts from './texts.json' with { type: 'json' };

/** What the named schemas of a document are. */
const schemaTexts: Readonly<Record<string, string>> = texts.schemas;

/** What their fields mean. An inline object has the name of the field that holds it. */
const fieldTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = texts.fields;

/** The facts of a request have the texts of the facts in conditions. */
const factTextOf = (owner: string, name: string): string | undefined => {
  const group = owner === 'lines' ? 'line' : owner;
  const fact = `${group}.${name}`;
  const kind = factKinds.get(fact);
  return kind === undefined ? undefined : factDescription(fact, kind);
};

/** The named schemas of alternatives have the fields of the whole: each rule those of `PolicyRule`. */
const ownerOf = (name: string): string => {
  if (name in fieldTexts) return name;
  return ['PolicyRule', 'PolicyFee'].find((whole) => name.endsWith(whole.replace('Policy', ''))) ?? 'PolicyCondition';
};

/** Gives each field its description. An inline object has the name of the field that holds it. */
const withTexts = (schema: Schema, owner: string): Schema => {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => {
          const description = fieldTexts[ownerOf(owner)]?.[name] ?? factTextOf(owner, name);
          if (description === undefined) throw new Error(`texts.json has no text of ${owner}.${name}`);
          return [name, { ...withTexts(inner, name), description }];
        }),
      ),
    }),
    ...(items && { items: withTexts(items, owner) }),
  };
};

const factsByKind = Map.groupBy(factKinds, ([, kind]) => kind);

/** The schemas with the facts of a kind, each fact with its description. */
const factSchemas = () =>
  [...factsByKind].map(([kind, facts]): readonly [string, Schema] => [
    factSchemaName(kind),
    { oneOf: facts.map(([name]) => ({ const: name, description: factDescription(name, kind) })) },
  ]);

/** The standard policy in its own language. */
const example = { ...standardPolicy, rules: standardPolicy.rules.map(({ texts: _translations, ...rule }) => rule) };

/** Returns the schemas of the document of a policy by their names, each field with its description. */
export const policyDocumentSchemas = (): Readonly<Record<string, Schema>> => {
  const { definitions } = extractDefinitions(policyDocumentSchema, '#/components/schemas/');
  const schemas = { ...definitions, ...Object.fromEntries(factSchemas()) } as Readonly<Record<string, Schema>>;
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const description = schemaTexts[name] ?? schema.description;
      if (description === undefined) throw new Error(`texts.json has no text of ${name}`);
      const examples = name === 'PolicyDocument' ? { examples: [example] } : {};
      return [name, { ...withTexts(schema, name), description, ...examples }];
    }),
  );
};

/**
 * Returns the OpenAPI document of a deployment as readers get it. The contract leaves the document of a policy to the
 * service. Here it has its whole schema.
 */
export const publishedApi = (tokenUrl: string, described?: Described) => {
  const api = openApi(tokenUrl, described);
  const { components } = api;
  if (!Object.hasOwn(components.schemas, 'PolicyDocument')) return api;
  const schemas = Object.entries({ ...components.schemas, ...policyDocumentSchemas() });
  return {
    ...api,
    components: { ...components, schemas: Object.fromEntries(schemas) },
  };
};
