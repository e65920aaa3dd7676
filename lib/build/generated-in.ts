import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Resolves `#contract/…` and `#validators/…` to the files that this build has generated. package.json resolves them to
 * dist/, where another build may have written since.
 */
export const generatedIn = (folder: string): Plugin => ({
  name: 'generated',
  setup: (build) => {
    build.onResolve({ filter: /^#contract\// }, ({ path }) => ({
      path: resolve(folder, 'contract', path.slice('#contract/'.length)),
    }));
    build.onResolve({ filter: /^#validators\// }, ({ path }) => ({
      path: resolve(folder, 'contract/validators', `${path.slice('#validators/'.length)}.js`),
    }));
  },
});
