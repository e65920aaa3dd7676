import { asyncApi } from '../../contract/async-api.ts';
import { examplePrefix } from '../../contract/events/example-prefix.ts';
import { publishedApi } from '../build/policy-document/published-api.ts';

/** A text of the OpenAPI or AsyncAPI document, with the place where it stands. */
export type ApiText = { readonly path: string; readonly text: string };

const textKeys: ReadonlySet<string> = new Set(['description', 'summary']);
const examples: ReadonlySet<string> = new Set(['example', 'examples']);

/** A schema's fields by name. A field may be called `description`. */
const isFieldList = (path: string): boolean => path.endsWith('/properties');

const textsIn = (value: unknown, path: string): readonly ApiText[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    if (examples.has(key) && !isFieldList(path)) return [];
    if (textKeys.has(key) && typeof inner === 'string' && !isFieldList(path))
      return [{ path: `${path}/${key}`, text: inner }];
    return textsIn(inner, `${path}/${key}`);
  });
};

const fieldsIn = (value: unknown, path: string): readonly string[] => {
  if (typeof value !== 'object' || value === null) return [];
  const missing = isFieldList(path)
    ? Object.entries(value)
        .filter(([, field]: [string, object]) => !('description' in field) && !('const' in field))
        .map(([name]) => `${path}/${name}`)
    : [];
  return [
    ...missing,
    ...Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      examples.has(key) && !isFieldList(path) ? [] : fieldsIn(inner, `${path}/${key}`),
    ),
  ];
};

const documents = () => ({
  openapi: publishedApi('https://identity.example.com/connect/token'),
  asyncapi: asyncApi(examplePrefix),
});

/** Every summary and description of both documents. */
export const apiTexts = (): readonly ApiText[] => textsIn(documents(), '');

/**
 * The fields without a description. A problem response narrows fields of the schema Problem, which has their texts.
 */
export const fieldsWithoutText = (): readonly string[] =>
  fieldsIn(documents(), '').filter((path) => !path.includes('problem+json'));
