import type { ConsoleForms, FormSchema, PolicyTerms } from '../contract/console.ts';
import { openApi } from '../contract/openapi.ts';
import { operatorsOf } from '../policies/check/condition.ts';
import { effectFields, isPerLine } from '../policies/check/rule.ts';
import { factKinds } from '../policies/fact-catalogue.ts';
import { phases } from '../policies/policy.ts';

type Content = { readonly schema?: FormSchema };
type DocumentOperation = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, FormSchema>> };
};

const referencePrefix = '#/components/schemas/';

/** The keywords that a form uses. Examples and other texts would double the size of the file. */
const used: ReadonlySet<string> = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  'allOf',
  'oneOf',
  'items',
  'properties',
  'patternProperties',
  'required',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'default',
  'description',
  '$ref',
]);

const schemaLists: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf']);
const schemaRecords: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** Removes the unused keywords, and notes each named schema that the rest refers to. */
const reduce = (schema: FormSchema, referred: Set<string>): FormSchema =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (!used.has(keyword)) return [];
      if (keyword === '$ref') {
        const name = String(value).slice(referencePrefix.length);
        referred.add(name);
        return [[keyword, name]];
      }
      if (schemaLists.has(keyword)) return [[keyword, (value as FormSchema[]).map((part) => reduce(part, referred))]];
      if (keyword === 'items') return [[keyword, reduce(value as FormSchema, referred)]];
      if (!schemaRecords.has(keyword)) return [[keyword, value]];
      const members = Object.entries(value as Record<string, FormSchema>);
      return [[keyword, Object.fromEntries(members.map(([name, part]) => [name, reduce(part, referred)]))]];
    }),
  );

/** The paths whose operations have a form made from the schema. Other screens have forms of their own. */
const formPath = /^(\/v1)?\/(returns\/\{returnId\}|webhook-endpoints$)/;

/** Returns the bodies of the operations with a form, and the named schemas that they refer to. */
export const consoleForms = (): ConsoleForms => {
  const { paths, components } = openApi('') as unknown as Document;
  const referred = new Set<string>();
  const bodies: Record<string, FormSchema> = {};
  const withForm = Object.entries(paths).filter(([path]) => formPath.test(path));
  for (const { operationId, requestBody } of withForm.flatMap(([, methods]) => Object.values(methods))) {
    const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
    if (schema !== undefined) bodies[operationId] = reduce(schema, referred);
  }
  const schemas: Record<string, FormSchema> = {};
  // The set grows while the loop runs: a named schema may refer to others.
  for (const name of referred) schemas[name] = reduce(components.schemas[name] ?? {}, referred);
  return { bodies, schemas };
};

/** Returns the facts, operators and effects of policies, whose documents have no schema in the contract. */
export const policyTerms = (): PolicyTerms => ({
  facts: Object.fromEntries(factKinds),
  operators: Object.fromEntries([...new Set(factKinds.values())].map((kind) => [kind, operatorsOf(kind)])),
  phases: phases.map((name) => ({ name, isPerLine: isPerLine(name), effects: effectFields(name) })),
});
