import { build } from 'esbuild';
import { functionFiles, type Way } from './functions.ts';
import { slim } from './slim/plugin.ts';

export type Bundling = {
  /** Leaves every package as it comes: what slim bundles are held against. */
  readonly whole?: boolean;
  /**
   * Writes source maps beside the bundles, for whoever reads a stack in the log; they stay out of the zips.
   * @default false
   */
  readonly maps?: boolean;
  /** @default `dist/<way>` */
  readonly outdir?: string;
  /** Where to begin: file by output, without `.mjs`. @default every function of the way, in a folder of its own */
  readonly entries?: Readonly<Record<string, string>>;
};

/** undici and parts of the SDK are CommonJS: inside an ES module their `require` must come from somewhere. */
const banner = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

const functionEntries = (way: Way) =>
  Object.fromEntries(functionFiles(way).map(({ name, file }) => [`${name}/index`, file]));

/**
 * Bundles every function of one way into dist/<way>/<function>/index.mjs. The way is the import condition that
 * `#backend` resolves by, so a bundle holds only the side it runs.
 */
export const bundle = async (way: Way, options: Bundling = {}): Promise<void> => {
  const { whole = false, maps = false, outdir = `dist/${way}`, entries = functionEntries(way) } = options;
  await build({
    entryPoints: { ...entries },
    outdir,
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
    sourcemap: maps ? 'external' : false,
    logLevel: 'warning',
    plugins: whole ? [] : [slim],
  });
};
