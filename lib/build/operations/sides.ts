import { globSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/*
 * The two sides of the port, as text. A file below these folders that exports the name of an operation serves it. What no
 * file serves in connected mode is forwarded to the Returns Service.
 */

/**
 * The files that serve operations, by operation.
 *
 * @throws Error for an operation that two files serve
 */
const serving = (patterns: readonly string[], names: readonly string[]): ReadonlyMap<string, string> => {
  const known = new Set(names);
  const files = new Map<string, string>();
  for (const file of patterns.flatMap((pattern) => globSync(pattern)))
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^export const (\w+) =/gm)) {
      if (!known.has(name)) continue;
      const other = files.get(name);
      if (other !== undefined) throw new Error(`${name}: both ${other} and ${file} export it`);
      files.set(name, file);
    }
  return files;
};

/** What a deployment serves itself in both modes. */
const local = ['lib/inbox/operations/*.ts', 'lib/backend/local/*.ts'];

const exported = (name: string, file: string): string =>
  `export { ${name} } from '${relative('lib/backend', file).replace(/^(?!\.)/, './')}';\n`;

/**
 * The side that is the Returns Service itself.
 *
 * @throws Error for an operation that no file serves
 */
export const standaloneSide = (names: readonly string[]): string => {
  const files = serving([...local, 'lib/service/**/*.ts', 'lib/backend/standalone/*.ts'], names);
  return names
    .map((name) => {
      const file = files.get(name);
      if (file === undefined) throw new Error(`${name}: no file below lib/service serves it in standalone mode`);
      return exported(name, file);
    })
    .join('');
};

/** The side that forwards operations to the Returns Service. */
export const connectedSide = (names: readonly string[]): string => {
  const files = serving([...local, 'lib/backend/connected/*.ts'], names);
  const own = names.flatMap((name) => {
    const file = files.get(name);
    return file === undefined ? [] : [exported(name, file)];
  });
  const forwarded = names
    .filter((name) => !files.has(name))
    .map(
      (name) =>
        `export const ${name} = (input: Input<'${name}'>, call: Call) => forward(operations.${name}, input, call);\n`,
    );
  return `import type { Input } from '../contract/contract.ts';
import * as operations from '../contract/operations.ts';
import type { Call } from '../contract/port.ts';
import { forward } from './forward.ts';

${own.join('')}
${forwarded.join('')}`;
};
