import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../../lib/contract/port.ts';
import { ifMatchHolds } from '../../../lib/contract/if-match.ts';
import { ok } from '../../../lib/runtime/result.ts';
import { createReturn, getReturn } from '../../../lib/contract/operations.ts';
import * as validators from '#validators/createReturn';
import type { HttpResponse } from '../../../lib/edge/http/event.ts';
import { operation } from '../../../lib/edge/http/operation.ts';

const anything = { path: () => true, query: () => true, body: () => true };
const context = { getRemainingTimeInMillis: () => 10_000 } as Context;

/** Returns an operation that creates or replaces, and the conditions that its backend receives. */
const creating = () => {
  const calls: Call[] = [];
  const handler = operation({ ...getReturn, ifMatch: 'required_or_none' }, anything, async (_, call) => {
    calls.push(call);
    return ok({ status: 200, body: {} as never });
  });
  return { handler, calls };
};

const overHttp = async (headers: Readonly<Record<string, string>>) => {
  const { handler, calls } = creating();
  const claims = { client_id: 'test', scope: 'returns:read' };
  const event = { version: '2.0', headers, requestContext: { requestId: '1', authorizer: { jwt: { claims } } } };
  const answer = (await handler(event, context)) as HttpResponse;
  return { status: answer.statusCode, problem: JSON.parse(answer.body ?? '') as object, ifMatch: calls[0]?.ifMatch };
};

describe('preconditions of an operation that creates or replaces', () => {
  it('pass the version to replace, or that none may exist', async () => {
    expect(await overHttp({ 'if-match': '"3"' })).toMatchObject({ status: 200, ifMatch: 3 });
    expect(await overHttp({ 'if-none-match': '*' })).toMatchObject({ status: 200, ifMatch: 0 });
  });

  it.each<[string, unknown, boolean]>([
    ['"3"', 3, true],
    ['"03"', -1, false],
    ['W/"3"', -1, false],
    ['"abc"', -1, false],
    ['"2", "3"', [2, 3], true],
    ['"2" ,W/"3"', [2, -1], false],
    ['*', '*', true],
  ])('compare tags strongly: %s of "3"', async (value, ifMatch, isMatch) => {
    const answer = await overHttp({ 'if-match': value });
    expect(answer).toMatchObject({ status: 200, ifMatch });
    expect(ifMatchHolds(answer.ifMatch, 3)).toBe(isMatch);
    expect(ifMatchHolds(answer.ifMatch, 0)).toBe(false);
  });

  it.each<[string, Record<string, string>, number, string, string, string]>([
    ['neither', {}, 428, 'precondition_required', 'header:If-Match', 'required'],
    ['both', { 'if-match': '"3"', 'if-none-match': '*' }, 400, 'invalid_request', 'header:If-None-Match', 'pattern'],
    ['an unquoted tag', { 'if-match': '3' }, 400, 'invalid_request', 'header:If-Match', 'pattern'],
    ['an unfinished list', { 'if-match': '"3",' }, 400, 'invalid_request', 'header:If-Match', 'pattern'],
    ['a tag in If-None-Match', { 'if-none-match': '"3"' }, 400, 'invalid_request', 'header:If-None-Match', 'pattern'],
    ['an empty If-None-Match', { 'if-none-match': '' }, 400, 'invalid_request', 'header:If-None-Match', 'pattern'],
  ])('fail for %s', async (_, headers, status, code, path, fieldError) => {
    const answer = await overHttp(headers);
    expect(answer).toMatchObject({ status, problem: { code, errors: [{ path, code: fieldError }] } });
    expect(answer.ifMatch).toBeUndefined();
  });

  it('are the same for a direct invocation, where 0 means none', async () => {
    const { handler, calls } = creating();
    await handler({ input: {}, ifMatch: 0 }, context);
    await handler({ input: {}, ifMatch: '"3"' }, context);
    expect(calls.map(({ ifMatch }) => ifMatch)).toEqual([0, 3]);
    await expect(handler({ input: {} }, context)).rejects.toMatchObject({
      name: 'precondition_required',
      message: expect.stringContaining('"path":"/ifMatch"'),
    });
  });
});

describe('preconditions of a request whose input is wrong', () => {
  const handler = operation(createReturn, validators, async () => ok({ status: 201, body: {} as never }));
  const wrong = { linez: [] };
  const of = (errors: readonly { readonly path: string; readonly code: string }[]) =>
    errors.map(({ path, code }) => `${path} ${code}`);

  it('are reported together with the input', async () => {
    const claims = { client_id: 'test', scope: 'returns:write' };
    const send = async (body: string) => {
      const headers = { 'content-type': 'application/json' };
      const event = {
        version: '2.0',
        headers,
        body,
        requestContext: { requestId: '1', authorizer: { jwt: { claims } } },
      };
      const { statusCode, body: text = '' } = (await handler(event, context)) as HttpResponse;
      const problem = JSON.parse(text) as { readonly code: string; readonly errors: Parameters<typeof of>[0] };
      return [statusCode, problem.code, of(problem.errors)];
    };
    const missing = 'header:Idempotency-Key required';
    expect(await send(JSON.stringify(wrong))).toEqual([
      400,
      'invalid_request',
      [missing, '/order required', '/lines required', '/linez unknown_field'],
    ]);
    expect(await send('{"order":')).toEqual([400, 'invalid_request', [missing, ' json']]);
  });

  it('are reported with the input of a direct invocation, at their places in the event', async () => {
    const failure = await Promise.resolve(handler({ input: wrong }, context)).catch((error: unknown) => error as Error);
    const { errors } = JSON.parse((failure as Error).message) as { readonly errors: Parameters<typeof of>[0] };
    expect(of(errors)).toEqual([
      '/idempotencyKey required',
      '/input/order required',
      '/input/lines required',
      '/input/linez unknown_field',
    ]);
  });
});
