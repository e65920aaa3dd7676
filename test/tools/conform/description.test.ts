import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
    ['a body where there is none', request('GET', '/rma/returns/open', { body: {} }), ['has no body']],
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
    expect(differencesOf(202, {})).toEqual(['GET /rma/returns/1: by the description, no 202']);
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

describe('readDescription', () => {
  it('rejects a file without paths', async () => {
    const file = join(folder, 'other.json');
    await writeFile(file, '{}');

    await expect(readDescription([file])).rejects.toThrow('other.json must be an OpenAPI or Swagger document in JSON.');
  });
});
