import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { writeChanged } from './files.ts';
import { functionFiles } from './functions.ts';
import type { Mode } from '../deploy/functions/function-row.ts';
import { generatedIn } from './generated.ts';
import { slim } from './slim/plugin.ts';

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
const functionEntry: Plugin = {
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

export type Bundling = {
  /** Leaves every package as it comes: what slim bundles are held against. */
  readonly whole?: boolean;
  /**
   * Writes source maps beside the bundles, for whoever reads a stack in the log; they stay out of the zips.
   * @default false
   */
  readonly maps?: boolean;
  /**
   * Where dist/ lies, with what is generated.
   * @default the working directory
   */
  readonly root?: string;
  /** @default `<root>/dist/<mode>` */
  readonly outdir?: string;
  /** Where to begin: file by output, without `.mjs`. @default every function of the mode, in a folder of its own */
  readonly entries?: Readonly<Record<string, string>>;
};

/** undici and parts of the SDK are CommonJS: inside an ES module their `require` must come from somewhere. */
const banner = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

/**
 * How many functions esbuild bundles at a time. It holds all outputs of a batch in memory, and reads what they share again
 * for each: twice as many take half a GB more and save a twentieth of the time.
 */
const batchSize = 20;
/** Maps take several times the memory of what they are of. */
const batchSizeWithMaps = 6;

const batches = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

const functionEntries = (mode: Mode) =>
  Object.fromEntries(functionFiles(mode).map(({ name, file }) => [`${name}/index`, file]));

/**
 * Bundles every function of one mode into <root>/dist/<mode>/<function>/index.mjs. The mode is the import condition that
 * `#backend` resolves by, so a bundle holds only the side it runs.
 */
export const bundle = async (mode: Mode, options: Bundling = {}): Promise<void> => {
  const { whole = false, maps = false, root = '.', entries = functionEntries(mode) } = options;
  const outdir = options.outdir ?? join(root, 'dist', mode);
  for (const batch of batches(Object.entries(entries), maps ? batchSizeWithMaps : batchSize)) {
    const { outputFiles } = await build({
      write: false,
      entryPoints: Object.fromEntries(batch),
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      minify: true,
      platform: 'node',
      target: 'node24',
      format: 'esm',
      mainFields: ['module', 'main'],
      conditions: [mode, 'module'],
      banner: { js: banner },
      legalComments: 'none',
      sourcemap: maps ? 'external' : false,
      logLevel: 'warning',
      plugins: [functionEntry, generatedIn(join(root, 'dist')), ...(whole ? [] : [slim])],
    });
    for (const { path, contents } of outputFiles) await writeChanged(path, contents);
  }
};
