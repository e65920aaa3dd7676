import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BuildOptions, BuildResult, Plugin, PluginBuild } from 'esbuild';
import { parseSync, Visitor, type Argument, type Expression, type Program, type Span } from 'oxc-parser';
import { writeChanged } from '../../command-line/files.ts';
import { httpParser, httpParserFile, replaced } from './replaced.ts';

/** How esbuild writes a module for Lambda. */
export const forLambda = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  legalComments: 'none',
} satisfies BuildOptions;

type Insertion = { readonly at: number; readonly text: string };

/**
 * Parentheses around every function expression; esbuild retains them. V8 expects such a function to be called at once,
 * and compiles it while it reads it. V8 only preparses other functions, and reads them again at the call. That concerns
 * two thirds of the connected getReturn in a first invocation.
 * https://v8.dev/blog/preparser#pife
 */
const parentheses = (program: Program, source: string): readonly Insertion[] => {
  const opening: Insertion[] = [];
  const closing: Insertion[] = [];
  const wrap = ({ start, end }: Span) => {
    opening.push({ at: start, text: '(' });
    closing.push({ at: end, text: ')' });
  };
  new Visitor({
    ArrowFunctionExpression: wrap,
    // ESTree also has a function expression in each method, which begins with the parameters.
    FunctionExpression: (node) => (source.startsWith('(', node.start) ? undefined : wrap(node)),
  }).visit(program);
  return [...closing, ...opening];
};

const pure = '/* @__PURE__ */ ';

const pureCall = (value: Expression | Argument | null): readonly Insertion[] => {
  if (value?.type === 'ConditionalExpression') return [value.test, value.consequent, value.alternate].flatMap(pureCall);
  return value?.type === 'CallExpression' || value?.type === 'NewExpression'
    ? [{ at: value.start, text: pure }, ...value.arguments.flatMap(pureCall)]
    : [];
};

/**
 * Marks the calls whose result is a constant or a superclass of the module, so that esbuild omits them with what they
 * define when no function uses it.
 */
const pureCalls = ({ body }: Program): readonly Insertion[] =>
  body
    .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((own) => {
      if (own?.type === 'ClassDeclaration') return pureCall(own.superClass);
      return own?.type === 'VariableDeclaration' ? own.declarations.flatMap(({ init }) => pureCall(init)) : [];
    });

const inserted = (source: string, insertions: readonly Insertion[]): string => {
  let from = 0;
  const parts = insertions
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, text }) => {
      const part = source.slice(from, at) + text;
      from = at;
      return part;
    });
  return parts.join('') + source.slice(from);
};

/** Returns a module that V8 compiles at once. */
export const compiledAtOnce = (file: string, source: string): string =>
  inserted(source, parentheses(parseSync(file, source).program, source));

/** `compiledAtOnce` for a module of a package: importing it has no effect. */
const ofPackage = (file: string, source: string): string => {
  const { program } = parseSync(file, source);
  return inserted(source, [...pureCalls(program), ...parentheses(program, source)]);
};

const here = import.meta.dirname;

/** Packages that a bundle replaces by a module of this folder with the same used exports. */
const standIns: Readonly<Record<string, string>> = {
  '@aws-sdk/credential-provider-node': join(here, 'credentials.ts'),
  '@smithy/node-http-handler': join(here, 'http-handler.ts'),
  undici: join(here, 'undici.ts'),
};

/**
 * Returns the source of a Node module. The import of an ES module reads every property, including lazy ones. That of
 * `node:http` loads Node's built-in undici (24 ms instead of 3), that of `node:process` opens stdin, stdout and stderr.
 */
const builtin = (name: string): string =>
  name === 'node:process' ? 'process' : `/* @__PURE__ */ process.getBuiltinModule('${name}')`;

/** The parts of Node's modules that undici uses, where the whole module would load more. */
const takenByUndici: Readonly<Record<string, string>> = {
  // Loaded only when an assertion fails, to throw the usual error.
  'node:assert': `module.exports = (value, message) => { if (!value) process.getBuiltinModule('node:assert')(value, message); };`,
  // Node's own limit for headers. undici gets no message of node:http here.
  'node:http': 'module.exports = { maxHeaderSize: 16384 };',
};

const required = (name: string): string => `module.exports = ${builtin(name)};`;

const isNamed = (name: string): boolean => /^[a-zA-Z_]\w*$/.test(name) && name !== 'default';

/** Returns the source for an import, which reads only the imported names. That saves 7 ms of a start. */
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
  // The switch with which Node's own build of undici omits its second, experimental parser.
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

  // A client reads only the version from its package.json, for the user agent.
  build.onLoad({ filter: /\/node_modules\/@aws-sdk\/[^/]+\/package\.json$/ }, async ({ path }) => {
    const { version } = JSON.parse(await readFile(path, 'utf8')) as { version: string };
    return { contents: JSON.stringify({ version }), loader: 'json' };
  });
};

/**
 * Bundles undici into one module. It is CommonJS, and esbuild makes functions of its files that no source contains.
 * Parentheses can be added only after that.
 */
const bundled = async ({ esbuild }: PluginBuild, entry: string): Promise<string> => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    // The sources in its map are relative to this folder.
    outdir: here,
    platform: 'node',
    format: 'esm',
    // Otherwise esbuild makes them methods of an object.
    minifyIdentifiers: true,
    sourcemap: 'inline',
    plugins: [{ name: 'slim undici', setup: leaveOut }],
  });
  return outputFiles[0]?.text ?? '';
};

const standInForUndici = /\/slim\/undici\.ts$/;

/** Writes the HTTP parser next to every bundle that contains undici. */
const writeHttpParser = async ({ metafile }: BuildResult): Promise<void> => {
  const folders = Object.entries(metafile?.outputs ?? {})
    .filter(([, { inputs }]) => Object.keys(inputs).some((input) => standInForUndici.test(input)))
    .map(([file]) => dirname(file));
  await Promise.all([...new Set(folders)].map((folder) => writeChanged(join(folder, httpParserFile), httpParser())));
};

/** Makes bundles with undici find the HTTP parser. CommonJS in an ES module does not know its folder. */
const addHttpParser = (build: PluginBuild): void => {
  const { banner = {} } = build.initialOptions;
  build.initialOptions.banner = { ...banner, js: `${banner['js'] ?? ''}const bundleFolder=import.meta.dirname;` };
  build.initialOptions.metafile = true;
  build.onEnd(writeHttpParser);
};

/** The bundled modules by file: batches and both modes share them. Sources do not change during a build. */
const transformed = new Map<string, Promise<string>>();

const transformOnce = (path: string, transform: () => Promise<string>): Promise<string> => {
  const known = transformed.get(path) ?? transform();
  transformed.set(path, known);
  return known;
};

const transform = (build: PluginBuild): void => {
  build.onLoad({ filter: standInForUndici }, async ({ path }) => ({
    contents: await transformOnce(path, async () => compiledAtOnce('undici.js', await bundled(build, path))),
  }));
  build.onLoad({ filter: /\.(js|ts)$/ }, async ({ path }) => ({
    contents: await transformOnce(path, async () =>
      (path.includes('/node_modules/') ? ofPackage : compiledAtOnce)(path, await readFile(path, 'utf8')),
    ),
    loader: path.endsWith('.ts') ? 'ts' : 'js',
  }));
};

/** `slim` for modules that are bundled again. */
export const slimModules: Plugin = {
  name: 'slim modules',
  setup: (build) => {
    leaveOut(build);
    transform(build);
  },
};

/**
 * Omits code that Lambda never runs, and makes V8 compile the rest at once, for a faster start. The behaviour stays the
 * same: test/tools/build/slim.test.ts compares it with whole bundles.
 */
export const slim: Plugin = {
  name: 'slim',
  setup: (build) => {
    leaveOut(build);
    addHttpParser(build);
    transform(build);
  },
};
