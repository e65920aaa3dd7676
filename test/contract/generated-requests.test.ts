import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contractDocument, readDocument, type Schema } from '../support/generated/document.ts';
import { requestsOf } from '../support/generated/explore.ts';
import { faultsOfRequest } from '../support/generated/request-faults.ts';
import { valuesOf } from '../support/generated/values.ts';
import { openWorld } from '../support/generated/world.ts';
import { runs, runsEveryCase } from '../support/samples.ts';

/** The number of requests for each operation. */
const numRuns = runsEveryCase() ? 120 : 15;

const document = contractDocument();
const order = { platform: 'web', orderId: '1' };

/** Returns a world with one order and one return of it. */
const known = () => {
  const world = openWorld();
  const lines = [{ lineId: 'rln_01KAJ3X5D2E7Y3K5M8PRA0FJCV', quantities: { requested: 2 } }];
  world.learnResource({ id: 'ord_01KAJ3V9Z8QW4T6R2M5N7P0XYB', ...order, lines: [{ lineId: '1' }] });
  const parcels = [{ parcelId: 'pcl_01KAJ3Z2B6R8T1V3X5Z7C9E4GN' }];
  const unexpected = [{ id: 'unx_01KAJ402P5S7V9X1Z3B5D8F0HJ' }];
  const goods = { lines, parcels, unexpected, exchanges: [] };
  world.learnResource({ returnId: 'ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN', order, version: 1, status: 'requested', ...goods });
  world.learnResource({ endpointId: 'whk_01KAJ3R5C7E9G1J3M5P7R9T1V3', version: 1 });
  world.learnResource({ withdrawalId: 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5', version: 2 });
  return world;
};

const clients = [
  { clientId: 'reader', scopes: ['returns:read'] },
  { clientId: 'writer', scopes: ['returns:write'] },
  { clientId: 'admin', scopes: ['returns:admin'] },
  { clientId: 'searcher', scopes: ['returns:search'] },
];

/** The faults that a document does not describe: tokens, and the size limit of a gateway. */
const outside = new Set(['no token', 'a token that is none', 'a token without the scope', 'large headers']);

/** The summary of the requests of each operation. The requests themselves do not all fit into memory. */
const samples = document.operations.map((operation) => {
  const arbitrary = requestsOf({ document, world: known(), clients, api: 'any' }, operation);
  const requests = fc.sample(arbitrary, { numRuns, seed: 1 });
  const fitting = requests.filter(({ failures }) => failures === undefined);
  return {
    id: operation.id,
    kinds: new Set(requests.map(({ kind }) => kind)),
    fitting: fitting.length,
    aimed: fitting.filter(({ impossible }) => impossible.length > 0).length,
    astray: requests
      .filter(({ kind }) => !outside.has(kind))
      .filter((request) => (request.failures === undefined) !== (faultsOfRequest(request).length === 0)),
  };
});

describe('generated request', () => {
  it.each(samples)('of $id is documented exactly when it is meant to be', ({ astray }) => {
    expect(astray).toEqual([]);
  });

  it('covers every kind of fault', () => {
    const kinds = new Set(samples.flatMap((sample) => [...sample.kinds]));
    // A sample of a few requests for each operation lacks the rare kinds.
    const rare = runsEveryCase() ? ['half a character', 'a bad name'] : [];
    expect(kinds.size).toBeGreaterThan(runsEveryCase() ? 35 : 30);
    expect([...kinds]).toEqual(expect.arrayContaining(['deep nesting', 'a huge body', ...rare]));
  });

  it('names existing resources in most cases', () => {
    const sum = (of: 'fitting' | 'aimed') => samples.reduce((total, sample) => total + sample[of], 0);
    expect(sum('aimed') / sum('fitting')).toBeGreaterThan(0.6);
  });
});

describe('request checker', () => {
  const faults = (id: string, change: object) => {
    const operation = document.operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`there is no ${id}`);
    const base = { operation, kind: '', client: null, impossible: [], failures: undefined };
    const path = operation.path.replace('{returnId}', 'ret_01KAJ3X5D2ZC8V4H6B9GQ1WTSN');
    const headers = { 'idempotency-key': '1', 'content-type': 'application/json' };
    return faultsOfRequest({ ...base, path, query: '', headers, body: undefined, ...change });
  };

  it.each<[string, string, object, string[]]>([
    ['no fault', 'approve', {}, []],
    ['no fault in a dry run without a key', 'approve', { query: 'dryRun=true', headers: {} }, []],
    ['a command without a key', 'approve', { headers: {} }, ['no header Idempotency-Key']],
    ['a path of another operation', 'getReturn', { path: '/v1/returns' }, ['no path of this operation']],
    ['an invalid id', 'getReturn', { path: '/v1/returns/ret_1' }, ['path returnId']],
    ['an unknown parameter', 'getReturn', { query: 'expand=lines' }, ['query expand']],
    ['a duplicate parameter', 'getHistory', { query: 'limit=1&limit=2' }, ['query limit']],
    ['an invalid number', 'getHistory', { query: 'limit=1e1' }, ['query limit']],
    ['a missing body', 'reject', {}, ['no body']],
    ['a body that is not JSON', 'reject', { body: '{' }, ['no JSON']],
    ['a body of another content type', 'reject', { body: '{}', headers: { 'idempotency-key': '1' } }, ['content type']],
    ['a missing field', 'reject', { body: '{}' }, ['body  required']],
    ['a number out of range', 'reject', { body: '{"code":1e400}' }, ['body /code type']],
    ['a lone surrogate', 'reject', { body: '{"code":"a","note":"\\ud83d"}' }, ['half a character at /note']],
  ])('finds %s', (_, id, change, found) => {
    expect(faults(id, change)).toEqual(found);
  });
});

describe('generated value', () => {
  const schemas: Readonly<Record<string, Schema>> = {
    'a union with null': { type: ['string', 'null'], maxLength: 3 },
    'one of several': { anyOf: [{ type: 'integer', minimum: 5, maximum: 7 }, { type: 'null' }, { const: 'x' }] },
    'one of two': { oneOf: [{ type: 'boolean' }, { type: 'number', minimum: 0, maximum: 1 }] },
    'all of two': {
      type: 'object',
      allOf: [{ $ref: '#/components/schemas/Named' }],
      properties: { age: { type: 'integer' } },
      required: ['age'],
    },
    'fields by their pattern': {
      type: 'object',
      patternProperties: { '^x-[a-z]{1,4}$': { type: 'boolean' } },
      additionalProperties: false,
      maxProperties: 3,
    },
    'fields by their names': {
      type: 'object',
      propertyNames: { pattern: '^[A-Z]{3}$' },
      additionalProperties: { type: 'integer' },
    },
    'some field of several': {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
      minProperties: 1,
    },
    'items all different': { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 2 },
    'a time': { type: 'string', format: 'date-time', pattern: 'Z$' },
    'no dots alone': { type: 'string', pattern: '^(?!\\.{1,2}$)[.a]+$', maxLength: 4 },
    anything: {},
  };
  const Named: Schema = { type: 'object', properties: { name: { type: 'string', minLength: 2 } }, required: ['name'] };
  const paths = Object.entries(schemas).map(([operationId, schema]) => [
    `/${operationId}`,
    { post: { operationId, requestBody: { content: { 'application/json': { schema } } } } },
  ]);
  const own = readDocument(
    JSON.stringify({ openapi: '3.1.0', paths: Object.fromEntries(paths), components: { schemas: { Named } } }),
  );

  it.each(own.operations)('is valid for its schema: $id', ({ body }) => {
    const values = fc.sample(valuesOf(own.resolve)(body?.schema ?? {}), { numRuns: runs(500), seed: 1 });
    expect(values.filter((value) => body?.validate(value) !== true)).toEqual([]);
    expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(1);
  });
});
