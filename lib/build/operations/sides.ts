import { globSync } from 'node:fs';
import { basename, relative } from 'node:path';

/*
 * The two sides of the port, as text. A file named like an operation serves it: `waive-fee.ts` exports `waiveFee`. What no
 * file serves in connected mode is forwarded to the Returns Service.
 */

const camelCase = (kebab: string): string => kebab.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The files that serve operations, by operation. A later pattern wins. */
const serving = (patterns: readonly string[], names: readonly string[]): ReadonlyMap<string, string> => {
  const files = patterns.flatMap((pattern) => globSync(pattern).toSorted());
  const named = files.map((file) => [camelCase(basename(file, '.ts')), file] as const);
  return new Map(named.filter(([name]) => names.includes(name)));
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
