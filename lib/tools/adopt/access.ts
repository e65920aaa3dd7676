import { accessParameters } from '../template/access-parameters.ts';
import type { Description, Endpoint } from './description.ts';
import { literal, shown, wordsOf } from './names.ts';
import { itemsOf, memberOf, membersOf, type Place, placeIn, resolved, textOf } from './pointer.ts';
import { todo } from './todo.ts';
import { returnWords } from './vocabulary.ts';

/** Values of parameters of the deployment, as TypeScript, and what they cannot say. */
export type Access = {
  readonly parameters: ReadonlyMap<string, string>;
  /** The security scheme that they are for, and how many there are; undefined without one. */
  readonly scheme: string | undefined;
  /** The headers that requests need besides those of the sender. */
  readonly headers: readonly string[];
  readonly notes: readonly string[];
};

const isValid = (name: keyof typeof accessParameters, value: string): boolean =>
  new RegExp(`^(?:${accessParameters[name]?.AllowedPattern ?? ''})$`).test(value);

/** Returns the path of a URL, or of a path. Variables in its host do not matter. */
const pathOf = (url: string): string | undefined =>
  /^(?:(?:https?:)?\/\/[^/?#]*)?([^?#]*)/i
    .exec(url.slice(0, 500))?.[1]
    ?.replace(/(?<!\/)\/+$/, '')
    .replace(/^\/$/, '');

/** Returns the paths of the servers. */
export const serverPathsOf = ({ root, version }: Description): readonly string[] => {
  const urls =
    version === 'Swagger 2.0'
      ? [memberOf(root, 'basePath')]
      : itemsOf(placeIn({ value: root, at: '#' }, 'servers')).map(({ value }) => memberOf(value, 'url'));
  return urls.flatMap((url) => pathOf(textOf(url) ?? '') ?? []);
};

/** Returns the path of the service: that of the first server. */
const servicePath = (description: Description): string => {
  const [path = ''] = serverPathsOf(description);
  if (path === '') return literal('/');
  return isValid('ServicePath', path)
    ? literal(path)
    : todo('the path of the service, which the description does not state plainly');
};

const schemesOf = ({ root, version }: Description): readonly (readonly [string, Place])[] => {
  const top = { value: root, at: '#' };
  const all =
    version === 'Swagger 2.0' ? placeIn(top, 'securityDefinitions') : placeIn(top, 'components', 'securitySchemes');
  return membersOf(all).map(([name, place]) => [name, resolved(root, place)]);
};

/** Returns the flow of client credentials of an OAuth scheme. */
const clientFlow = (scheme: Place): Place | undefined => {
  if (textOf(memberOf(scheme.value, 'flow')) === 'application') return scheme;
  const flow = placeIn(scheme, 'flows', 'clientCredentials');
  return flow.value === undefined ? undefined : flow;
};

const preference = (scheme: Place): number => {
  const type = textOf(memberOf(scheme.value, 'type'));
  if (type === 'oauth2') return clientFlow(scheme) === undefined ? 3 : 0;
  const word = textOf(memberOf(scheme.value, 'scheme'))?.toLowerCase();
  if (type === 'http' && word === 'bearer') return 1;
  if (type === 'openIdConnect') return 2;
  return type === 'apiKey' && memberOf(scheme.value, 'in') === 'header' ? 4 : 5;
};

const readScope = /^(read|readonly|view|list|get|ler|leitura|consulta|leer|lesen|lire)$/;
const writeScope = /^(write|readwrite|manage|edit|update|create|modify|escrita|gravar|escribir|schreiben|ecrire)$/;

const has = (scope: string, pattern: RegExp): boolean => wordsOf(scope).some((word) => pattern.test(word));

const namesReturns = (scope: string): boolean => wordsOf(scope).some((word) => returnWords.has(word));

/** Returns one text with a scope of theirs for each of ours. A scope with a word for returns comes first. */
const scopesHint = (scopes: readonly string[]): string | undefined => {
  const sorted = scopes.toSorted((a, b) => Number(namesReturns(b)) - Number(namesReturns(a)));
  const [first] = sorted;
  if (first === undefined) return undefined;
  const write = sorted.find((scope) => has(scope, writeScope));
  const read = sorted.find((scope) => has(scope, readScope)) ?? write ?? first;
  // A scope that is neither for reads nor for writes is for both.
  const other = has(read, readScope) ? undefined : read;
  return [
    `returns:read=${read}`,
    ...[write ?? other].flatMap((scope) => (scope ? [`returns:write=${scope}`] : [])),
  ].join(',');
};

const ofFlow = (flow: Place): readonly (readonly [string, string])[] => {
  const url = textOf(memberOf(flow.value, 'tokenUrl'));
  const path = url === undefined ? undefined : pathOf(url);
  const scopes = membersOf(placeIn(flow, 'scopes')).map(([name]) => name);
  const hint = scopesHint(scopes.filter((scope) => isValid('ServiceScopes', `returns:read=${scope}`)));
  return [
    ...(path !== undefined && isValid('TokenPath', path) ? [['TokenPath', literal(path)] as const] : []),
    ...(hint === undefined ? [] : [['ServiceScopes', todo('their scopes for ours', literal(hint))] as const]),
  ];
};

const ofScheme = (scheme: Place): Pick<Access, 'parameters' | 'notes'> => {
  const flow = clientFlow(scheme);
  if (flow !== undefined) return { parameters: new Map(ofFlow(flow)), notes: [] };
  const header = textOf(memberOf(scheme.value, 'name')) ?? '';
  switch (preference(scheme)) {
    case 1:
    case 2:
      return { parameters: new Map(), notes: ['the description does not say where a client gets its token'] };
    case 3:
      return { parameters: new Map(), notes: ['OAuth has no flow of client credentials here'] };
    case 4: {
      const note = 'the key is sent in a header of its own; connected mode gets a token from a token endpoint';
      // A key in `Authorization` may have a word before it, which the description cannot say.
      return header.toLowerCase() === 'authorization' || !isValid('TokenHeader', header)
        ? { parameters: new Map(), notes: [note] }
        : {
            parameters: new Map([
              ['TokenHeader', literal(header)],
              ['TokenScheme', literal('none')],
            ]),
            notes: [note],
          };
    }
    default:
      return { parameters: new Map(), notes: ['connected mode has no such authentication: a gateway must add it'] };
  }
};

/** The headers that the sender, or another parameter, sets. */
const sentHeaders = /^(accept|accept-language|authorization|content-type|host|user-agent)$/i;

const fixedHeaders = (endpoints: readonly Endpoint[], tokenHeader: string): readonly string[] => [
  ...new Set(
    endpoints
      .flatMap(({ parameters }) => parameters)
      .filter((parameter) => parameter.in === 'header' && parameter.isRequired && !parameter.isKey)
      .map(({ name }) => name)
      .filter(
        (name) => !sentHeaders.test(name) && literal(name) !== tokenHeader && isValid('ServiceHeaders', `${name}=x`),
      ),
  ),
];

/** Proposes the parameters of the access from servers, security schemes and headers. */
export const accessOf = (description: Description, endpoints: readonly Endpoint[]): Access => {
  const schemes = schemesOf(description).toSorted(([, a], [, b]) => preference(a) - preference(b));
  const [first] = schemes;
  const chosen =
    first === undefined
      ? { parameters: new Map<string, string>(), notes: ['the description names no security scheme'] }
      : ofScheme(first[1]);
  const headers = fixedHeaders(endpoints, chosen.parameters.get('TokenHeader') ?? '');
  return {
    headers,
    parameters: new Map([
      ['ServicePath', servicePath(description)],
      ...chosen.parameters,
      ...(headers.length === 0
        ? []
        : [['ServiceHeaders', todo('a line Name=value for each fixed header', ...headers.map(literal))] as const]),
    ]),
    scheme: first && `${shown(first[0])}${schemes.length > 1 ? `, the best of ${schemes.length}` : ''}`,
    notes: chosen.notes,
  };
};
