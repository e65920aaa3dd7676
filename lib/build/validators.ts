import { Ajv, type Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { nameDefinitions } from '../contract/definitions.ts';
import * as operations from '../contract/operations.ts';
import { schemas } from '../contract/schemas.ts';
import { writeChanged } from './files.ts';
import { addKeywords } from './keywords.ts';

const triable: ReadonlySet<string> = new Set(
  Object.values(operations)
    .filter(({ dryRun }) => dryRun)
    .map(({ name }) => name),
);

const declaration = `import type { ErrorObject } from 'ajv';
type Validate = ((data: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };
export declare const path: Validate;
export declare const query: Validate;
export declare const body: Validate;
`;

/** Source of one module with a validator for each schema. Path and query arrive as text, so their types are coerced. */
const compile = (parts: Record<string, object>, options: Options): string => {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    inlineRefs: false,
    ...options,
    code: { source: true, esm: true },
  });
  addKeywords(ajv);
  for (const [name, schema] of Object.entries(parts)) {
    const { document, definitions } = nameDefinitions(schema, '#/definitions/');
    ajv.addSchema({ allOf: [document], definitions }, name);
  }
  const source = standalone.default(ajv, Object.fromEntries(Object.keys(parts).map((name) => [name, name])));
  return `import { inUtc } from './lib/instant.ts';${source}`;
};

/**
 * Compiles the validators of every operation to <directory>/<operation>.js: a function then neither carries a schema nor
 * compiles one at its cold start.
 */
export const writeValidators = async (directory: string): Promise<void> => {
  for (const [name, { path, query, body }] of Object.entries(schemas)) {
    // Read apart from the input, `dryRun` is no field of the query. A message that lists the parameters names it too.
    const also = triable.has(name) ? { 'x-also': ['dryRun'] } : {};
    const text = compile({ path, query: { ...query, ...also } }, { coerceTypes: true });
    const json = compile({ body }, {});
    const sources = { text, json };
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
    for (const { contents } of outputFiles) await writeChanged(`${directory}/${name}.js`, contents);
    await writeChanged(`${directory}/${name}.d.ts`, declaration);
  }
};
