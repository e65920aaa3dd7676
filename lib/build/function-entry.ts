import { dirname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

const container = resolve(import.meta.dirname, '../runtime/container.ts');

const sourceOf = (file: string): string =>
  [
    `export * from ${JSON.stringify(file)};`,
    `import { readConfiguration } from ${JSON.stringify(container)};`,
    'readConfiguration();',
  ].join('\n');

/**
 * Adds a read of the configuration to each function, after all of its modules. Modules do not read the environment while
 * they are imported, but a deployed function must fail at its cold start when a variable is missing.
 */
export const functionEntry: Plugin = {
  name: 'function entry',
  setup: (build) => {
    build.onResolve({ filter: /^(\.\/)?functions\// }, ({ path, kind }) =>
      kind === 'entry-point' ? { path: resolve(path), namespace: 'function' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'function' }, ({ path }) => ({
      contents: sourceOf(path),
      resolveDir: dirname(path),
    }));
  },
};
