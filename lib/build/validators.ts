import { mkdir, writeFile } from 'node:fs/promises';
import { Ajv, _, type Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { build } from 'esbuild';
import type Type from 'typebox';
import { nameDefinitions } from '../contract/definitions.ts';
import { schemas } from '../contract/schemas.ts';

const directory = 'dist/contract/validators';

const declaration = `import type { ErrorObject } from 'ajv';
type Validate = ((data: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };
export declare const path: Validate;
export declare const query: Validate;
export declare const body: Validate;
`;

/** Source of one module with a validator for each schema. Path and query arrive as text, so their types are coerced. */
const compile = (parts: Record<string, Type.TObject>, options: Options): string => {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    inlineRefs: false,
    ...options,
    code: { source: true, esm: true, formats: _`require("ajv-formats/dist/formats").fullFormats` },
  });
  formats.default(ajv);
  for (const [name, schema] of Object.entries(parts)) {
    const { document, definitions } = nameDefinitions(schema, '#/definitions/');
    ajv.addSchema({ allOf: [document], definitions }, name);
  }
  return standalone.default(ajv, Object.fromEntries(Object.keys(parts).map((name) => [name, name])));
};

/**
 * Compiles the validators of every operation to dist/contract/validators/<operation>.js: a function then neither
 * carries a schema nor compiles one at its cold start.
 */
export const writeValidators = async (): Promise<void> => {
  await mkdir(directory, { recursive: true });
  for (const [name, { path, query, body }] of Object.entries(schemas)) {
    const sources = {
      text: compile({ path, query }, { coerceTypes: true }),
      json: compile({ body }, {}),
    };
    await build({
      stdin: { contents: "export * from 'text'; export * from 'json';", resolveDir: '.' },
      outfile: `${directory}/${name}.js`,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      logLevel: 'warning',
      plugins: [
        {
          name: 'compiled',
          setup: (esbuild) => {
            esbuild.onResolve({ filter: /^(text|json)$/ }, ({ path: part }) => ({ path: part, namespace: 'compiled' }));
            esbuild.onLoad({ filter: /.*/, namespace: 'compiled' }, ({ path: part }) => ({
              contents: part === 'text' ? sources.text : sources.json,
              resolveDir: '.',
            }));
          },
        },
      ],
    });
    await writeFile(`${directory}/${name}.d.ts`, declaration);
  }
};
