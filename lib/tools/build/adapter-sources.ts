import { resolve } from 'node:path';
import { contract } from '../../contract/contract.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import { recordsOf } from './operations/source-files.ts';
import type { AnyAdapter } from '../template/adapters/derive-contract.ts';

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
export const backendSource = (
  adapter: AnyAdapter,
  entries: Readonly<Record<string, OperationEntry>>,
  names: readonly string[],
): string => {
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
    `import { adapter } from ${fileOf(`lib/adapters/${adapter.name}/adapter.ts`)};`,
    `import * as operations from ${fileOf('lib/contract/operations.ts')};`,
    ...lines,
    '',
  ].join('\n');
};
