import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { writeChanged } from '../command-line/files.ts';
import { functionFiles } from '../template/function-files.ts';
import { importedOperations } from '../template/function-needs.ts';
import type { Mode } from '../template/functions/function-row.ts';
import type { Offer } from '../template/offer.ts';
import { backendSource, operationsSource, withMappings } from './adapter-sources.ts';
import type { AdapterBuild } from '../template/adapters/read-adapter.ts';
import { shakenPackages } from './slim/packages.ts';
import { compiledAtOnce, forLambda, slim } from './slim/plugin.ts';

const runtimeFile = (name: string): string => JSON.stringify(resolve(import.meta.dirname, '../../runtime', name));

const sourceOf = (file: string): string =>
  [
    `import { handler as run } from ${JSON.stringify(file)};`,
    `import { readConfiguration } from ${runtimeFile('container.ts')};`,
    `import { withInvocation } from ${runtimeFile('invocation.ts')};`,
    'readConfiguration();',
    'export const handler = withInvocation(run);',
  ].join('\n');

/**
 * Adds to each function, after all of its modules, a read of the configuration and the ids of the invocation. Modules
 * do not read the environment during their import. But a deployed function must fail at its cold start when a variable
 * is missing.
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

const backendExport = /^export (?:const |\{ )(\w+)/;

/** Empties the lines of the other operations, which keeps the numbers of all lines. */
const withOperations = (backend: string, names: ReadonlySet<string>): string =>
  backend
    .split('\n')
    .map((line) => {
      const name = backendExport.exec(line)?.[1];
      return name === undefined || names.has(name) ? line : '';
    })
    .join('\n');

/**
 * Reduces `#backend` to the operations that the importing file calls. esbuild would drop the other operations itself,
 * but only after it has linked the files of all operations for each function. That takes a quarter of its time.
 */
export const ownOperations = (mode: Mode, whole: boolean): Plugin => ({
  name: 'own operations',
  setup: (build) => {
    build.onResolve({ filter: /^#backend$/ }, async ({ importer }) => {
      const names = importedOperations(await readFile(importer, 'utf8'));
      return names.length === 0
        ? undefined
        : { path: resolve(`lib/edge/backend/${mode}.ts`), suffix: `?${names.toSorted().join()}`, sideEffects: false };
    });
    build.onLoad({ filter: /\/lib\/edge\/backend\/\w+\.ts$/ }, async ({ path, suffix }) => {
      if (suffix === '') return undefined;
      const own = withOperations(await readFile(path, 'utf8'), new Set(suffix.slice(1).split(',')));
      return { contents: whole ? own : compiledAtOnce(path, own), loader: 'ts', resolveDir: dirname(path) };
    });
  },
});

/** Gives functions the side of the port of an adapter, and the records of its operations. */
const adapterModules = ({ adapter, offer: { entries } }: AdapterBuild): Plugin => ({
  name: 'adapter',
  setup: (build) => {
    build.onResolve({ filter: /^#backend$/ }, async ({ importer }) => {
      const names = importedOperations(await readFile(importer, 'utf8'));
      return { path: names.toSorted().join(), namespace: 'adapter', sideEffects: false };
    });
    build.onResolve({ filter: /^#adapter$/ }, ({ importer }) => ({
      path: resolve(`lib/adapters/${adapter.name}/adapter.ts`),
      // The importer is a module of this plugin: its path has the operations.
      suffix: `?${importer.replace(/^adapter:/, '')}`,
    }));
    build.onLoad({ filter: /\/lib\/adapters\/[^/]+\/adapter\.ts$/ }, async ({ path, suffix }) => {
      const names = new Set(suffix.slice(1).split(','));
      return {
        contents: withMappings(path, await readFile(path, 'utf8'), names),
        loader: 'ts',
        resolveDir: dirname(path),
      };
    });
    build.onResolve({ filter: /^#doctor$/ }, () => ({ path: resolve('lib/tools/doctor/adapter.ts') }));
    build.onLoad({ filter: /^/, namespace: 'adapter' }, ({ path }) => ({
      contents: backendSource(entries, path.split(',')),
      resolveDir: '.',
    }));
    build.onLoad({ filter: /\/lib\/contract\/operations\.ts$/ }, () => ({
      contents: operationsSource(entries),
      loader: 'ts',
    }));
  },
});

const generatedFile = (folder: string, contracts: readonly string[], name: string) => {
  const files = contracts.map((contract) => resolve(folder, contract, name));
  const path = files.find((file) => existsSync(file)) ?? files.at(-1);
  return path === undefined ? undefined : { path };
};

/**
 * Resolves `#contract/…` and `#validators/…` to the files that this build has generated. package.json resolves them to
 * dist/, where another build may have written since.
 *
 * @param contracts the folders to look in: those of an adapter first, then those of the whole contract
 */
export const generatedIn = (folder: string, contracts: readonly string[] = ['contract']): Plugin => ({
  name: 'generated',
  setup: (build) => {
    build.onResolve({ filter: /^#contract\// }, ({ path }) =>
      generatedFile(folder, contracts, path.slice('#contract/'.length)),
    );
    build.onResolve({ filter: /^#validators\// }, ({ path }) =>
      generatedFile(folder, contracts, `validators/${path.slice('#validators/'.length)}.js`),
    );
  },
});

export type Bundling = {
  /** Bundles every package unchanged: slim bundles are compared with these. */
  readonly whole?: boolean;
  /**
   * Writes source maps next to the bundles, to read stack traces in the log. The zips do not contain them.
   * @default false
   */
  readonly maps?: boolean;
  /**
   * The folder of dist/, with the generated files.
   * @default the working directory
   */
  readonly root?: string;
  /** @default `<root>/dist/<mode>` */
  readonly outdir?: string;
  /** The adapter of the offer. */
  readonly adapterBuild?: AdapterBuild;
  /** Reports the number of bundled functions after each batch. */
  readonly onBatch?: (bundled: number) => void;
  /** The entry points: file by output, without `.mjs`. @default every function of the offer, in a folder of its own */
  readonly entries?: Readonly<Record<string, string>>;
};

/** undici and parts of the SDK are CommonJS, which needs a `require` inside an ES module. */
const banner = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

/**
 * The number of functions that esbuild bundles at a time. It holds all outputs of a batch in memory, and reads shared
 * files again for each batch. Half as many take a tenth more CPU time.
 */
const batchSize = 60;
/** Source maps take several times the memory of their bundles. */
const batchSizeWithMaps = 6;

const batches = <Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));

const functionEntries = (offer: Offer) =>
  Object.fromEntries(functionFiles(offer).map(({ name, file }) => [`${name}/index`, file]));

/**
 * Bundles every function of an offer into <root>/dist/<folder>/<function>/index.mjs. The mode is the import condition
 * that resolves `#backend`, so a bundle holds only its own side.
 */
export const bundle = async (offer: Offer, options: Bundling = {}): Promise<void> => {
  const { whole = false, maps = false, root = '.', entries = functionEntries(offer), onBatch, adapterBuild } = options;
  const { mode, folder } = offer;
  const side =
    adapterBuild === undefined
      ? [ownOperations(mode, whole), generatedIn(join(root, 'dist'))]
      : [adapterModules(adapterBuild), generatedIn(join(root, 'dist'), [`contract/${folder}`, 'contract'])];
  const slimming = whole ? [] : [shakenPackages(Object.values(entries)), slim];
  const outdir = options.outdir ?? join(root, 'dist', folder);
  let written: Promise<unknown> = Promise.resolve();
  let bundled = 0;
  for (const batch of batches(Object.entries(entries), maps ? batchSizeWithMaps : batchSize)) {
    const { outputFiles } = await build({
      write: false,
      entryPoints: Object.fromEntries(batch),
      outdir,
      outExtension: { '.js': '.mjs' },
      ...forLambda,
      minify: true,
      conditions: [mode, 'module'],
      banner: { js: banner },
      sourcemap: maps ? 'external' : false,
      logLevel: 'warning',
      plugins: [functionEntry, ...side, ...slimming],
    });
    await written;
    bundled += batch.length;
    onBatch?.(bundled);
    // esbuild bundles the next functions while these are written.
    written = Promise.all(outputFiles.map(({ path, contents }) => writeChanged(path, contents)));
  }
  await written;
};
