import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Plugin, PluginBuild } from 'esbuild';
import { type EcmaScriptModule, parseSync } from 'oxc-parser';
import manifest from '../../../../package.json' with { type: 'json' };
import { forLambda, slimModules } from './plugin.ts';

/** The names that are imported from each module of a package, by the specifier of the module. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

/** The sources that functions can contain, without those of the tools. */
const bundledSources = (): readonly string[] =>
  globSync(['functions/**/*.ts', 'lib/**/*.ts'], {
    exclude: [
      'lib/console/**',
      // Only deploy counts.
      'lib/store/connected/open-work.ts',
      'lib/tools/{adopt,build,cli,command-line,conform,deploy,guides,local,template,verify}/**',
    ],
  }).toSorted();

/** The packages of the bundles, without undici: it is CommonJS, which `slim` bundles as a whole. */
const packages = Object.keys(manifest.dependencies).filter((name) => name !== 'undici');

const isOfPackage = (specifier: string): boolean =>
  packages.some((name) => specifier === name || specifier.startsWith(`${name}/`));

/** The names of imports and re-exports that give no name. */
const unnamed: Readonly<Record<string, string>> = {
  Default: 'default',
  NamespaceObject: '*',
  All: '*',
  AllButDefault: '*',
};

type Binding = {
  readonly isType: boolean;
  readonly importName: { readonly kind: string; readonly name: string | null };
};

/** Returns what a module imports or re-exports, with the specifiers. */
const bindingsOf = ({ staticImports, staticExports }: EcmaScriptModule): readonly (readonly [string, Binding])[] => [
  ...staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map((entry) => [moduleRequest.value, entry] as const),
  ),
  ...staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.moduleRequest === null ? [] : [[entry.moduleRequest.value, entry] as const])),
  ),
];

/** @throws {Error} for a dynamic import of a package: its names are unknown, and would be undefined in the bundle */
const refuseDynamicImports = (file: string, source: string, { dynamicImports }: EcmaScriptModule): void => {
  for (const { moduleRequest } of dynamicImports) {
    const specifier = source.slice(moduleRequest.start + 1, moduleRequest.end - 1);
    if (isOfPackage(specifier)) throw new Error(`${file}: import ${specifier} statically, with the names that you use`);
  }
};

/** Returns the names that the sources import of packages. A bundle finds no other names. */
const importsOf = async (files: readonly string[]): Promise<Imports> => {
  const imports = new Map<string, Set<string>>();
  for (const file of files) {
    const source = await readFile(file, 'utf8');
    if (!packages.some((name) => source.includes(`'${name}`))) continue;
    const { module } = parseSync(file, source);
    refuseDynamicImports(file, source, module);
    for (const [specifier, { isType, importName }] of bindingsOf(module)) {
      if (isType || !isOfPackage(specifier)) continue;
      const names = imports.get(specifier) ?? new Set();
      imports.set(specifier, names.add(importName.name ?? unnamed[importName.kind] ?? ''));
    }
  }
  return imports;
};

/** Returns the source of a module that exports only the imported names of another module. */
const selection = (specifier: string, names: ReadonlySet<string>): string =>
  names.has('*')
    ? `export * from '${specifier}';`
    : `export { ${[...names].toSorted().join(', ')} } from '${specifier}';`;

/** The folder of the bundled packages. It exists only for esbuild, whose source maps are relative to it. */
const folder = resolve('packages');
const selected = 'selected:';

/**
 * Bundles the imported names of all packages into modules that share chunks. Returns the modules by path, and the path
 * of each specifier.
 */
const shake = async ({ esbuild, initialOptions }: PluginBuild, imports: Imports) => {
  const specifiers = [...imports.keys()].toSorted();
  const paths = new Map(specifiers.map((specifier, index) => [specifier, join(folder, `${index}.js`)]));
  const selections: Plugin = {
    name: 'selections',
    setup: (build) => {
      build.onResolve({ filter: /^selected:/ }, ({ path }) => ({
        path: path.slice(selected.length),
        namespace: selected,
      }));
      build.onLoad({ filter: /^/, namespace: selected }, ({ path }) => ({
        contents: selection(path, imports.get(path) ?? new Set()),
        resolveDir: process.cwd(),
      }));
      // The bundles of the functions resolve these, so that a bundle has each only once.
      build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, external: true, sideEffects: false } : undefined,
      );
      build.onResolve({ filter: /^\.\.\/\.\.\// }, ({ path, resolveDir }) =>
        resolveDir === import.meta.dirname ? { path: resolve(resolveDir, path), external: true } : undefined,
      );
    },
  };
  const { outputFiles } = await esbuild.build({
    entryPoints: specifiers.map((specifier, index) => ({ in: `${selected}${specifier}`, out: String(index) })),
    outdir: folder,
    ...forLambda,
    write: false,
    splitting: true,
    conditions: ['module'],
    sourcemap: initialOptions.sourcemap === false ? false : 'inline',
    plugins: [selections, slimModules],
  });
  return { paths, modules: new Map(outputFiles.map(({ path, contents }) => [path, contents])) };
};

/** The bundled packages by their imports: batches and both modes share them. */
const known = new Map<string, ReturnType<typeof shake>>();

/**
 * Bundles the packages once, with all names that any function imports of them, and gives the result to each function.
 * esbuild copies the graph of all imported modules for each function, and uses few of the modules of a package. So
 * bundling every function from the packages themselves takes half as much CPU time again.
 *
 * @param entries the files of the bundles' entry points, which may be outside of functions/
 */
export const shakenPackages = (entries: readonly string[]): Plugin => {
  // Each batch runs the setup again.
  let scanned: Promise<Imports> | undefined;
  return {
    name: 'shaken packages',
    setup: async (build) => {
      build.initialOptions.logOverride = { 'ignored-bare-import': 'silent' };
      const imports = await (scanned ??= importsOf([...new Set([...bundledSources(), ...entries])]));
      const key = JSON.stringify([
        build.initialOptions.sourcemap,
        ...[...imports].map(([name, names]) => [name, ...names]),
      ]);
      const shaken = known.get(key) ?? shake(build, imports);
      known.set(key, shaken);
      const { paths, modules } = await shaken;
      build.onResolve({ filter: /^[@a-z]/ }, ({ path }) => {
        const module = paths.get(path);
        return module === undefined ? undefined : { path: module, sideEffects: false };
      });
      build.onResolve({ filter: /^\.\// }, ({ path, importer }) =>
        dirname(importer) === folder ? { path: resolve(folder, path), sideEffects: false } : undefined,
      );
      build.onLoad({ filter: /\/packages\/[^/]+\.js$/ }, ({ path }) => {
        const contents = modules.get(path);
        return contents === undefined ? undefined : { contents, resolveDir: import.meta.dirname };
      });
    },
  };
};
