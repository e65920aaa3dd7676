import { serverPathsOf } from '../adopt/access.ts';
import {
  type Content,
  contentOf,
  contentOfResponse,
  type Description as OpenDescription,
  openDescription,
  parametersOf,
  requestBodyOf,
  responsesOf,
  type Route,
  routesOf,
} from '../adopt/description.ts';
import { failureText, UnreadableDescription } from '../adopt/failure.ts';
import { parseDescription } from '../adopt/parse.ts';
import { type Place, resolved } from '../adopt/pointer.ts';
import { readDescriptionFile } from '../adopt/read-file.ts';
import type { RecordedAnswer, RecordedExchange } from './recording.ts';
import type { SentRequest } from './replay-server.ts';
import { openSchemas } from './schemas.ts';

/* What exchanges have that the description of the service does not. */

export type Description = {
  /** Returns the differences between a request and the description. */
  readonly differencesOf: (request: SentRequest) => readonly string[];
  /** Whether the description has a header at a request, or does not have the request. */
  readonly hasHeader: (request: Pick<SentRequest, 'method' | 'path'>, name: string) => boolean;
  /** Returns the differences between a recorded answer and the description. */
  readonly answerDifferencesOf: (exchange: RecordedExchange) => readonly string[];
};

/** A route in one of the files. */
type Located = {
  readonly file: string;
  readonly description: OpenDescription;
  readonly route: Route;
  readonly patterns: readonly RegExp[];
  readonly differencesIn: (schema: Place, body: unknown) => readonly string[];
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const patternOf = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/(?:\{[^{}]*\})+/)
      .map(escaped)
      .join('[^/]+')}$`,
  );

const openFile = (file: string, root: unknown): readonly Located[] => {
  const description = openDescription(root, new Set());
  const basePaths = ['', ...serverPathsOf(description)];
  const validate = openSchemas(root);
  return routesOf(description).map((route) => ({
    file,
    description,
    route,
    // Without the path of the server, where the parameter `ServicePath` of the adapter has it.
    patterns: basePaths.map((base) => patternOf(`${base}${route.path}`)),
    differencesIn: (schema, body) => {
      // Names the place of a reference that leads nowhere, which the validator does not.
      const { value, at } = resolved(root, schema);
      try {
        return validate(value, body).map((difference) => `the body${difference}`);
      } catch {
        throw new UnreadableDescription('schema_unknown', at, 'a schema of JSON Schema with references into this file');
      }
    },
  }));
};

/** Does work on a file. @throws {Error} with the file and the place in it that cannot be read */
const reading = <Value>(file: string, work: () => Value): Value => {
  try {
    return work();
  } catch (error) {
    throw error instanceof UnreadableDescription ? new Error(failureText(file, error.failure)) : error;
  }
};

const queryDifferences = ({ description, route }: Located, query: SentRequest['query']): readonly string[] => {
  const declared = parametersOf(description, route).filter((parameter) => parameter.in === 'query');
  const names = new Set(declared.map(({ name }) => name));
  return [
    ...Object.keys(query).flatMap((name) => (names.has(name) ? [] : [`the query has no ${name}`])),
    ...declared.flatMap(({ name, isRequired }) => (isRequired && !(name in query) ? [`the query needs ${name}`] : [])),
  ];
};

const mediaDifferences = (contents: readonly Content[], contentType: string | undefined): readonly string[] => {
  const type = contentType?.split(';')[0];
  const types = contents.map(({ mediaType }) => mediaType.split(';')[0]);
  return type === undefined || types.includes(type) ? [] : [`the body has the type ${types.join(' or ')}`];
};

const requestDifferences = (located: Located, { query, headers, body }: SentRequest): readonly string[] => {
  const { contents = [], isRequired = false } = requestBodyOf(located.description, located.route) ?? {};
  const content = contentOf(contents);
  const ofBody = (): readonly string[] => {
    if (body === undefined) return isRequired ? ['the request needs a body'] : [];
    if (content === undefined) return ['the request has no body'];
    return [...mediaDifferences(contents, headers['content-type']), ...located.differencesIn(content.schema, body)];
  };
  return [...queryDifferences(located, query), ...ofBody()];
};

const answerDifferences = (
  { description, route, differencesIn }: Located,
  { status, body }: Exclude<RecordedAnswer, 'lost'>,
): readonly string[] => {
  const responses = responsesOf(route);
  const response = [String(status), `${String(status).charAt(0)}XX`, 'default'].flatMap(
    (name) => responses.get(name) ?? [],
  )[0];
  // Outages, and what gateways answer, are in few descriptions.
  if (response === undefined) return status >= 400 ? [] : ['there is no such answer'];
  const content = contentOfResponse(description, route, response);
  if (content === undefined) return body === undefined ? [] : ['the answer has no body'];
  return differencesIn(content.schema, body);
};

const prefixed = (method: string, path: string, texts: readonly string[]): readonly string[] =>
  texts.map((text) => `${method} ${path}: by the description, ${text}`);

/**
 * Reads the description of a service, which can have several files.
 *
 * @throws {Error} for a file that is no description within the limits
 */
export const readDescription = async (files: readonly string[]): Promise<Description> => {
  const opened: Located[] = [];
  for (const file of files) {
    const bytes = await readDescriptionFile(file);
    if (!bytes.ok) throw new Error(failureText(file, bytes.failure));
    opened.push(...reading(file, () => openFile(file, parseDescription(bytes.value))));
  }
  // Templates with fewer parameters count first.
  const all = opened.toSorted((a, b) => a.route.path.split('{').length - b.route.path.split('{').length);
  const locate = (method: string, path: string): Located | undefined =>
    all.find(({ route, patterns }) => route.method === method && patterns.some((pattern) => pattern.test(path)));
  return {
    differencesOf: (request) => {
      const { method, path } = request;
      const located = locate(method, path);
      if (located === undefined) return prefixed(method, path, ['there is no such method and path']);
      return prefixed(
        method,
        path,
        reading(located.file, () => requestDifferences(located, request)),
      );
    },
    hasHeader: ({ method, path }, header) => {
      const located = locate(method, path);
      const declared = located && parametersOf(located.description, located.route);
      return declared?.some(({ in: place, name }) => place === 'header' && name.toLowerCase() === header) ?? true;
    },
    answerDifferencesOf: ({ request: { method, path }, answer }) => {
      const located = locate(method, path);
      if (located === undefined || answer === 'lost') return [];
      return prefixed(
        method,
        path,
        reading(located.file, () => answerDifferences(located, answer)),
      ).map((text) => `recorded answer ${answer.status}: ${text}`);
    },
  };
};
