import { readFile } from 'node:fs/promises';
import { Ajv, type ValidateFunction } from 'ajv';
import { isObject, type JsonObject, parseObject } from '../../runtime/json.ts';
import type { RecordedExchange } from './recording.ts';
import type { SentRequest } from './replay-server.ts';

/*
 * The description of a service (OpenAPI 3 or Swagger 2.0, JSON), and what exchanges have that it does not. It is a file
 * of the developer: nothing in it is loaded from elsewhere.
 */

export type Description = {
  /** Returns the differences between a request and the description. */
  readonly differencesOf: (request: SentRequest) => readonly string[];
  /** Returns the differences between a recorded answer and the description. */
  readonly answerDifferencesOf: (exchange: RecordedExchange) => readonly string[];
};

type Found = {
  readonly operation: JsonObject;
  /** The parameters of the operation and of its path. */
  readonly parameters: readonly JsonObject[];
  readonly document: Document;
};

type Document = {
  readonly root: JsonObject;
  /** The texts before the paths: none, where the parameter `ServicePath` of the adapter has them. */
  readonly basePaths: readonly string[];
  /** Compiles a schema of the document by its place (RFC 6901). */
  readonly validatorOf: (pointer: readonly string[]) => ValidateFunction;
};

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Returns the place that a reference within the document names; undefined for a value that is no reference. */
const referenceOf = ({ $ref: reference }: JsonObject): readonly string[] | undefined =>
  typeof reference === 'string' && reference.startsWith('#/')
    ? reference
        .slice(2)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : undefined;

/** Follows a reference within the document. */
const resolved = (root: JsonObject, value: JsonObject): JsonObject => {
  const parts = referenceOf(value);
  return parts === undefined ? value : objectOf(parts.reduce<unknown>((inner, part) => objectOf(inner)[part], root));
};

const pointerOf = (parts: readonly string[]): string =>
  parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

const basePathsOf = ({ servers, basePath }: JsonObject): readonly string[] => {
  if (typeof basePath === 'string') return ['', basePath.replace(/\/+$/, '')];
  const paths = listOf(servers).flatMap(({ url }) => {
    const path = URL.parse(String(url), 'http://localhost')?.pathname.replace(/\/+$/, '');
    return path === undefined ? [] : [path];
  });
  return ['', ...paths];
};

/** The bounds that OpenAPI 3.0 and Swagger 2.0 exclude by a switch, and JSON Schema by the bound itself. */
const bounds = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const;

const withExclusiveBounds = (schema: JsonObject): JsonObject =>
  bounds.reduce((changed, [bound, exclusive]) => {
    if (typeof changed[exclusive] !== 'boolean') return changed;
    const { [bound]: value, [exclusive]: isExclusive, ...rest } = changed;
    return { ...rest, ...(value !== undefined && { [isExclusive === true ? exclusive : bound]: value }) };
  }, schema);

/** Writes `nullable` as JSON Schema does: the validator knows it only beside `type`. */
const withNullType = (schema: JsonObject): JsonObject => {
  const { nullable, ...rest } = schema;
  if (typeof nullable !== 'boolean') return schema;
  return nullable ? { anyOf: [rest, { type: 'null' }] } : rest;
};

/** Returns a document whose schemas are those of JSON Schema. */
const asJsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, asJsonSchema(inner)]);
  return withNullType(withExclusiveBounds(Object.fromEntries(members) as JsonObject));
};

const documentOf = (root: JsonObject): Document => {
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  ajv.addSchema(asJsonSchema(root) as JsonObject, 'description');
  return {
    root,
    basePaths: basePathsOf(root),
    validatorOf: (pointer) => ajv.compile({ $ref: `description#${pointerOf(pointer)}` }),
  };
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/\{[^}]*\}/)
      .map(escaped)
      .join('[^/]+')}$`,
  );

type Located = { readonly template: string; readonly method: string; readonly found: Found };

/** Returns the operations that a path can mean. Templates with fewer parameters count first. */
const locate = (documents: readonly Document[], method: string, path: string): Located | undefined => {
  const name = method.toLowerCase();
  const candidates = documents.flatMap((document) =>
    Object.entries(objectOf(document.root['paths'])).flatMap(([template, item]) => {
      const operation = objectOf(item)[name];
      const matches = document.basePaths.some((base) => patternOf(`${base}${template}`).test(path));
      if (!matches || !isObject(operation)) return [];
      const parameters = [...listOf(objectOf(item)['parameters']), ...listOf(operation['parameters'])];
      const found = {
        operation,
        parameters: parameters.map((parameter) => resolved(document.root, parameter)),
        document,
      };
      return [{ template, method: name, found }];
    }),
  );
  return candidates.toSorted((a, b) => a.template.split('{').length - b.template.split('{').length)[0];
};

const queryDifferences = ({ parameters }: Found, query: SentRequest['query']): readonly string[] => {
  const declared = parameters.filter((parameter) => parameter['in'] === 'query');
  const names = new Set(declared.map(({ name }) => name));
  return [
    ...Object.keys(query).flatMap((name) => (names.has(name) ? [] : [`the query has no ${name}`])),
    ...declared.flatMap(({ name, required }) =>
      required === true && !(String(name) in query) ? [`the query needs ${String(name)}`] : [],
    ),
  ];
};

/** Where the description has the schema of a body, and its media types. */
type BodyPlace = { readonly pointer: readonly string[]; readonly mediaTypes: readonly string[] };

const contentPlace = (described: unknown, pointer: readonly string[]): BodyPlace | undefined => {
  const content = objectOf(objectOf(described)['content']);
  const mediaTypes = Object.keys(content);
  const media = mediaTypes.find((type) => /json|\*/.test(type));
  if (media === undefined) return undefined;
  return { pointer: [...pointer, 'content', media, 'schema'], mediaTypes };
};

const requestPlace = ({ template, method, found }: Located): BodyPlace | undefined => {
  const pointer = ['paths', template, method];
  const index = listOf(found.operation['parameters']).findIndex((parameter) => parameter['in'] === 'body');
  if (index >= 0) return { pointer: [...pointer, 'parameters', String(index), 'schema'], mediaTypes: [] };
  return contentPlace(found.operation['requestBody'], [...pointer, 'requestBody']);
};

const answerPlace = ({ template, method, found }: Located, status: string): BodyPlace | undefined => {
  const described = objectOf(objectOf(found.operation['responses'])[status]);
  const answer = resolved(found.document.root, described);
  const pointer = referenceOf(described) ?? ['paths', template, method, 'responses', status];
  if (isObject(answer['schema'])) return { pointer: [...pointer, 'schema'], mediaTypes: [] };
  return contentPlace(answer, pointer);
};

const bodyDifferences = ({ document }: Found, place: BodyPlace | undefined, body: unknown): readonly string[] => {
  if (place === undefined) return body === undefined ? [] : ['has no body'];
  const validate = document.validatorOf(place.pointer);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message = 'is invalid' }) => `the body${instancePath} ${message}`,
  );
};

const mediaDifferences = (place: BodyPlace | undefined, contentType: string | undefined): readonly string[] => {
  const type = contentType?.split(';')[0];
  const isDeclared = place === undefined || type === undefined || place.mediaTypes.includes(type);
  return isDeclared || place.mediaTypes.length === 0 ? [] : [`the body has the type ${place.mediaTypes.join(' or ')}`];
};

const prefixed = (method: string, path: string, texts: readonly string[]): readonly string[] =>
  texts.map((text) => `${method} ${path}: by the description, ${text}`);

/**
 * Reads the description of a service, which can have several files.
 *
 * @throws {Error} for a file that is no description in JSON
 */
export const readDescription = async (files: readonly string[]): Promise<Description> => {
  const documents = await Promise.all(
    files.map(async (file) => {
      const root = parseObject(await readFile(file, 'utf8'));
      if (!isObject(root?.['paths'])) throw new Error(`${file} must be an OpenAPI or Swagger document in JSON.`);
      return documentOf(root);
    }),
  );
  return {
    differencesOf: ({ method, path, query, headers, body }) => {
      const located = locate(documents, method, path);
      if (located === undefined) return prefixed(method, path, ['there is no such method and path']);
      const place = requestPlace(located);
      return prefixed(method, path, [
        ...queryDifferences(located.found, query),
        ...mediaDifferences(place, headers['content-type']),
        ...bodyDifferences(located.found, place, body),
      ]);
    },
    answerDifferencesOf: ({ request: { method, path }, answer }) => {
      const located = locate(documents, method, path);
      if (located === undefined || answer === 'lost') return [];
      const responses = objectOf(located.found.operation['responses']);
      const status = [String(answer.status), `${String(answer.status).charAt(0)}XX`, 'default'].find(
        (name) => name in responses,
      );
      // Outages, and what gateways answer, are in few descriptions.
      if (status === undefined) return answer.status >= 400 ? [] : prefixed(method, path, [`no ${answer.status}`]);
      return prefixed(method, path, bodyDifferences(located.found, answerPlace(located, status), answer.body)).map(
        (text) => `recorded answer ${answer.status}: ${text}`,
      );
    },
  };
};
