import { type Content, type Endpoint, isJsonContent, type Parameter, type Route } from './description.ts';
import { keyOf, literal, shown, wordsOf } from './names.ts';
import { todo } from './todo.ts';

/* The TypeScript of one request to the service. */

const parameter = /\{[^{}]*\}/g;

/** Encodes the literal part of a path. What is left has no meaning in a template literal. */
const encoded = (text: string): string =>
  text
    .split('/')
    .map((segment) => encodeURIComponent(segment.toWellFormed()).replaceAll('%3A', ':').replaceAll('%40', '@'))
    .join('/');

/** Whether a literal part of a path is a step: mappings stay below the path of the service. */
const hasStep = (path: string): boolean =>
  path
    .split('/')
    .some(
      (segment, index, all) => /^\.{1,2}$/.test(segment) || (segment === '' && index > 0 && index < all.length - 1),
    );

const isReturnId = (name: string, { resourceWords }: Route): boolean =>
  wordsOf(name).some((word) => resourceWords.has(word));

/** Returns the index of the parameter with the id of the return: the one after the returns, else the named one. */
const idIndex = (names: readonly string[], route: Route): number => {
  const { path, resourceWords } = route;
  const before = [...path.matchAll(parameter)].map(({ index }) => path.slice(0, index).split('/').at(-2) ?? '');
  const after = before.findIndex((segment) =>
    wordsOf(segment).some((word) => word.includes('return') || resourceWords.has(word)),
  );
  if (after >= 0) return after;
  const named = names.findLastIndex((name) => isReturnId(name, route) && /id|number|numero|codigo|nr/i.test(name));
  return named >= 0 ? named : names.length - 1;
};

const parameterNames = ({ path }: Route): readonly string[] =>
  [...path.matchAll(parameter)].map(([name]) => name.slice(1, -1));

/** Returns the name of the path parameter with the id of the return; undefined for a path without parameters. */
export const idParameterOf = (route: Route): string | undefined => {
  const names = parameterNames(route);
  return names[idIndex(names, route)];
};

/** Returns the template literal of a path. */
const pathText = (route: Route, returnId: string | undefined): string => {
  if (hasStep(route.path))
    return todo('a path without empty parts and steps', ...(returnId === undefined ? [] : [returnId]));
  const names = parameterNames(route);
  const index = returnId === undefined ? -1 : idIndex(names, route);
  const values = names.map((name, at) =>
    at === index && returnId !== undefined ? returnId : todo(`the path parameter ${shown(name).slice(1, -1)}`),
  );
  const parts = route.path.split(parameter).map(encoded);
  return `path\`${parts.map((part, at) => `${part}${values[at] === undefined ? '' : `\${${values[at]}}`}`).join('')}\``;
};

/** Entries of an object literal: the name, and the expression of its value. */
export type Entries = ReadonlyMap<string, string>;

const objectText = (entries: Entries): string =>
  `{ ${[...entries].map(([name, value]) => `${keyOf(name)}: ${value}`).join(', ')} }`;

const isReturnIdQuery = (route: Route, { name, ...parameter }: Parameter): boolean =>
  parameter.in === 'query' &&
  (isReturnId(name, route) || /^id$/i.test(name)) &&
  /id|number|numero|codigo|nr/i.test(name);

/** Returns the query: what the operation gives, and a place for each further parameter that is required. */
const queryOf = (
  { parameters }: Endpoint,
  given: Entries,
  idParameter: string | undefined,
  returnId: string,
): Entries => {
  const required = parameters
    .filter(({ name, isRequired, ...other }) => other.in === 'query' && isRequired && !given.has(name))
    .map(({ name }): [string, string] => [name, todo(`the query parameter ${shown(name).slice(1, -1)}`)]);
  return new Map([...given, ...required, ...(idParameter === undefined ? [] : [[idParameter, returnId] as const])]);
};

const plainMedia = /^[a-z0-9!#$&^_.+-]{1,80}\/[a-z0-9!#$&^_.+-]{1,120}(; ?[a-z-]+=[a-z0-9.-]+)?$/i;

const mediaOf = (content: Content | undefined): string | undefined =>
  content !== undefined &&
  isJsonContent(content) &&
  plainMedia.test(content.mediaType) &&
  !/^application\/(json|\*)/i.test(content.mediaType)
    ? literal(content.mediaType)
    : undefined;

export type RequestValues = {
  /** The expression of the id of the return. */
  readonly returnId?: string;
  readonly query?: Entries;
  /** The expression of the body. */
  readonly body?: string;
};

/** Returns the argument of `send`. An id of a return is in the path, else in the query, else in the body. */
export const requestText = (endpoint: Endpoint, { returnId, query = new Map(), body }: RequestValues): string => {
  const { route, request, answer, parameters } = endpoint;
  const isInPath = route.path.includes('{');
  const idParameter =
    isInPath || returnId === undefined
      ? undefined
      : parameters.find((parameter) => isReturnIdQuery(route, parameter))?.name;
  const isLost = returnId !== undefined && !isInPath && idParameter === undefined && body === undefined;
  const queries = queryOf(endpoint, query, idParameter, returnId ?? '');
  const accept = mediaOf(answer);
  const contentType = body === undefined ? undefined : mediaOf(request);
  return objectText(
    new Map([
      ['method', literal(route.method)],
      ['path', isLost ? todo('where the request has the id of the return', returnId) : pathText(route, returnId)],
      ...(queries.size === 0 ? [] : [['query', objectText(queries)] as const]),
      ...(body === undefined ? [] : [['body', body] as const]),
      ...(accept === undefined ? [] : [['accept', accept] as const]),
      ...(contentType === undefined ? [] : [['contentType', contentType] as const]),
    ]),
  );
};
