import { Ajv, type Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { extractDefinitions } from '../../contract/definitions.ts';
import type { OperationEntry } from '../../contract/entry.ts';
import { aboutKeyword } from '../../contract/scalars.ts';
import { writeChanged } from '../command-line/files.ts';
import { addKeywords } from './keywords.ts';

const declaration = `import type { ErrorObject } from 'ajv';
type Validate = ((data: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };
export declare const path: Validate;
export declare const query: Validate;
export declare const body: Validate;
`;

/** Removes the texts for readers from a schema: a validator must not depend on them. */
const withoutTexts = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === aboutKeyword ? undefined : value))) as object;

/**
 * Checks schemas against the schema of schemas. Ajv takes longer to compile that schema than the schemas of an
 * operation, so one instance has it for all.
 */
const openChecker = (): Ajv => {
  const checker = new Ajv({ strict: true });
  // Compiles the schema of schemas while the keywords are still Ajv's own.
  if (checker.validateSchema({}) !== true) throw new Error('the schema of schemas does not compile');
  addKeywords(checker);
  return checker;
};

/**
 * Returns the source of a module with a validator for each schema. Path and query are text, so their types are coerced.
 */
const compile = (checker: Ajv, parts: Record<string, object>, options: Options): string => {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    inlineRefs: false,
    meta: false,
    validateSchema: false,
    ...options,
    code: { source: true, esm: true },
  });
  addKeywords(ajv);
  for (const [name, part] of Object.entries(parts)) {
    const { document, definitions } = extractDefinitions(withoutTexts(part), '#/definitions/');
    const schema = { allOf: [document], definitions };
    void checker.validateSchema(schema, true);
    ajv.addSchema(schema, name);
  }
  const source = standalone.default(ajv, Object.fromEntries(Object.keys(parts).map((name) => [name, name])));
  const imports = [
    `import { toUtc } from './lib/runtime/instant.ts';`,
    `import { areDistinct } from './lib/tools/build/distinct.ts';`,
  ];
  return `${imports.join('')}${source}`;
};

/** Bundles the parts of an operation's validators into one module. */
const joined = async (sources: Readonly<Record<'text' | 'json', string>>): Promise<Uint8Array> => {
  const { outputFiles } = await build({
    write: false,
    stdin: { contents: "export * from 'text'; export * from 'json';", resolveDir: '.' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
    plugins: [
      {
        name: 'compiled',
        setup: (esbuild) => {
          esbuild.onResolve({ filter: /^(text|json)$/ }, ({ path: part }) => ({
            path: part,
            namespace: 'compiled',
          }));
          esbuild.onLoad({ filter: /.*/, namespace: 'compiled' }, ({ path: part }) => ({
            contents: sources[part as keyof typeof sources],
            resolveDir: '.',
          }));
        },
      },
    ],
  });
  const [{ contents } = { contents: new Uint8Array() }] = outputFiles;
  return contents;
};

/**
 * Compiles the validators of every operation to <directory>/<operation>.js. So a function neither contains a schema nor
 * compiles one at its cold start. Ajv compiles an operation while esbuild bundles earlier ones.
 */
export const writeValidators = async (
  directory: string,
  entries: Readonly<Record<string, OperationEntry>>,
): Promise<void> => {
  const checker = openChecker();
  const write = async (name: string, { params, query, body, dryRun }: OperationEntry): Promise<void> => {
    // `dryRun` is read apart from the input, so it is no field of the query. A message that lists the parameters names
    // it too.
    const also = dryRun ? { 'x-also': ['dryRun'] } : {};
    const text = compile(checker, { path: params, query: { ...query, ...also } }, { coerceTypes: true });
    const json = compile(checker, { body }, {});
    await writeChanged(`${directory}/${name}.js`, await joined({ text, json }));
    await writeChanged(`${directory}/${name}.d.ts`, declaration);
  };
  await Promise.all(Object.entries(entries).map(([name, entry]) => write(name, entry)));
};
