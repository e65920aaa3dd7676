import { build } from 'esbuild';
import { buildAndPackage } from '../../lib/local/bundles.ts';
import { peerBundles, peerEntries } from './candidates.ts';

/** What bundlers' documentation gives for CommonJS inside an ES module; ours does without the import, to start sooner. */
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

/** The processes that hold a candidate: as they stand, Node would load its compiler for types beside it. */
export const containerBundle = 'dist/bench/container/index.mjs';
export const firstAnswerBundle = 'dist/bench/first-answer/index.mjs';

/** Bundles the peers as people who deploy them do, one minified module each, and what runs them, into dist/bench/. */
export const bundlePeers = async (): Promise<void> => {
  await bundle(peerBundles, peerEntries());
  await bundle('dist/bench', {
    'container/index': 'test/bench/container.ts',
    'first-answer/index': 'test/bench/token/first-answer.ts',
  });
};

let building: Promise<void> | undefined;

/** Builds our functions and the peers, once in a run. */
export const buildCandidates = (): Promise<void> => (building ??= buildAndPackage().then(bundlePeers));
