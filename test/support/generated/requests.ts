import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { aimed, hintFor, missing, namesOf, nothing, targetOf } from './aim.ts';
import type { ApiDocument, Json, Operation, Parameter } from './document.ts';
import { faultsOfRequest, tooLarge } from './request-faults.ts';
import { show, type Request } from './request.ts';
import { valuesOf, type Values } from './values.ts';
import type { World } from './world.ts';

/** The input of the generators: the document, the existing resources, and the callers. */
export type Setting = {
  readonly document: ApiDocument;
  readonly world: World;
  readonly clients: readonly { readonly clientId: string; readonly scopes: readonly string[] }[];
  /** The name of the API. Cursors and keys of one API are useless at another. */
  readonly api: string;
};

export const operationKeyOf = ({ api }: Setting, { id }: Operation): string => `${api} ${id}`;

/** The parts of a request, before it is written. */
type Parts = {
  readonly dice: number;
  readonly isAimed: boolean;
  readonly client: string | null;
  readonly path: Record<string, Json>;
  readonly query: Record<string, Json>;
  readonly headers: Record<string, Json>;
  readonly body: Json | undefined;
  readonly contentType: string;
  readonly key: 'fresh' | 'used' | 'any';
  readonly version: 'present' | 'any';
};

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
const encoded = (value: Json) => encodeURIComponent(textOf(value));

/**
 * Removes fields that would hide other faults from most bodies. Unknown tokens are rejected before any other check. A
 * quote has only one of its two sources.
 */
const sensibly = ({ id }: Operation, body: Json, { key, dice }: Parts): Json => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  if (key === 'any' && id !== 'createExport') return body;
  const fields = body as Readonly<Record<string, Json>>;
  // An export of all returns of all tests would keep the machine busy without a benefit.
  if (id === 'createExport') return { ...fields, until: '2020-01-01T00:00:00Z' };
  const { eligibilityToken: _, ...untold } = fields;
  if (id === 'createReturn') return untold;
  if (id !== 'quoteReturn') return body;
  const { request, ...ofReturn } = fields;
  if (dice % 3 === 0 && request !== undefined) return { request };
  return Object.keys(ofReturn).length === 0 ? body : ofReturn;
};

const write = (setting: Setting, operation: Operation, parts: Parts): Request => {
  const { dice, isAimed, client, body, contentType } = parts;
  const target = isAimed ? targetOf(setting.world, operation, dice) : nothing;
  const names = namesOf(target);
  const path = { ...parts.path, ...names };
  const headers = Object.fromEntries(
    Object.entries(parts.headers).map(([name, value]) => [name.toLowerCase(), textOf(value)]),
  );
  if ('idempotency-key' in headers && parts.key !== 'any') {
    const used = parts.key === 'used' ? setting.world.keyed(operationKeyOf(setting, operation), dice) : undefined;
    headers['idempotency-key'] = used?.headers['idempotency-key'] ?? randomUUID();
  }
  if (operation.parameters.some(({ name }) => name === 'If-None-Match')) {
    // A request has exactly one of the two conditions.
    delete headers[dice % 2 === 0 ? 'if-match' : 'if-none-match'];
    if (Object.keys(headers).every((name) => !name.startsWith('if-'))) headers['if-none-match'] = '*';
  }
  const present =
    target.known?.version ?? target.reason?.version ?? target.policy?.revision ?? target.endpoint?.version;
  if ('if-match' in headers && parts.version === 'present' && present !== undefined) {
    headers['if-match'] = `"${present}"`;
  }
  // An unknown cursor is rejected before any other check.
  const queried = Object.entries(parts.query).filter(([name]) => name !== 'cursor' || parts.key === 'any');
  const query = queried.map(([name, value]) => `${encoded(name)}=${encoded(names[name] ?? value)}`);
  return {
    operation,
    kind: 'as documented',
    client,
    path: operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(path[name] ?? '')),
    query: query.join('&'),
    headers: body === undefined ? headers : { ...headers, 'content-type': contentType },
    body: body === undefined ? undefined : JSON.stringify(aimed(sensibly(operation, body, parts), target, dice)),
    impossible: missing(target, parts.query),
    failures: undefined,
  };
};

const weighted = <Value>(...choices: readonly (readonly [weight: number, value: Value])[]): fc.Arbitrary<Value> =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

/** Generates the parameters of one kind, with some of the optional ones. */
const parametersOf = (
  { operation, values }: { operation: Operation; values: (parameter: Parameter) => Values },
  where: Parameter['in'],
): fc.Arbitrary<Record<string, Json>> => {
  const parameters = operation.parameters.filter((parameter) => parameter.in === where);
  const always = parameters.filter(({ name, required }) => required || name === 'Idempotency-Key');
  return fc.record(Object.fromEntries(parameters.map((parameter) => [parameter.name, values(parameter)])), {
    requiredKeys: always.map(({ name }) => name),
  });
};

const bodies = ({ document }: Setting, { id, body }: Operation): fc.Arbitrary<Json | undefined> => {
  if (body === undefined) return fc.constant(undefined);
  const of = (wild: boolean) => valuesOf(document.resolve, hintFor(id, wild))(body.schema);
  const some = fc.oneof({ weight: 5, arbitrary: of(false) }, { weight: 1, arbitrary: of(true) });
  return body.required ? some : fc.option(some, { nil: undefined, freq: 4 });
};

/** Checks that a documented request fits the document. Only its size is not checked before. */
const checked = (request: Request): Request => {
  const faults = faultsOfRequest(request);
  if (faults.includes(tooLarge)) return { ...request, kind: 'large by chance', failures: ['413 payload_too_large'] };
  if (faults.length === 0) return request;
  throw new Error(`made wrong, not as documented: ${faults.join(', ')}\n${show(request)}`);
};

/** Generates documented requests: new ones, repeats, and the next pages of lists. */
export const fittingRequests = (setting: Setting, operation: Operation): fc.Arbitrary<Request> => {
  const { document, world, clients } = setting;
  const values = ({ schema }: Parameter) => valuesOf(document.resolve)(schema);
  const callers = clients.filter(({ scopes }) => operation.scope === undefined || scopes.includes(operation.scope));
  const operationKey = operationKeyOf(setting, operation);
  const mediaTypes = operation.body?.mediaTypes ?? [''];
  return fc
    .record({
      dice: fc.nat(),
      isAimed: weighted([operation.id === 'registerOrder' ? 1 : 5, true], [1, false]),
      client: fc.constantFrom(
        ...callers.map(({ clientId }) => clientId),
        ...(operation.scope === undefined ? [null] : []),
      ),
      path: parametersOf({ operation, values }, 'path'),
      query: parametersOf({ operation, values }, 'query'),
      headers: parametersOf({ operation, values }, 'header'),
      body: bodies(setting, operation),
      contentType: fc.constantFrom(
        ...mediaTypes.flatMap((type) => [type, `${type}; charset=utf-8`, type.toUpperCase()]),
      ),
      key: weighted<Parts['key']>([12, 'fresh'], [1, 'used'], [1, 'any']),
      version: weighted<Parts['version']>([5, 'present'], [1, 'any']),
      origin: weighted([10, 'new'], [1, 'again'], [2, 'next page']),
    })
    .map(({ origin, ...parts }) => {
      const fresh = write(setting, operation, parts);
      const earlier = origin === 'again' ? world.keyed(operationKey, parts.dice) : undefined;
      if (earlier !== undefined) return { ...earlier, kind: 'again' };
      const page = origin === 'next page' ? world.page(operationKey, parts.dice) : undefined;
      if (page === undefined) return fresh;
      const query = new URLSearchParams(page.request.query);
      query.set('cursor', page.cursor);
      return { ...page.request, kind: 'next page', query: query.toString() };
    })
    .map(checked);
};
