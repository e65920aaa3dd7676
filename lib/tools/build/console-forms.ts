import { hintsOf, mapHints } from '../../console/forms/hints.ts';
import english from '../../console/texts/hints/en.json' with { type: 'json' };
import portuguese from '../../console/texts/hints/pt.json' with { type: 'json' };
import type { ConsoleForms, FormSchema, PolicyTerms } from '../../contract/console.ts';
import { eventPatterns } from '../../contract/events/event-types.ts';
import { openApi } from '../../contract/openapi.ts';
import { messageNames } from '../../domain/events/messages.ts';
import { operatorsOf } from '../../domain/policies/check/condition.ts';
import { effectFields, isPerLine, wholeFees } from '../../domain/policies/check/rule.ts';
import { factKinds } from '../../domain/policies/fact-catalogue.ts';
import { phases } from '../../domain/policies/policy.ts';
import { standardPolicy } from '../../domain/policies/templates/standard.ts';

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

/** Facts that only a platform reports, and the hash of a quote. No person enters them. */
const isEntered = ([name]: readonly [string, unknown]): boolean => name !== 'observed' && name !== 'quoteHash';

/**
 * The hints that a form shows of a schema. A body has no label, so its own hint has no place, and the entries of a list
 * stand in rows without hints.
 */
type Shown = 'all' | 'inner' | 'none';

const shownLevels: readonly Shown[] = ['none', 'inner', 'all'];

/** Collects the named schemas that the rest refers to, each with the most that a reference shows of it. */
type Refer = (name: string, shown: Shown) => void;

/** Removes the keywords, fields and hints that no form uses, and notes the named schemas that are left. */
const reduce = (schema: FormSchema, shown: Shown, refer: Refer): FormSchema => {
  const isHinted = shown === 'all' && schema.description !== undefined;
  const inner = shown === 'none' ? 'none' : 'all';
  const reduceList = (parts: readonly FormSchema[]) => parts.map((part) => reduce(part, shown, refer));
  const reduceRecord = (parts: Readonly<Record<string, FormSchema>>) =>
    Object.fromEntries(
      Object.entries(parts)
        .filter(isEntered)
        .map(([name, part]) => [name, reduce(part, inner, refer)]),
    );
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
      if (!used.has(keyword) || (keyword === 'description' && !isHinted)) return [];
      if (keyword === '$ref') {
        const name = String(value).slice(referencePrefix.length);
        refer(name, isHinted ? 'inner' : shown);
        return [[keyword, name]];
      }
      if (schemaLists.has(keyword)) return [[keyword, reduceList(value as FormSchema[])]];
      if (keyword === 'items') return [[keyword, reduce(value as FormSchema, 'none', refer)]];
      return [[keyword, schemaRecords.has(keyword) ? reduceRecord(value as Record<string, FormSchema>) : value]];
    }),
  );
};

/** The paths whose operations have a form from the schema. Evidence and other screens have forms of their own. */
const formPath = /^(\/v1)?\/returns\/\{returnId\}(?!\/attachments)/;

/** Returns the bodies of the operations with a form, and the named schemas that they refer to, with the texts of the API. */
export const apiForms = (): ConsoleForms => {
  const { paths, components } = openApi('') as unknown as Document;
  const referred = new Map<string, Shown>();
  const refer: Refer = (name, shown) => {
    const before = referred.get(name);
    if (before !== undefined && shownLevels.indexOf(shown) <= shownLevels.indexOf(before)) return;
    // A name moves to the end, so that the loop below reduces its schema again.
    referred.delete(name);
    referred.set(name, shown);
  };
  const bodies: Record<string, FormSchema> = {};
  const withForm = Object.entries(paths).filter(([path]) => formPath.test(path));
  for (const { operationId, requestBody } of withForm.flatMap(([, methods]) => Object.values(methods))) {
    const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
    if (schema !== undefined) bodies[operationId] = reduce(schema, 'inner', refer);
  }
  const schemas: Record<string, FormSchema> = {};
  // The map grows while the loop runs: a named schema may refer to others.
  for (const [name, shown] of referred) schemas[name] = reduce(components.schemas[name] ?? {}, shown, refer);
  return { bodies, schemas };
};

/** What people read in place of the texts for programs. An empty text is no hint: the name of the field says it all. */
const hintsForPeople: Readonly<Record<string, string>> = english;

/** Returns the forms with hints for people. */
export const consoleForms = (): ConsoleForms =>
  mapHints(apiForms(), (text) => {
    const hint = hintsForPeople[text] ?? text;
    return hint === '' ? undefined : hint;
  });

/** The most examples of a fact. */
const maxExamples = 3;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the texts and numbers that facts have in the golden cases of the standard policy. */
const factExamples = (): Readonly<Record<string, string>> => {
  const groups = (standardPolicy.goldenCases ?? []).flatMap(({ facts: { order, customer, lines, ...facts } }) => [
    ['order', order],
    ['customer', customer],
    ['return', facts.return],
    ...lines.map((line) => ['line', line]),
  ]) as (readonly [string, Fields])[];
  return Object.fromEntries(
    [...factKinds].flatMap(([fact, kind]) => {
      const [group, name = ''] = fact.split('.');
      const values = groups.flatMap(([of, fields]) => (of === group ? (fields[name] ?? []) : [])).map(String);
      const isShown = kind !== 'boolean' && kind !== 'instant' && values.length > 0;
      return isShown ? [[fact, [...new Set(values)].slice(0, maxExamples).join(', ')]] : [];
    }),
  );
};

/** Returns the facts, operators and effects of policies, whose documents have no schema in the contract. */
export const policyTerms = (): PolicyTerms => ({
  facts: Object.fromEntries(factKinds),
  examples: factExamples(),
  operators: Object.fromEntries([...new Set(factKinds.values())].map((kind) => [kind, operatorsOf(kind)])),
  phases: phases.map((name) => ({ name, isPerLine: isPerLine(name), effects: effectFields(name) })),
  wholeFees,
});

/** Returns the groups and types of events that an endpoint can choose. */
export const endpointPatterns = (): readonly string[] => eventPatterns().filter((pattern) => pattern !== '*');

/** Returns the types of the events that have a message to the customer. */
export const messageEvents = (): readonly string[] => Object.keys(messageNames);

/** The build writes them in the order of the forms, because the English texts are in these already. */
const portugueseHints: Readonly<Record<string, string>> = portuguese;

/** Returns the hints of the forms in Portuguese. A hint without a translation stays English. */
export const translatedHints = (forms: ConsoleForms): readonly string[] =>
  hintsOf(forms).map((hint) => portugueseHints[hint] ?? hint);
