import { build } from 'esbuild';
import { functionFiles, type Way } from './functions.ts';

/** undici and parts of the SDK are CommonJS: inside an ES module their `require` must come from somewhere. */
const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

/**
 * Bundles every function for one way into dist/<way>/<function>/index.mjs. The way is the import condition that
 * `#backend` resolves by, so a bundle holds only the side it runs.
 */
export const bundle = async (way: Way): Promise<void> => {
  await build({
    entryPoints: functionFiles().map(({ name, file }) => ({ in: file, out: `${name}/index` })),
    outdir: `dist/${way}`,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    conditions: [way, 'module'],
    banner: { js: banner },
    legalComments: 'none',
    // For whoever reads a stack in the log; it stays out of the zip.
    sourcemap: 'external',
    logLevel: 'warning',
  });
};
