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

/** The parameters of a route. Those of the operation replace those of the path. */
const parametersOf = ({ root, version }: Description, { item, operation }: Route): readonly Parameter[] => {
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
      schema,
    });
  }
  return [...found.values()];
};

const isJson = (mediaType: string): boolean =>
  /^[\w.+*-]+\/([\w.+*-]+\+)?(json|\*)\s*(;|$)/i.test(mediaType.slice(0, 200));

/** Returns the JSON content of a body, else its first content. */
const contentOf = (content: Place): Content | undefined => {
  const all = membersOf(content).map(([mediaType, place]) => ({ mediaType, schema: placeIn(place, 'schema') }));
  return all.find(({ mediaType }) => isJson(mediaType)) ?? all[0];
};

/** Returns the first media type of Swagger 2.0 in a list: that of the operation, else that of the description. */
const swaggerMedia = (root: unknown, operation: Place, list: 'consumes' | 'produces'): string => {
  const own = itemsOf(placeIn(operation, list));
  const all = (own.length > 0 ? own : itemsOf(placeIn({ value: root, at: '#' }, list))).flatMap(
    ({ value }) => textOf(value) ?? [],
  );
  return all.find(isJson) ?? all[0] ?? 'application/json';
};

const responsesOf = ({ root }: Description, { operation }: Route): readonly (readonly [number, Place])[] =>
  membersOf(placeIn(operation, 'responses')).flatMap(([status, place]) => {
    // OpenAPI 3 has 2XX for all statuses of success.
    const number = Number(/^[1-5]XX$/i.test(status) ? `${status.charAt(0)}00` : status);
    return Number.isInteger(number) && number >= 100 && number < 600 ? [[number, resolved(root, place)] as const] : [];
  });

/** Reads all that the description says about a route. */
export const readEndpoint = (description: Description, route: Route): Endpoint => {
  const { root, version } = description;
  const parameters = parametersOf(description, route);
  const responses = responsesOf(description, route);
  const success = responses.filter(([status]) => status >= 200 && status < 300).map(([, place]) => place);
  const isSwagger = version === 'Swagger 2.0';
  const body = parameters.find((parameter) => parameter.in === 'body');
  const requestBody = resolved(root, placeIn(route.operation, 'requestBody'));
  const answers = success.flatMap((place) =>
    isSwagger
      ? memberOf(place.value, 'schema') === undefined
        ? []
        : [{ mediaType: swaggerMedia(root, route.operation, 'produces'), schema: placeIn(place, 'schema') }]
      : (contentOf(placeIn(place, 'content')) ?? []),
  );
  return {
    route,
    parameters,
    request: isSwagger
      ? body && { mediaType: swaggerMedia(root, route.operation, 'consumes'), schema: body.schema }
      : contentOf(placeIn(requestBody, 'content')),
    answer: answers[0],
    statuses: responses.map(([status]) => status),
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
