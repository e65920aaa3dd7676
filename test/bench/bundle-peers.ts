import { build } from 'esbuild';

const outdir = 'dist/bench';

/** As `lib/build/bundle.ts` needs it, for the same packages. */
const banner = "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);";

/** Where a peer's bundle is. */
export const bundleOf = (peer: string): string => `${outdir}/${peer}/index.mjs`;

/** Bundles the peers as people who deploy them do: one minified module each, beside our own in dist/. */
export const bundlePeers = async (peers: readonly string[]): Promise<void> => {
  await build({
    entryPoints: peers.map((peer) => ({ in: `test/bench/peers/${peer}.ts`, out: `${peer}/index` })),
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
