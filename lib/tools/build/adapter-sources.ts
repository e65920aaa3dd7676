import { resolve } from 'node:path';
import { type Expression, type ObjectExpression, parseSync, type Program } from 'oxc-parser';
import { contract } from '../../contract/contract.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import { recordsOf } from './operations/source-files.ts';

/* The two modules that an adapter's deployment has in place of those of the whole contract. Only bundles contain them. */

/**
 * Returns the records of the operations, in place of lib/contract/operations.ts. Those that are not offered stay for the
 * files that name them.
 */
export const operationsSource = (entries: Readonly<Record<string, OperationEntry>>): string =>
  recordsOf({ ...contract, ...entries });

const fileOf = (path: string): string => JSON.stringify(resolve(path));

/** Whether answers to an operation have returns of a list, a single return, or none. */
const completionOf = ({ answers }: OperationEntry): 'List' | 'Return' | undefined => {
  const text = JSON.stringify(answers);
  if (text.includes('"$id":"ReturnSummary"')) return 'List';
  return text.includes('"$id":"Return"') ? 'Return' : undefined;
};

/** Returns the parts of the runner that an operation needs, as text. A command brings its own. */
const partsOf = (entry: OperationEntry): string => {
  const completion = completionOf(entry);
  return [
    ...(completion === undefined ? [] : [`complete: complete${completion}`]),
    ...('cursor' in entry.query.properties ? ['cursors'] : []),
  ].join(', ');
};

/** What the lines of operations use. esbuild drops the rest. */
const imports = `
import { adapter } from '#adapter';
import * as operations from ${fileOf('lib/contract/operations.ts')};
import { completeReturn } from ${fileOf('lib/adapters/actions.ts')};
import { offerCommand } from ${fileOf('lib/adapters/command.ts')};
import { cursors } from ${fileOf('lib/adapters/cursor.ts')};
import { offerHealth } from ${fileOf('lib/adapters/health.ts')};
import { offerReadWith } from ${fileOf('lib/adapters/run.ts')};
import { completeList } from ${fileOf('lib/adapters/status.ts')};
`;

/**
 * Returns the side of the port that speaks to the service of an adapter, in place of lib/edge/backend/connected.ts.
 *
 * @param names the operations that the importing function calls
 */
export const backendSource = (entries: Readonly<Record<string, OperationEntry>>, names: readonly string[]): string => {
  const lines = names.flatMap((name) => {
    const entry = entries[name];
    if (name === 'openapi') return [`export { openapi } from ${fileOf('lib/edge/backend/local-operations.ts')};`];
    if (name === 'health') return ['export const health = offerHealth({ adapter, operation: operations.health });'];
    // The doctor asks for a list that an adapter may not offer.
    if (entry === undefined) return [`export const ${name} = undefined;`];
    const offer = entry.idempotencyKey ? 'offerCommand(' : `offerReadWith({ ${partsOf(entry)} }, `;
    return [
      `import { ${name} as ${name}Shape } from '#contract/answers/${name}.js';`,
      `export const ${name} = ${offer}{ adapter, operation: operations.${name}, mapping: adapter.operations.${name}, shape: ${name}Shape });`,
    ];
  });
  return [imports, ...lines, ''].join('\n');
};

/** Returns the name of a member; empty for a spread and a computed name. */
const nameOf = (property: ObjectExpression['properties'][number]): string =>
  property.type === 'Property' && property.key.type === 'Identifier' && !property.computed ? property.key.name : '';

const propertyOf = (object: ObjectExpression, name: string): Expression | undefined => {
  const found = object.properties.find((property) => nameOf(property) === name);
  return found?.type === 'Property' ? found.value : undefined;
};

/** Returns the literal of the adapter, as its file exports it; undefined for another form. */
const adapterLiteral = ({ body }: Program): ObjectExpression | undefined => {
  for (const statement of body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations)
      if (id.type === 'Identifier' && id.name === 'adapter' && init?.type === 'ObjectExpression') return init;
  }
  return undefined;
};

/** The members of an adapter that only documents and templates use. */
const undeployed = ['name', 'title', 'parameters', 'ownFailures'];

/**
 * Returns the file of an adapter with the mappings of some operations. The others stay as names, by which the runner
 * knows the offered commands. esbuild drops what only they use.
 */
export const withMappings = (file: string, source: string, names: ReadonlySet<string>): string => {
  const literal = adapterLiteral(parseSync(file, source).program);
  const operations = literal && propertyOf(literal, 'operations');
  if (literal === undefined || operations?.type !== 'ObjectExpression') return source;
  const unused = new Set([...undeployed, ...(names.has('health') ? [] : ['probe'])]);
  const dropped = [
    ...literal.properties.filter((property) => unused.has(nameOf(property))),
    ...operations.properties.filter((property) => !names.has(nameOf(property)) && nameOf(property) !== ''),
  ];
  let text = source;
  for (const property of dropped.toSorted((a, b) => b.start - a.start))
    text = `${text.slice(0, property.start)}${nameOf(property)}: undefined${text.slice(property.end)}`;
  return text;
};
