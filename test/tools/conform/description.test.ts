import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Description, readDescription } from '../../../lib/tools/conform/description.ts';
import type { SentRequest } from '../../../lib/tools/conform/replay-server.ts';

const openApi = {
  openapi: '3.0.1',
  servers: [{ url: 'https://api.example.com/rma/' }],
  paths: {
    '/returns/{id}': {
      get: {
        parameters: [{ $ref: '#/components/parameters/Version' }],
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Return' } } } },
          '4XX': { content: { 'application/json': { schema: { type: 'object', required: ['code'] } } } },
        },
      },
    },
    '/returns/{number}': {
      put: {
        requestBody: {
          content: { 'application/vnd.rma+json': { schema: { type: 'object', required: ['result'] } } },
        },
        responses: {},
      },
    },
    '/returns/open': { get: { responses: { 204: {}, default: { $ref: '#/components/responses/Problem' } } } },
  },
  components: {
    responses: { Problem: { content: { 'application/json': { schema: { type: 'object', required: ['code'] } } } } },
    parameters: { Version: { name: 'version', in: 'query', required: true, schema: { type: 'string' } } },
    schemas: {
      Return: {
        type: 'object',
        required: ['id', 'reason'],
        properties: {
          id: { type: 'string' },
          reason: { nullable: true, allOf: [{ $ref: '#/components/schemas/Reason' }] },
        },
      },
      Reason: { type: 'object', required: ['word'] },
    },
  },
};

const swagger = {
  swagger: '2.0',
  basePath: '/v2',
  paths: {
    '/refunds': {
      post: {
        parameters: [{ in: 'body', name: 'body', schema: { $ref: '#/definitions/Refund' } }],
        responses: { 200: { schema: { $ref: '#/definitions/Refund' } } },
      },
    },
  },
  definitions: {
    Refund: {
      type: 'object',
      properties: { amount: { type: 'integer', format: 'int64', minimum: 0, exclusiveMinimum: true } },
    },
  },
};

let folder: string;
let description: Description;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'description-'));
  const files = [openApi, swagger].map((document, index) => [join(folder, `${index}.json`), document] as const);
  for (const [file, document] of files) await writeFile(file, JSON.stringify(document));
  description = await readDescription(files.map(([file]) => file));
});

afterAll(() => rm(folder, { recursive: true }));

const request = (method: string, path: string, rest: Partial<SentRequest> = {}): SentRequest => ({
  method,
  path,
  query: {},
  headers: {},
  body: undefined,
  ...rest,
});

describe('differences between requests and a description', () => {
  it.each([
    ['another path', request('GET', '/rma/refunds'), ['there is no such method and path']],
    ['another method', request('DELETE', '/rma/returns/1'), ['there is no such method and path']],
    ['a missing parameter of the query', request('GET', '/rma/returns/1'), ['the query needs version']],
    [
      'an unknown parameter of the query',
      request('GET', '/rma/returns/1', { query: { version: '1', page: '2' } }),
      ['the query has no page'],
    ],
    [
      'a missing member and another media type of the body',
      request('PUT', '/rma/returns/1', { body: {}, headers: { 'content-type': 'application/json' } }),
      ['the body has the type application/vnd.rma+json', "the body must have required property 'result'"],
    ],
    ['a body where there is none', request('GET', '/rma/returns/open', { body: {} }), ['the request has no body']],
    [
      'a wrong type in a body of Swagger 2.0',
      request('POST', '/v2/refunds', { body: { amount: '1' } }),
      ['the body/amount must be integer'],
    ],
    [
      'an excluded bound of Swagger 2.0',
      request('POST', '/v2/refunds', { body: { amount: 0 } }),
      ['the body/amount must be > 0'],
    ],
  ])('are found for %s', (_, sent, texts) => {
    expect(description.differencesOf(sent)).toEqual(
      texts.map((text) => `${sent.method} ${sent.path}: by the description, ${text}`),
    );
  });

  it.each([
    ['a path with a parameter', request('GET', '/rma/returns/1', { query: { version: '1' } })],
    ['a path without the text before it', request('GET', '/returns/1', { query: { version: '1' } })],
    ['a literal path before one with a parameter', request('GET', '/rma/returns/open')],
    [
      'a path with two templates',
      request('PUT', '/rma/returns/1', {
        body: { result: 'OK' },
        headers: { 'content-type': 'application/vnd.rma+json; charset=utf-8' },
      }),
    ],
    ['a body of Swagger 2.0', request('POST', '/v2/refunds', { body: { amount: 1 } })],
  ])('are none for %s', (_, sent) => {
    expect(description.differencesOf(sent)).toEqual([]);
  });
});

describe('differences between recorded answers and a description', () => {
  const differencesOf = (status: number, body: unknown) =>
    description.answerDifferencesOf({
      request: { method: 'GET', path: '/rma/returns/1' },
      answer: { status, body },
    });

  it('are found for a missing member, an undescribed success, and an error of another form', () => {
    expect(differencesOf(200, { id: '1' })).toHaveLength(1);
    expect(differencesOf(200, { id: '1', reason: {} })).not.toEqual([]);
    expect(differencesOf(202, {})).toEqual([
      'recorded answer 202: GET /rma/returns/1: by the description, there is no such answer',
    ]);
    expect(differencesOf(404, {})).toHaveLength(1);
  });

  it('are found by the schema of a response that is a reference', () => {
    const problem = (body: unknown) =>
      description.answerDifferencesOf({
        request: { method: 'GET', path: '/rma/returns/open' },
        answer: { status: 404, body },
      });

    expect(problem({ code: 'X' })).toEqual([]);
    expect(problem({})).toEqual([expect.stringContaining("the body must have required property 'code'")]);
  });

  it('are none for a nullable member, a described error, and an outage', () => {
    expect(differencesOf(200, { id: '1', reason: null })).toEqual([]);
    expect(differencesOf(404, { code: 'X' })).toEqual([]);
    expect(differencesOf(503, undefined)).toEqual([]);
  });
});

const yaml = `openapi: 3.0.3
paths:
  /rmas/{id}: { $ref: "#/components/pathItems/Rma" }
components:
  pathItems:
    Rma: { $ref: "#/components/pathItems/RealRma" }
    RealRma:
      post:
        parameters: [{ $ref: "#/components/parameters/Version" }]
        requestBody: { $ref: "#/components/requestBodies/Decision" }
        responses:
          200: { $ref: "#/components/responses/Rma" }
  parameters:
    Version: { $ref: "#/components/parameters/RealVersion" }
    RealVersion: { name: version, in: query, required: true, schema: { type: string } }
  requestBodies:
    Decision: { $ref: "#/components/requestBodies/RealDecision" }
    RealDecision: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Decision" } } } }
  responses:
    Rma: { $ref: "#/components/responses/RealRma" }
    RealRma: { content: { application/json: { schema: { $ref: "#/components/schemas/Rma" } } } }
  schemas:
    Decision: { $ref: "#/components/schemas/RealDecision" }
    RealDecision: { type: object, required: [code] }
    Rma: { $ref: "#/components/schemas/RealRma" }
    RealRma: { type: object, properties: { parent: { $ref: "#/components/schemas/Rma" }, id: { type: string } } }
`;

describe('readDescription', () => {
  const read = async (text: string): Promise<Description> => {
    const file = join(folder, 'other.yaml');
    await writeFile(file, text);
    return readDescription([file]);
  };

  it('reads YAML, and follows all references in a row', async () => {
    const described = await read(yaml);
    const sent = request('POST', '/rmas/1', { body: {} });

    expect(described.differencesOf(sent)).toEqual([
      'POST /rmas/1: by the description, the query needs version',
      "POST /rmas/1: by the description, the body must have required property 'code'",
    ]);
    expect(described.differencesOf({ ...sent, query: { version: '1' }, body: undefined })).toEqual([
      'POST /rmas/1: by the description, the request needs a body',
    ]);
    expect(
      described.answerDifferencesOf({
        request: { method: 'POST', path: '/rmas/1' },
        answer: { status: 200, body: { parent: { parent: { id: 1 } } } },
      }),
    ).toEqual(['recorded answer 200: POST /rmas/1: by the description, the body/parent/parent/id must be string']);
  });

  it('compiles a schema once', async () => {
    using compile = vi.spyOn(Ajv.prototype, 'compile');
    const described = await read(yaml);
    const sent = request('POST', '/rmas/1', { query: { version: '1' }, body: { code: 'A' } });
    for (let count = 0; count < 3; count += 1) expect(described.differencesOf(sent)).toEqual([]);

    expect(compile).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['without paths', '{}', ' at #/swagger: version_unknown. '],
    ['with more than 5 MB', `a: ${'x'.repeat(5_000_000)}`, ': too_large. '],
    ['with an alias that contains itself', 'openapi: &a [*a]', ' at #/openapi/0'],
    [
      'with a path in another file',
      'openapi: 3.0.0\npaths: { /rmas: { $ref: "rmas.yaml" } }',
      ' at #/paths/~1rmas/$ref: reference_not_local. ',
    ],
  ])('rejects a file %s', async (_, text, failure) => {
    await expect(read(text)).rejects.toThrow(`other.yaml${failure}`);
  });

  it.each([
    [
      'in a loop',
      '#/components/schemas/Decision',
      '/requestBodies/RealDecision/content/application~1json/schema: reference_loop. ',
    ],
    ['to another file', 'rma.yaml', '/schemas/Decision/$ref: reference_not_local. '],
    ['without a target', '#/components/schemas/Other', '/schemas/Decision/$ref: reference_not_found. '],
    ['without a target in a part', '#/components/schemas/Part', '/schemas/Part: schema_unknown. '],
  ])('rejects a schema with a reference %s where it is used', async (_, reference, failure) => {
    const described = await read(
      yaml
        .replace('"#/components/schemas/RealDecision"', JSON.stringify(reference))
        .replace('  schemas:', '  schemas:\n    Part: { items: { $ref: "#/none" } }'),
    );

    expect(() => described.differencesOf(request('POST', '/rmas/1', { body: {} }))).toThrow(
      `other.yaml at #/components${failure}`,
    );
  });
});
