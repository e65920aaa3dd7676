import fc from 'fast-check';
import type { Json, Parameter } from './document.ts';
import { faultsOfRequest, isTooLarge } from './request-faults.ts';
import { bodyMutations, mutatedBodies } from './mutations.ts';
import type { Request } from './request.ts';
import type { Setting } from './requests.ts';

/** Returns requests with one fault, made from a valid request. A fault does not apply to every operation. */
type Change = (request: Request, setting: Setting) => readonly Request[];

const mebibyte = 1024 * 1024;
const badRequest = ['400 invalid_request'];

const parametersOf = ({ operation }: Request, where: Parameter['in']) =>
  operation.parameters.filter((parameter) => parameter.in === where);

/** Returns the body, or an empty object for a missing one. */
const bodyOf = ({ body }: Request) => body ?? '{}';

const withBody = (request: Request, body: string, failures = badRequest): Request => ({
  ...request,
  headers: { 'content-type': request.operation.body?.mediaTypes[0] ?? '', ...request.headers },
  body,
  failures: isTooLarge(body) ? ['413 payload_too_large'] : failures,
});

const withType = (request: Request, type: string | undefined): Request => {
  const { 'content-type': _, ...headers } = request.headers;
  const failures = ['415 unsupported_media_type'];
  return {
    ...request,
    body: bodyOf(request),
    headers: type === undefined ? headers : { ...headers, 'content-type': type },
    failures,
  };
};

const withPath = (request: Request, name: string, value: string, failures: readonly string[]): Request => {
  const index = request.operation.path.split('/').indexOf(`{${name}}`);
  return { ...request, path: request.path.split('/').with(index, value).join('/'), failures };
};

const withHeader = (request: Request, name: string, value: string): Request => ({
  ...request,
  headers: { ...request.headers, [name.toLowerCase()]: value },
  failures: name === 'Idempotency-Key' && value === '' ? ['400 idempotency_key_required'] : badRequest,
});

const withoutHeader = (request: Request, name: string): Request => {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([one]) => one !== name.toLowerCase()));
  return { ...request, headers, failures: name === 'Idempotency-Key' ? ['400 idempotency_key_required'] : ['428'] };
};

const withQuery = (request: Request, ...pairs: readonly string[]): Request => ({
  ...request,
  query: [...(request.query === '' ? [] : [request.query]), ...pairs].join('&'),
  failures: badRequest,
});

const padded = (text: string, bytes: number) => text + ' '.repeat(Math.max(0, bytes - Buffer.byteLength(text)));

/** Faults that the document does not describe: the caller, and the size. */
const outside: Readonly<Record<string, Change>> = {
  'no token': (request) =>
    request.operation.scope === undefined ? [] : [{ ...request, client: null, failures: ['401 gateway'] }],
  'a token that is none': (request) =>
    request.operation.scope === undefined
      ? []
      : ['Bearer marker', 'Basic bWFya2VyOm1hcmtlcg==', 'Bearer e30.e30.e30'].map((authorization) => ({
          ...request,
          client: null,
          headers: { ...request.headers, authorization },
          failures: ['401 gateway'],
        })),
  'a token without the scope': (request, { clients }) =>
    clients
      .filter(({ scopes }) => request.operation.scope !== undefined && !scopes.includes(request.operation.scope))
      .map(({ clientId }) => ({ ...request, client: clientId, failures: ['403 gateway'] })),
  'large headers': (request) => [
    { ...request, headers: { ...request.headers, 'x-large': 'x'.repeat(10_240) }, failures: ['431 gateway'] },
  ],
};

const inPathAndQuery: Readonly<Record<string, Change>> = {
  'a path value of another form': (request) =>
    parametersOf(request, 'path').flatMap(({ name }) =>
      ['marker ü', '\u0000', 'x'.repeat(300)].map((value) =>
        withPath(request, name, encodeURIComponent(value), badRequest),
      ),
    ),
  'a path that no route has': (request) =>
    parametersOf(request, 'path').flatMap(({ name }) =>
      ['', 'a%2Fb%2Fc%2Fd'].map((value) => withPath(request, name, value, ['404 gateway'])),
    ),
  'a broken escape': (request) =>
    parametersOf(request, 'path').map(({ name }) => withPath(request, name, '%E0%A4%A', ['400 gateway'])),
  'an unknown query parameter': (request) =>
    ['expand=marker', '__proto__=1', 'dryRun=true', '=', 'Limit=1'].map((pair) => withQuery(request, pair)),
  'a query parameter twice': (request) =>
    parametersOf(request, 'query').map(({ name }) => withQuery(request, `${name}=1`, `${name}=2`)),
  'a query value of another form': (request) =>
    parametersOf(request, 'query').flatMap(({ name }) =>
      ['', 'NaN', '1e400', '0x10', '-1', '1.5', '%201', 'marker', '99999999999999999999', 'x'.repeat(3_000)].map(
        (value) => {
          const query = new URLSearchParams(request.query);
          query.delete(name);
          return withQuery({ ...request, query: query.toString() }, `${name}=${value}`);
        },
      ),
    ),
};

/** The header parameters that are rejected when malformed. Accept-Language is ignored then. */
const strictHeaders = (request: Request) =>
  parametersOf(request, 'header').filter(({ name }) => name !== 'Accept-Language');

const inHeaders: Readonly<Record<string, Change>> = {
  'a header of another form': (request) =>
    strictHeaders(request).flatMap(({ name }) =>
      ['', 'a b', 'marker/marker/marker', '3', 'W/"1"', '"-1"', '"1e3"', '"1", "2"', 'x'.repeat(600)].map((value) =>
        withHeader(request, name, value),
      ),
    ),
  'a missing header': (request) => strictHeaders(request).map(({ name }) => withoutHeader(request, name)),
};

const inBody: Readonly<Record<string, Change>> = {
  ...Object.fromEntries(
    bodyMutations.map((kind): [string, Change] => [
      kind,
      (request, { document }) => {
        const { schema } = request.operation.body ?? { schema: {} };
        const created = mutatedBodies(kind, document.resolve, schema, JSON.parse(bodyOf(request)) as Json);
        return created.map((write) => withBody(request, write()));
      },
    ]),
  ),
  'broken JSON': (request) =>
    [bodyOf(request).slice(0, -1), `${bodyOf(request)},`, '{"a":NaN}', "{'a':1}", 'marker'].map((text) =>
      withBody(request, text),
    ),
  'no JSON object': (request) => ['[]', 'null', '7', '"marker"', '[{}]'].map((text) => withBody(request, text)),
  'no body': (request) => [{ ...request, body: undefined, failures: badRequest }],
  'another content type': (request) =>
    [undefined, 'text/plain', 'application/xml', 'application/jsonx', 'application/octet-stream'].map((type) =>
      withType(request, type),
    ),
  'a large body': (request) => [withBody(request, padded(bodyOf(request), mebibyte + 1))],
  'a huge body': (request) => [
    { ...withBody(request, padded(bodyOf(request), 10 * mebibyte + 1)), failures: ['413 gateway'] },
  ],
};

/** Returns the first candidate from an index on that violates the document, for a kind that must do so. */
const firstWrong = (candidates: readonly Request[], kind: string, dice: number): Request | undefined => {
  const start = dice % Math.max(1, candidates.length);
  const inOrder = [...candidates.slice(start), ...candidates.slice(0, start)];
  return inOrder.find((request) => kind in outside || faultsOfRequest(request).length > 0);
};

/** Generates requests with exactly one fault by the document, made from valid requests. */
export const unfittingRequests = (
  setting: Setting,
  fitting: fc.Arbitrary<Request>,
  takesBody: boolean,
): fc.Arbitrary<Request> => {
  const changes = { ...outside, ...inPathAndQuery, ...inHeaders, ...(takesBody ? inBody : {}) };
  const kinds = Object.keys(changes);
  return fc.tuple(fitting, fc.nat(kinds.length - 1), fc.nat()).map(([request, first, dice]) => {
    // A fault that does not apply here is replaced by another one.
    for (const kind of [...kinds.slice(first), ...kinds.slice(0, first)]) {
      const found = firstWrong(changes[kind]?.(request, setting) ?? [], kind, dice);
      if (found !== undefined) return { ...found, kind };
    }
    throw new Error('nothing can be wrong with this request');
  });
};
