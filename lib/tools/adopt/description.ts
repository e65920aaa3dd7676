import { isObject } from '../../runtime/json.ts';
import { UnreadableDescription } from './failure.ts';
import { maxListed } from './limits.ts';
import { shown } from './names.ts';
import { itemsOf, memberOf, membersOf, type Place, placeIn, resolved, textOf } from './pointer.ts';

export type Version = 'Swagger 2.0' | 'OpenAPI 3.0' | 'OpenAPI 3.1';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A description whose version is known. */
export type Description = {
  readonly root: unknown;
  readonly version: Version;
  /** The words by which its paths name returns. */
  readonly resourceWords: ReadonlySet<string>;
};

/** A method and a path of the description, before anything below it is read. */
export type Route = Pick<Description, 'resourceWords'> & {
  readonly method: Method;
  readonly path: string;
  readonly item: Place;
  readonly operation: Place;
};

export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  /** Whether its name or its description says that it makes a request idempotent: each request has another value. */
  readonly isKey: boolean;
  readonly schema: Place;
};

/** A body of a request or an answer. */
export type Content = { readonly mediaType: string; readonly schema: Place };

/** What the description says about a route. */
export type Endpoint = {
  readonly route: Route;
  readonly parameters: readonly Parameter[];
  readonly request: Content | undefined;
  readonly answer: Content | undefined;
  /** What the service answers with a status that is not described: mostly an error. */
  readonly otherAnswer: Content | undefined;
  readonly statuses: readonly number[];
};

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Returns the description with its version.
 *
 * @throws {UnreadableDescription} for another version
 */
export const openDescription = (root: unknown, resourceWords: ReadonlySet<string>): Description => {
  const word = memberOf(root, 'openapi') ?? memberOf(root, 'swagger');
  const text = typeof word === 'number' ? word.toFixed(1) : (textOf(word) ?? '');
  if (text === '2.0') return { root, version: 'Swagger 2.0', resourceWords };
  if (/^3\.0\b/.test(text)) return { root, version: 'OpenAPI 3.0', resourceWords };
  if (/^3\.1\b/.test(text)) return { root, version: 'OpenAPI 3.1', resourceWords };
  const at = memberOf(root, 'openapi') === undefined ? '#/swagger' : '#/openapi';
  throw new UnreadableDescription('version_unknown', at, 'an object with swagger 2.0, openapi 3.0 or openapi 3.1');
};

/**
 * Returns all routes, in the order of the description.
 *
 * @throws {UnreadableDescription} for a description without paths
 */
export const routesOf = ({ root, resourceWords }: Description): readonly Route[] => {
  const paths = placeIn({ value: root, at: '#' }, 'paths');
  if (!isObject(paths.value)) throw new UnreadableDescription('wrong_shape', '#/paths', 'an object of paths');
  return membersOf(paths)
    .filter(([path]) => path.startsWith('/'))
    .flatMap(([path, place]) => {
      const item = resolved(root, place);
      return methods.flatMap((method) => {
        const operation = placeIn(item, method.toLowerCase());
        return isObject(operation.value) ? [{ method, path, item, operation, resourceWords }] : [];
      });
    });
};

/** Returns the parameters of a route. Those of the operation replace those of the path. */
export const parametersOf = ({ root, version }: Description, { item, operation }: Route): readonly Parameter[] => {
  const found = new Map<string, Parameter>();
  for (const place of [item, operation].flatMap((owner) => itemsOf(placeIn(owner, 'parameters')))) {
    const parameter = resolved(root, place);
    const name = textOf(memberOf(parameter.value, 'name'));
    const where = textOf(memberOf(parameter.value, 'in'));
    if (name === undefined || where === undefined) continue;
    const schema = version === 'Swagger 2.0' && where !== 'body' ? parameter : placeIn(parameter, 'schema');
    found.set(`${where} ${name}`, {
      name,
      in: where,
      isRequired: memberOf(parameter.value, 'required') === true,
      isKey: /idempoten/i.test(`${name} ${textOf(memberOf(parameter.value, 'description')) ?? ''}`),
      schema,
    });
  }
  return [...found.values()];
};

const isJson = (mediaType: string): boolean =>
  /^[\w.+*-]+\/([\w.+*-]+\+)?(json|\*)\s*(;|$)/i.test(mediaType.slice(0, 200));

/** Returns the JSON content of a body, else its first content. */
export const contentOf = (contents: readonly Content[]): Content | undefined =>
  contents.find(({ mediaType }) => isJson(mediaType)) ?? contents[0];

const contentsIn = (owner: Place): readonly Content[] =>
  membersOf(placeIn(owner, 'content')).map(([mediaType, place]) => ({ mediaType, schema: placeIn(place, 'schema') }));

/** Returns a body of Swagger 2.0 by the media types of the operation, else those of the description. */
const swaggerContents = (
  root: unknown,
  operation: Place,
  list: 'consumes' | 'produces',
  schema: Place,
): readonly Content[] => {
  const own = itemsOf(placeIn(operation, list));
  const all = (own.length > 0 ? own : itemsOf(placeIn({ value: root, at: '#' }, list))).flatMap(
    ({ value }) => textOf(value) ?? [],
  );
  return (all.length > 0 ? all : ['application/json']).map((mediaType) => ({ mediaType, schema }));
};

/** Returns the responses of a route by the names of their statuses: `200`, `4XX` or `default`. */
export const responsesOf = ({ operation }: Route): ReadonlyMap<string, Place> =>
  new Map(membersOf(placeIn(operation, 'responses')));

/** Returns the content of a response, the one in JSON if there are several; undefined for a response without a body. */
export const contentOfResponse = (
  { root, version }: Description,
  { operation }: Route,
  place: Place,
): Content | undefined => {
  const response = resolved(root, place);
  if (version !== 'Swagger 2.0') return contentOf(contentsIn(response));
  if (memberOf(response.value, 'schema') === undefined) return undefined;
  return contentOf(swaggerContents(root, operation, 'produces', placeIn(response, 'schema')));
};

/** A body of a request: what is in it by media type, and whether it must be there. */
export type RequestBody = { readonly contents: readonly Content[]; readonly isRequired: boolean };

/** Returns the body of the requests of a route; undefined for requests without one. */
export const requestBodyOf = (description: Description, route: Route): RequestBody | undefined => {
  const { root, version } = description;
  if (version === 'Swagger 2.0') {
    const body = parametersOf(description, route).find((parameter) => parameter.in === 'body');
    const { isRequired, schema } = body ?? {};
    return (
      schema && {
        contents: swaggerContents(root, route.operation, 'consumes', schema),
        isRequired: isRequired === true,
      }
    );
  }
  const body = resolved(root, placeIn(route.operation, 'requestBody'));
  if (!isObject(body.value)) return undefined;
  return { contents: contentsIn(body), isRequired: memberOf(body.value, 'required') === true };
};

/** Returns the number of a status, 200 for `2XX`; undefined for `default`. */
const statusOf = (name: string): number | undefined => {
  // OpenAPI 3 has 2XX for all statuses of success.
  const status = Number(/^[1-5]XX$/i.test(name) ? `${name.charAt(0)}00` : name);
  return Number.isInteger(status) && status >= 100 && status < 600 ? status : undefined;
};

/** Reads all that the description says about a route. */
export const readEndpoint = (description: Description, route: Route): Endpoint => {
  const all = responsesOf(route);
  const other = all.get('default');
  const responses = [...all].flatMap(([name, place]) => {
    const status = statusOf(name);
    return status === undefined ? [] : [{ status, place }];
  });
  const answers = responses.flatMap(({ status, place }) =>
    status >= 200 && status < 300 ? (contentOfResponse(description, route, place) ?? []) : [],
  );
  return {
    route,
    parameters: parametersOf(description, route),
    request: contentOf(requestBodyOf(description, route)?.contents ?? []),
    answer: answers[0],
    otherAnswer: other && contentOfResponse(description, route, other),
    statuses: responses.map(({ status }) => status),
  };
};

/** Whether a content can be sent and read as JSON. */
export const isJsonContent = ({ mediaType }: Content): boolean => isJson(mediaType);

/** The method and the path, for Markdown. */
export const routeText = ({ method, path }: Route): string => shown(`${method} ${path}`);

/** Returns the first routes as text, and how many follow. */
export const listedRoutes = (routes: readonly Route[], textOfRoute: (route: Route) => string): readonly string[] => [
  ...routes.slice(0, maxListed).map(textOfRoute),
  ...(routes.length > maxListed ? [`… and ${routes.length - maxListed} more`] : []),
];

/** The method and the path, for a terminal. */
export const plainRoute = (route: Route): string => routeText(route).slice(1, -1);
