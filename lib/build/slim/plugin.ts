import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BuildResult, Plugin, PluginBuild } from 'esbuild';
import { writeChanged } from '../files.ts';
import { compiledAtOnce } from './eager.ts';
import { httpParser, httpParserFile, replaced } from './replaced.ts';

const here = import.meta.dirname;

/** Packages of which a bundle holds a module of this folder instead, and what that takes of them. */
const standIns: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': join(here, 'credentials.ts'),
  '@smithy/node-http-handler': join(here, 'http-handler.ts'),
  undici: join(here, 'undici.ts'),
};

/**
 * A module of Node. An ES module's import reads every property of one, lazy ones too: that of `node:http` loads the
 * undici that Node has built in (24 ms, against 3), that of `node:process` opens stdin, stdout and stderr.
 */
const builtin = (name: string): string =>
  name === 'node:process' ? 'process' : `/* @__PURE__ */ process.getBuiltinModule('${name}')`;

/** What undici takes of Node's modules, where that is less than loading them brings along. */
const takenByUndici: Readonly<Record<string, string>> = {
  // Loaded when an assertion fails, to throw what it always throws.
  'node:assert': `module.exports = (value, message) => { if (!value) process.getBuiltinModule('node:assert')(value, message); };`,
  // Node's own limit for headers. Nobody hands undici a message of node:http.
  'node:http': 'module.exports = { maxHeaderSize: 16384 };',
};

const required = (name: string): string => `module.exports = ${builtin(name)};`;

const isNamed = (name: string): boolean => /^[a-zA-Z_]\w*$/.test(name) && name !== 'default';

/** Its source for an import: only the names that are imported are read, which makes 7 ms of a start. */
const imported = (name: string): string =>
  [
    `const builtin = ${builtin(name)};`,
    'export default builtin;',
    ...Object.keys(process.getBuiltinModule(name) ?? {})
      .filter(isNamed)
      .map((own) => `const ${own}_ = /* @__PURE__ */ (() => builtin.${own})();\nexport { ${own}_ as ${own} };`),
  ].join('\n');

const anyOf = (names: readonly string[]): string => names.map((name) => name.replaceAll('.', '\\.')).join('|');

const leaveOut = (build: PluginBuild): void => {
  // The switch by which Node's own build of undici leaves its second, experimental parser out.
  build.initialOptions.define = { ...build.initialOptions.define, esbuildDetection: '1' };

  build.onResolve({ filter: new RegExp(`^(${anyOf(Object.keys(standIns))})$`) }, ({ path, importer }) => {
    const standIn = dirname(importer) === here ? undefined : standIns[path];
    return standIn === undefined ? undefined : { path: standIn };
  });

  build.onLoad({ filter: new RegExp(`/node_modules/(${anyOf(Object.keys(replaced))})$`) }, ({ path }) => {
    const [, file = ''] = /.*\/node_modules\/(.*)$/.exec(path) ?? [];
    return { contents: replaced[file] ?? '', loader: 'js', resolveDir: dirname(path) };
  });

  build.onResolve({ filter: /^node:/ }, ({ path, kind, importer }) => {
    const byUndici = importer.includes('/node_modules/undici/') && path in takenByUndici;
    const namespace = byUndici ? 'undici' : kind === 'import-statement' ? 'imported' : 'required';
    return { path, namespace, sideEffects: false };
  });
  build.onLoad({ filter: /^/, namespace: 'imported' }, ({ path }) => ({ contents: imported(path) }));
  build.onLoad({ filter: /^/, namespace: 'required' }, ({ path }) => ({ contents: required(path) }));
  build.onLoad({ filter: /^/, namespace: 'undici' }, ({ path }) => ({ contents: takenByUndici[path] ?? '' }));

  // Of its package.json a client tells the version, in the user agent.
  build.onLoad({ filter: /\/node_modules\/@aws-sdk\/[^/]+\/package\.json$/ }, async ({ path }) => {
    const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
    return { contents: JSON.stringify({ version }), loader: 'json' };
  });
};

/**
 * undici as one module. It is CommonJS, and the functions that esbuild makes of its files stand in no source: parentheses
 * can be put around them once they do.
 */
const bundled = async ({ esbuild }: PluginBuild, entry: string): Promise<string> => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    // What its map calls sources is from here.
    outdir: here,
    platform: 'node',
    format: 'esm',
    // Otherwise they are methods of an object.
    minifyIdentifiers: true,
    sourcemap: 'inline',
    plugins: [{ name: 'slim undici', setup: leaveOut }],
  });
  return outputFiles[0]?.text ?? '';
};

const standInForUndici = /\/slim\/undici\.ts$/;

/** Puts the parser of HTTP beside every bundle that has undici in it. */
const writeHttpParser = async ({ metafile }: BuildResult): Promise<void> => {
  const folders = Object.entries(metafile?.outputs ?? {})
    .filter(([, { inputs }]) => Object.keys(inputs).some((input) => standInForUndici.test(input)))
    .map(([file]) => dirname(file));
  await Promise.all([...new Set(folders)].map((folder) => writeChanged(join(folder, httpParserFile), httpParser())));
};

/** Has bundles with undici find the parser of HTTP. CommonJS in an ES module does not know its folder. */
const addHttpParser = (build: PluginBuild): void => {
  const { banner = {} } = build.initialOptions;
  build.initialOptions.banner = { ...banner, js: `${banner['js'] ?? ''}const bundleFolder=import.meta.dirname;` };
  build.initialOptions.metafile = true;
  build.onEnd(writeHttpParser);
};

/** Modules as they are bundled, by file: batches and both modes bundle the same ones. Sources do not change during a build. */
const transformed = new Map<string, Promise<string>>();

const transformOnce = (path: string, transform: () => Promise<string>): Promise<string> => {
  const known = transformed.get(path) ?? transform();
  transformed.set(path, known);
  return known;
};

/**
 * Leaves out of a bundle what Lambda never runs, and has V8 compile the rest at once, so that it starts sooner: our
 * sources and what they do stay the same, which test/build/slim.test.ts holds against whole bundles.
 */
export const slim: Plugin = {
  name: 'slim',
  setup: (build) => {
    leaveOut(build);
    addHttpParser(build);

    build.onLoad({ filter: standInForUndici }, async ({ path }) => ({
      contents: await transformOnce(path, async () => compiledAtOnce('undici.js', await bundled(build, path))),
    }));
    build.onLoad({ filter: /\.(js|ts)$/ }, async ({ path }) => ({
      contents: await transformOnce(path, async () => compiledAtOnce(path, await readFile(path, 'utf8'))),
      loader: path.endsWith('.ts') ? 'ts' : 'js',
    }));
  },
};
