import { Ajv, type Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import { extractDefinitions } from '../contract/definitions.ts';
import { contract } from '../contract/contract.ts';
import type { OperationEntry } from '../contract/entry.ts';
import { aboutKeyword } from '../contract/scalars.ts';
import { maxFieldErrors } from '../http/problem.ts';
import { writeChanged } from './files.ts';
import { addKeywords } from './keywords.ts';

const declaration = `import type { ErrorObject } from 'ajv';
type Validate = ((data: unknown) => boolean) & { errors?: readonly ErrorObject[] | null };
export declare const path: Validate;
export declare const query: Validate;
export declare const body: Validate;
`;

/**
 * Ends each loop over input after as many errors as a response has. Ajv copies its errors at each nested item, so the
 * cost of a long list of invalid items would be quadratic. Each loop counts from its own beginning: the errors of one
 * alternative of `anyOf` must not end the loops of the next one.
 */
const stopEarly = (source: string): string => {
  const ended = source
    .replaceAll(
      /for\(let (i\d+)=0; \1<(len\d+); \1\+\+\)\{/g,
      `for(let $1=0, from$1=errors; $1<$2 && errors-from$1<${maxFieldErrors}; $1++){`,
    )
    .replaceAll(
      /for\(const (\w+) in (\w+)\)\{/g,
      `const from$1$2=errors;for(const $1 in $2){if(errors-from$1$2>=${maxFieldErrors})break;`,
    );
  const loops = ended.match(/\bfor\s*\(/g)?.length ?? 0;
  const ending = ended.match(/errors-from\w+(<|>=)/g)?.length ?? 0;
  if (loops !== ending) throw new Error(`${loops - ending} loops of a validator have no end`);
  return ended;
};

/** Removes the texts for readers from a schema: a validator must not depend on them. */
const withoutTexts = (schema: object): object =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === aboutKeyword ? undefined : value))) as object;

/**
 * Returns the source of a module with a validator for each schema. Path and query are text, so their types are coerced.
 */
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
    const { document, definitions } = extractDefinitions(withoutTexts(schema), '#/definitions/');
    ajv.addSchema({ allOf: [document], definitions }, name);
  }
  const source = standalone.default(ajv, Object.fromEntries(Object.keys(parts).map((name) => [name, name])));
  const imports = [
    `import { toUtc } from './lib/runtime/instant.ts';`,
    `import { areDistinct } from './lib/build/distinct.ts';`,
  ];
  return `${imports.join('')}${stopEarly(source)}`;
};

/**
 * Compiles the validators of every operation to <directory>/<operation>.js. So a function neither contains a schema nor
 * compiles one at its cold start.
 */
export const writeValidators = async (directory: string): Promise<void> => {
  for (const [name, { params, query, body, dryRun }] of Object.entries<OperationEntry>(contract)) {
    // `dryRun` is read apart from the input, so it is no field of the query. A message that lists the parameters names
    // it too.
    const also = dryRun ? { 'x-also': ['dryRun'] } : {};
    const text = compile({ path: params, query: { ...query, ...also } }, { coerceTypes: true });
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
