import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import { generatedIn } from './generated-in.ts';

/** A file of the console. Its name has a hash of its content, so browsers may cache it for good. */
type Asset = { readonly type: string; readonly gzip: string };

/** The console as its function carries it: the files that the first page loads, and all files by name. */
export type ConsoleBundle = {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  /** Files that the script imports at once. The page preloads them. */
  readonly preloads: readonly string[];
  readonly assets: Readonly<Record<string, Asset>>;
};

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Leaves out what a record of an operation says to other readers. Each screen carries the records that it calls. */
const slimRecords: Plugin = {
  name: 'records of operations',
  setup: (build) => {
    build.onLoad({ filter: /\/lib\/contract\/operations\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replaceAll(/(summary:'[^']*'|success:\[[^\]]*\]|refusals:\[[^\]]*\]),?/g, '');
      return { contents, loader: 'ts' };
    });
  },
};

type Output = Metafile['outputs'][string];

const isEntry = ({ entryPoint }: Output): boolean => entryPoint === 'lib/console/main.tsx';

/**
 * Bundles the console for browsers: the shell, and one file for each screen.
 *
 * @param folder the folder of dist/ with the schemas of the forms
 */
export const bundleConsole = async (folder: string): Promise<ConsoleBundle> => {
  const { outputFiles, metafile } = await build({
    write: false,
    metafile: true,
    entryPoints: { console: 'lib/console/main.tsx', icon: 'lib/console/icon.svg' },
    loader: { '.svg': 'copy' },
    outdir: resolve(folder, 'console'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'browser',
    target: 'es2023',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [generatedIn(folder), slimRecords],
  });
  const assets = Object.fromEntries(
    outputFiles.map(({ path, contents }): [string, Asset] => [
      basename(path),
      {
        type: types[path.slice(path.lastIndexOf('.') + 1)] ?? '',
        gzip: gzipSync(contents, { level: 9 }).toString('base64'),
      },
    ]),
  );
  const [script = '', entry] = Object.entries(metafile.outputs).find(([, output]) => isEntry(output)) ?? [];
  const preloads = (entry?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  return {
    script: basename(script),
    style: basename(entry?.cssBundle ?? ''),
    icon: Object.keys(assets).find((name) => name.endsWith('.svg')) ?? '',
    preloads: preloads.map(({ path }) => basename(path)),
    assets,
  };
};
