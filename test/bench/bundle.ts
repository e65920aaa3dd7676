import { build } from 'esbuild';
import { bundle as bundleLikeOurs } from '../../lib/tools/build/bundle.ts';
import { buildAndPackage } from '../../lib/tools/local/bundles.ts';
import { alternativeBundles, alternativeEntries, slimBundles, slimEntries } from './candidates.ts';
import { offers } from '../../lib/tools/template/offer.ts';

/** The documented banner of bundlers for CommonJS in an ES module. Ours omits the import, to start sooner. */
const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

const bundle = async (outdir: string, entryPoints: Readonly<Record<string, string>>): Promise<void> => {
  await build({
    entryPoints: { ...entryPoints },
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    legalComments: 'none',
    logLevel: 'warning',
  });
};

/** The bundled processes that contain a candidate. Unbundled, Node would also load its compiler for types. */
export const containerBundle = 'dist/bench/container/index.mjs';
export const firstAnswerBundle = 'dist/bench/first-answer/index.mjs';

/** Builds our functions, the alternatives as in a deployment, and the processes that contain a candidate. */
export const buildCandidates = async (): Promise<void> => {
  await buildAndPackage();
  await bundle(alternativeBundles, alternativeEntries());
  await bundle('dist/bench', {
    'container/index': 'test/bench/container.ts',
    'first-answer/index': 'test/bench/first-answer.ts',
  });
  await bundleLikeOurs(offers.standalone, { entries: slimEntries, outdir: slimBundles });
};
