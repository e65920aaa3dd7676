import { contract } from '../../contract/contract.ts';
import { ownTexts } from '../../contract/descriptions.ts';
import { type OperationEntry, toOperation } from '../../contract/entry.ts';
import { tagOf } from '../../contract/openapi.ts';
import type { Operation } from '../../contract/operation.ts';

/* Tables of the contract as Markdown: all operations, and the largest lists that their requests may have. */

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

/** The part of JSON Schema that names lists and maps. */
type Schema = {
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
