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

/**
 * Returns the side of the port that speaks to the service of an adapter, in place of lib/edge/backend/connected.ts.
 *
 * @param names the operations that the importing function calls
 */
export const backendSource = (entries: Readonly<Record<string, OperationEntry>>, names: readonly string[]): string => {
  const lines = names.flatMap((name) => {
    const entry = entries[name];
    if (name === 'openapi') return [`export { openapi } from ${fileOf('lib/edge/backend/local-operations.ts')};`];
    if (name === 'health')
      return [
        `import { offerHealth } from ${fileOf('lib/adapters/health.ts')};`,
        'export const health = offerHealth({ adapter, operation: operations.health });',
      ];
    // The doctor asks for a list that an adapter may not offer.
    if (entry === undefined) return [`export const ${name} = undefined;`];
    const offer = entry.idempotencyKey ? 'offerCommand' : 'offerRead';
    return [
      `import { ${offer} as offer_${name} } from ${fileOf(`lib/adapters/${entry.idempotencyKey ? 'command' : 'run'}.ts`)};`,
      `import { ${name} as ${name}Shape } from '#contract/answers/${name}.js';`,
      `export const ${name} = offer_${name}({ adapter, operation: operations.${name}, mapping: adapter.operations.${name}, shape: ${name}Shape });`,
    ];
  });
  return [
    `import { adapter } from '#adapter';`,
    `import * as operations from ${fileOf('lib/contract/operations.ts')};`,
    ...lines,
    '',
  ].join('\n');
};

const propertyOf = (object: ObjectExpression, name: string): Expression | undefined => {
  const found = object.properties.find(
    (property) => property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === name,
  );
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

/**
 * Returns the file of an adapter with the mappings of some operations. The others stay as names, by which the runner
 * knows the offered commands. esbuild drops what only they use.
 */
export const withMappings = (file: string, source: string, names: ReadonlySet<string>): string => {
  const literal = adapterLiteral(parseSync(file, source).program);
  const operations = literal && propertyOf(literal, 'operations');
  if (operations?.type !== 'ObjectExpression') return source;
  let text = source;
  for (const property of operations.properties.toReversed()) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || names.has(property.key.name)) continue;
    text = `${text.slice(0, property.start)}${property.key.name}: undefined${text.slice(property.end)}`;
  }
  return text;
};
