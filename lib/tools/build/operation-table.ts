import { contract } from '../../contract/contract.ts';
import { ownTexts } from '../../contract/descriptions.ts';
import { type OperationEntry, toOperation } from '../../contract/entry.ts';
import { tagOf } from '../../contract/openapi.ts';
import type { Operation } from '../../contract/operation.ts';
import { alwaysKnown } from '../../domain/policies/fact-catalogue.ts';
import { policyTerms } from './console-forms.ts';
import { code, meaningOf, valuesOfFact } from './policy-document/fact-texts.ts';
import { policyDocumentSchemas } from './policy-document/published-api.ts';
import { fieldRows } from './reference/fields.ts';
import type { Schema as PublishedSchema } from './typescript.ts';

/*
 * Tables for the guides as Markdown: all operations, the largest lists of their requests, and the terms of policies.
 */

const rowOf = ({ name, method, path, scope, summary }: Operation): string =>
  `| \`${name}\` | \`${method} ${path}\` | ${scope === null ? 'no token' : `\`${scope}\``} | ${summary} |`;

/** Returns a section for each kind of resource, with a row for each of its operations. */
export const operationSections = (): string => {
  const operations = Object.entries<OperationEntry>(contract).map(([name, entry]) => toOperation(name, entry));
  const { tags } = ownTexts;
  const groups = Map.groupBy(operations, (operation) => tagOf(operation, tags));
  return [...groups]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([tag, members]) =>
      [
        `\n## ${tag}\n`,
        `${tags[tag]}.\n`,
        '| operation | request | scope | what it does |',
        '|---|---|---|---|',
        ...members.toSorted((a, b) => a.path.localeCompare(b.path) || a.name.localeCompare(b.name)).map(rowOf),
      ].join('\n'),
    )
    .join('\n');
};

/** The part of JSON Schema that names values, lists and maps. */
type Schema = {
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

type Limit = { readonly field: string; readonly maximum: number };

const limitsIn = (schema: Schema, field: string): readonly Limit[] => {
  const { maxItems, maxProperties, properties = {}, items, anyOf = [] } = schema;
  const maximum = maxItems ?? maxProperties;
  return [
    ...(maximum === undefined ? [] : [{ field, maximum }]),
    ...Object.entries(properties).flatMap(([name, inner]) => limitsIn(inner, field === '' ? name : `${field}.${name}`)),
    ...(items === undefined ? [] : limitsIn(items, `${field}[]`)),
    ...anyOf.flatMap((inner) => limitsIn(inner, field)),
  ];
};

/** Returns a row for each field of a body that has a maximum of entries, with the operations that have it. */
export const limitTable = (): string => {
  const found = Object.entries<OperationEntry>(contract).flatMap(([operation, { body }]) =>
    limitsIn(body as Schema, '').map(({ field, maximum }) => ({ key: `\`${field}\` | ${maximum}`, operation })),
  );
  const rows = [...Map.groupBy(found, ({ key }) => key)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, uses]) => {
      const names = new Set(uses.map(({ operation }) => `\`${operation}\``));
      return `| ${key} | ${[...names].toSorted().join(', ')} |`;
    });
  return ['| field of the body | at most | in |', '|---|---|---|', ...rows].join('\n');
};

/** Returns a row for each fact of policies: its meaning, its kind, values, and whether every request has it. */
export const factTable = (): string => {
  const { facts, examples } = policyTerms();
  const rows = Object.entries(facts).map(([fact, kind]) => {
    const known = alwaysKnown.has(fact) ? 'always' : 'if sent';
    const all = valuesOfFact(fact);
    const shown = all.length > 0 ? `one of ${code(all)}` : code(examples[fact]?.split(', ') ?? []);
    return `| \`${fact}\` | ${meaningOf(fact)} | ${kind} | ${shown} | ${known} |`;
  });
  return ['| fact | meaning | kind | values, or examples | known |', '|---|---|---|---|---|', ...rows].join('\n');
};

/** Returns a row for each kind of facts with the operators that compare it. */
export const operatorTable = (): string => {
  const rows = Object.entries(policyTerms().operators).map(([kind, operators]) => `| ${kind} | ${code(operators)} |`);
  return ['| kind | operators |', '|---|---|', ...rows].join('\n');
};

/** Returns a row for each phase of rules, in the order of the evaluation. */
export const phaseTable = (): string => {
  const rows = policyTerms().phases.map(({ name, isPerLine, effects }) => {
    const facts = isPerLine ? 'all' : 'not those of a line';
    return `| \`${name}\` | ${code(effects)} | ${facts} |`;
  });
  return ['| phase | effects | facts in `when` |', '|---|---|---|', ...rows].join('\n');
};

/** The parts of effects that have fields of their own, by the field of the rule. */
const effectParts = {
  window: ['PolicyWindow'],
  fee: ['PolicyRestockingFee', 'PolicyReturnShippingFee', 'PolicyInspectionFee', 'PolicyPromotionFee'],
} as const;

/** The texts of a table cell of the reference, without its links. */
const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\(page:[^)]+\)/g, '$1');

/** Joins the alternatives of a field: one with all their values, where they list values. */
const joined = (alternatives: readonly PublishedSchema[]): PublishedSchema => {
  const [first = {}] = alternatives;
  const values = alternatives.flatMap(
    ({ enum: listed, const: value }) => listed ?? (value === undefined ? [] : [value]),
  );
  const { const: _, ...rest } = first;
  return values.length === 0 ? first : { ...rest, enum: [...new Set(values)] };
};

/** Joins the fields of schemas that are alternatives. */
const joinedFields = (alternatives: readonly PublishedSchema[]): PublishedSchema => {
  const fields = alternatives.flatMap(({ properties = {} }) => Object.entries(properties));
  const byName = Map.groupBy(fields, ([name]) => name);
  return {
    properties: Object.fromEntries([...byName].map(([name, all]) => [name, joined(all.map(([, schema]) => schema))])),
  };
};

/** Returns a row for each field of an effect: what it accepts, and what it means. */
export const effectTable = (): string => {
  const schemas = policyDocumentSchemas();
  const effects = new Set(policyTerms().phases.flatMap((phase) => phase.effects));
  const rules = Object.keys(schemas).filter((name) => /^Policy\w+Rule$/.test(name));
  const { properties = {} } = joinedFields(rules.map((name) => schemas[name] ?? {}));
  const plain = Object.entries(properties).filter(
    ([field]) => effects.has(field) && !Object.hasOwn(effectParts, field),
  );
  const rows = [
    ...Object.entries(effectParts).flatMap(([field, names]) =>
      fieldRows(joinedFields(names.map((name) => schemas[name] ?? {})), `${field}.`),
    ),
    ...fieldRows({ properties: Object.fromEntries(plain) }),
  ];
  return [
    '| field of the effect | type | meaning, and what it accepts |',
    '|---|---|---|',
    ...rows.map(
      ([field = '', type = '', , meaning = '']) => `| ${[field, type, meaning].map(withoutLinks).join(' | ')} |`,
    ),
  ].join('\n');
};
