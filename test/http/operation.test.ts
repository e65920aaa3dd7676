import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getReturn } from '../../lib/contract/operations.ts';
import type { HttpEvent, HttpResponse } from '../../lib/http/event.ts';
import { operation } from '../../lib/http/operation.ts';
import { hearLines } from '../support/standard-output.ts';

/** What an error may quote, and nobody may read. */
const marker = 'Ada Marker <ada@example.com>';

const event = {
  version: '2.0',
  headers: {},
  pathParameters: { returnId: 'ret_00000000000000000000000000' },
  requestContext: {
    requestId: 'request-1',
    authorizer: { jwt: { claims: { client_id: 'test', scope: 'returns:read' } } },
  },
} as unknown as HttpEvent;

const anything = { path: () => true, query: () => true, body: () => true };

/** Lets an operation run into what its backend throws: its answer, and what it wrote down. */
const runInto = async (thrown: unknown) => {
  const handler = operation(getReturn, anything, () => Promise.reject(thrown));
  const context = { getRemainingTimeInMillis: () => 10_000 } as Context;
  const answer = (await handler(structuredClone(event), context)) as HttpResponse;
  return { answer, logged: written.join('') };
};

const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  }
  hearLines((line) => written.push(line));
});
afterEach(() => vi.restoreAllMocks());

const named = (name: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

it.each([
  ['an Error with it in its message', new Error(marker)],
  ['an Error with it in its name', named(`Invalid ${marker}`, 'none')],
  ['an Error whose message looks like a stack', new TypeError(`bad\n    at ${marker}\n    at ${marker} (file.ts:1:1)`)],
  [
    'an Error with it in its cause and its fields',
    new Error('none', { cause: named(marker, marker, { body: marker }) }),
  ],
  ['an Error that says what to answer', named('Refused', marker, { statusCode: 418, expose: true, body: marker })],
  ['a text', marker],
  ['an object', { name: marker, message: marker, statusCode: 418 }],
])('says nothing of the inside, nor writes it down: %s', async (_, thrown) => {
  const { answer, logged } = await runInto(thrown);
  expect(answer).toMatchObject({
    statusCode: 500,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  });
  const body = JSON.parse(answer.body ?? '') as { traceId: string };
  expect(body).toMatchObject({ status: 500, code: 'internal_error', traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
  expect(inspect(answer)).not.toContain('Marker');
  expect(logged).toContain(body.traceId);
  expect(logged).not.toContain('Marker');
});

it('writes down where an error came from', async () => {
  const { logged } = await runInto(new TypeError(marker));
  expect(JSON.parse(logged.split('\n')[0] ?? '')).toMatchObject({
    level: 'error',
    operation: 'getReturn',
    error: 'TypeError',
    frames: expect.stringContaining('operation.test.ts'),
  });
});
