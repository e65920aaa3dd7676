import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile, type Plugin } from 'esbuild';
import { minify } from 'rolldown/experimental';
import { generatedIn } from './bundle.ts';
import { shortTexts } from './console-texts.ts';

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

/** Leaves out what a record of an operation says to other readers. */
const slimRecords: Plugin = {
  name: 'records of operations',
  setup: (build) => {
    build.onLoad({ filter: /\/lib\/contract\/operations\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const unread = /(summary:'[^']*'|success:\[[^\]]*\]|errors:\[[^\]]*\]|localized:true|\w+:false),?/g;
      const contents = source.replaceAll(unread, '');
      return { contents, loader: 'ts' };
    });
  },
};

const entry = 'lib/console/main.tsx';

/**
 * The files that several screens use, or a screen and its dialog. A chunk for each group of them would take 2.5 kB more.
 */
const shellFiles = (): readonly string[] =>
  globSync([
    'lib/contract/{fold-reference,returns/closed-lists}.ts',
    'lib/console/{api,app,components,session,texts}/*.ts{,x}',
    'lib/console/screens/queue/{texts,use-bulk}.ts',
    'lib/console/forms/{{field,value}-texts,return-form}.ts',
  ]).toSorted();

/** What is alike in the shell, together: its texts, and the records of operations. They take 0.6 kB less there. */
const alikeFiles = (): readonly string[] => [
  ...globSync(
    'lib/console/texts/en/{app,common,components,{event,fact,field,policy}-words,fields,labels,queue,timeline,values}.json',
  ).toSorted(),
  'lib/contract/operations.ts',
];

const importOf = (path: string): string =>
  `import ${JSON.stringify(resolve(path))}${path.endsWith('.json') ? ' with { type: "json" }' : ''};\n`;

/**
 * Puts the files that screens share into the shell. esbuild makes a chunk for each set of entries that reach the same
 * files. Each screen uses another mix of the shared files, which would make 45 chunks below 1 kB. Here every entry
 * reaches all of them.
 */
const wholeShell = (files: readonly string[]): Plugin => ({
  name: 'whole shell',
  setup: (build) => {
    const imports = files.map(importOf).join('');
    const alike = alikeFiles().map(importOf).join('');
    build.onLoad({ filter: /\/lib\/console\/main\.tsx$/ }, async ({ path }) => ({
      contents: `${alike}${await readFile(path, 'utf8')}${imports}`,
      loader: 'tsx',
    }));
    build.onResolve({ filter: /\.tsx?$/ }, async ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = await build.resolve(path, { kind: 'import-statement', importer, resolveDir });
      // The names of chunks hash this path, which is the same in each checkout.
      return { path: relative('.', file.path), namespace: 'on-demand' };
    });
    build.onLoad({ filter: /./, namespace: 'on-demand' }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(resolve(path))};\n${imports}`,
      loader: 'js',
      resolveDir: resolve('.'),
    }));
  },
});

type Output = Metafile['outputs'][string];

const isEntry = ({ entryPoint }: Output): boolean => entryPoint === entry;

/** Minifies a script of esbuild again: the names of this minifier take 3 kB less of gzip. */
const shortened = async (path: string, script: Uint8Array): Promise<string> => {
  const { code, errors } = await minify(path, new TextDecoder().decode(script), { module: true });
  if (errors.length > 0) throw new Error(`${basename(path)} cannot be minified.`, { cause: errors });
  return code;
};

/** Reads the names of an import or an export: `a as b,c` are `a` and `b`, `c` and `c`. */
const namesIn = (clause: string): readonly (readonly [first: string, second: string])[] =>
  clause.split(',').map((name) => {
    const [first = '', second = first] = name.split(' as ');
    return [first, second];
  });

const lastExport = /export\{([^}]+)\};?\s*$/;
const chunkImport = /import\{([^}]+)\}from"\.\/(chunk-\w+\.js)";/g;

/** Exports what files share by the names that it has inside its chunk: 0.6 kB less of gzip than names of its own. */
const withInnerNames = (scripts: readonly (readonly [name: string, code: string])[]): ReadonlyMap<string, string> => {
  const innerNames = new Map(
    scripts
      .filter(([name]) => name.startsWith('chunk-'))
      .map(([name, code]) => {
        const names = namesIn(lastExport.exec(code)?.[1] ?? '');
        return [name, new Map(names.map(([inner, outer]) => [outer, inner]))];
      }),
  );
  const exported = (name: string, code: string): string => {
    const own = innerNames.get(name);
    return own === undefined
      ? code
      : code.replace(lastExport, () => `export{${[...new Set(own.values())].join(',')}};`);
  };
  const imported = (clause: string, chunk: string): string =>
    namesIn(clause)
      .map(([outer, local]) => `${innerNames.get(chunk)?.get(outer) ?? outer} as ${local}`)
      .join(',');
  return new Map(
    scripts.map(([name, code]) => [
      name,
      exported(name, code).replaceAll(
        chunkImport,
        (_, clause: string, chunk: string) => `import{${imported(clause, chunk)}}from"./${chunk}";`,
      ),
    ]),
  );
};

/**
 * Bundles the console for browsers: the shell, and one file for each screen.
 *
 * @param folder the folder of dist/ with the schemas of the forms
 */
export const bundleConsole = async (folder: string): Promise<ConsoleBundle> => {
  const { outputFiles, metafile } = await build({
    write: false,
    metafile: true,
    entryPoints: { console: entry, icon: 'lib/console/icon.svg' },
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
    // An import that only forms chunks has no other effect.
    logOverride: { 'ignored-bare-import': 'silent' },
    plugins: [generatedIn(folder), slimRecords, shortTexts, wholeShell(shellFiles())],
  });
  const scripts = await Promise.all(
    outputFiles
      .filter(({ path }) => path.endsWith('.js'))
      .map(async ({ path, contents }) => [basename(path), await shortened(path, contents)] as const),
  );
  const named = withInnerNames(scripts);
  const assets = Object.fromEntries(
    outputFiles.map(({ path, contents }): [string, Asset] => {
      const source = named.get(basename(path)) ?? contents;
      return [
        basename(path),
        {
          type: types[path.slice(path.lastIndexOf('.') + 1)] ?? '',
          // Blocks of this size take 0.4 kB less than the usual ones.
          gzip: gzipSync(source, { level: 9, memLevel: 6 }).toString('base64'),
        },
      ];
    }),
  );
  const [script = '', main] = Object.entries(metafile.outputs).find(([, output]) => isEntry(output)) ?? [];
  const preloads = (main?.imports ?? []).filter(({ kind }) => kind === 'import-statement');
  return {
    script: basename(script),
    style: basename(main?.cssBundle ?? ''),
    icon: Object.keys(assets).find((name) => name.endsWith('.svg')) ?? '',
    preloads: preloads.map(({ path }) => basename(path)),
    assets,
  };
};
