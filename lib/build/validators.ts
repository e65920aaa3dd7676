import { Ajv, _, type Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import formats from 'ajv-formats';
import { build } from 'esbuild';
import type Type from 'typebox';
import { nameDefinitions } from '../contract/definitions.ts';
import { schemas } from '../contract/schemas.ts';
import { writeChanged } from './files.ts';
import { formatsModule } from './formats.ts';

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
    code: { source: true, esm: true, formats: _`formats` },
  });
  formats.default(ajv);
  for (const [name, schema] of Object.entries(parts)) {
    const { document, definitions } = nameDefinitions(schema, '#/definitions/');
    ajv.addSchema({ allOf: [document], definitions }, name);
  }
  const source = standalone.default(ajv, Object.fromEntries(Object.keys(parts).map((name) => [name, name])));
  return `import { formats } from 'formats';${source}`;
};

/** The names of the formats that validators ask for. */
const formatsIn = (source: string): ReadonlySet<string> =>
  new Set(Array.from(source.matchAll(/= formats(?:\.|\[")([\w-]+)/g), ([, name = '']) => name));

/**
 * Compiles the validators of every operation to <directory>/<operation>.js: a function then neither carries a schema nor
 * compiles one at its cold start.
 */
export const writeValidators = async (directory: string): Promise<void> => {
  for (const [name, { path, query, body }] of Object.entries(schemas)) {
    const text = compile({ path, query }, { coerceTypes: true });
    const json = compile({ body }, {});
    const sources = { text, json, formats: formatsModule(formatsIn(text + json)) };
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
            esbuild.onResolve({ filter: /^(text|json|formats)$/ }, ({ path: part }) => ({
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
