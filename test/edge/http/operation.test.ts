import { inspect } from 'node:util';
import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getReturn } from '../../../lib/contract/operations.ts';
import type { HttpEvent, HttpResponse } from '../../../lib/edge/http/event.ts';
import { operation } from '../../../lib/edge/http/operation.ts';
import { hearLines } from '../../support/standard-output.ts';

/** Personal data that an error may contain and that must not leak. */
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

/** Returns the response and the log lines of an operation whose backend throws. */
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

describe('operation over HTTP', () => {
  it.each([
    ['an Error with personal data in its message', new Error(marker)],
    ['an Error with personal data in its name', named(`Invalid ${marker}`, 'none')],
    [
      'an Error whose message looks like a stack',
      new TypeError(`bad\n    at ${marker}\n    at ${marker} (file.ts:1:1)`),
    ],
    [
      'an Error with personal data in its cause and its fields',
      new Error('none', { cause: named(marker, marker, { body: marker }) }),
    ],
    ['an Error with a status code', named('Refused', marker, { statusCode: 418, expose: true, body: marker })],
    ['a string', marker],
    ['an object', { name: marker, message: marker, statusCode: 418 }],
  ])('neither returns nor logs internal data: %s', async (_, thrown) => {
    const { answer, logged } = await runInto(thrown);
    expect(answer).toMatchObject({
      statusCode: 500,
      headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
    });
    const body = JSON.parse(answer.body ?? '') as { traceId: string };
    expect(body).toMatchObject({
      status: 500,
      code: 'internal_error',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(inspect(answer)).not.toContain('Marker');
    expect(logged).toContain(body.traceId);
    expect(logged).not.toContain('Marker');
  });

  it('logs the source position of an error', async () => {
    const { logged } = await runInto(new TypeError(marker));
    expect(JSON.parse(logged.split('\n')[0] ?? '')).toMatchObject({
      level: 'error',
      operation: 'getReturn',
      error: 'TypeError',
      frames: expect.stringContaining('operation.test.ts'),
    });
  });
});
