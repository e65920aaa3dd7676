import { describe, expect, it } from 'vitest';
import { isObject, parseObject } from '../../../lib/runtime/json.ts';
import { setEnvironment } from '../../support/environment.ts';
import { type Answer, startServer } from '../../support/http-server.ts';
import { memberOf } from './member-of.ts';
import { invoker } from './invoke.ts';

/* Messages that no SDK sends, and a table that fails: against the API and the table as HTTP servers. */

const denied: Answer = {
  status: 400,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({
    __type: 'com.amazon.coral.service#AccessDeniedException',
    Message: 'User: arn:aws:sts::123456789012:assumed-role/returns-mcp is not authorized',
  }),
};

const rehearsedReturn = { status: 200, body: JSON.stringify({ returnId: 'ret_1', version: 3 }) };

/** Posts a message, and returns the status, the message of the answer and the requests that reached the API. */
const post = async (message: string, headers: Readonly<Record<string, string>> = {}) => {
  await using api = await startServer(() => rehearsedReturn);
  await using engine = await startServer(() => denied);
  setEnvironment({
    TOKEN_ISSUER: 'https://issuer.example',
    MCP_COMMAND_LIMIT: '60',
    TABLE_NAME: 'returns',
    AWS_ENDPOINT_URL_DYNAMODB: engine.origin,
  });
  const { statusCode, body = '' } = await invoker({ domainName: new URL(api.origin).host })({
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: message,
  });
  const answer = parseObject(body.replace(/^event: message\ndata: /, '')) ?? {};
  return { status: statusCode, text: body, answer, requests: api.requests };
};

const call = (name: unknown, given: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${given}}}`;

describe('a table that rejects requests', () => {
  it.each([
    ['a rehearsal', '{"returnId":"ret_1"}'],
    ['a confirmation', '{"returnId":"ret_1","confirmation":"cnf_01KAJ3V9Z8QW4T6R2M5N7P0XYB"}'],
  ])('answers 500 to %s, without the message of AWS', async (_, given) => {
    const { status, text, answer } = await post(call('approve', given));
    expect({ status, code: answer['code'] }).toEqual({ status: 500, code: 'internal_error' });
    expect(text).not.toContain('arn:');
  });
});

describe('a message that cannot be read', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

  it.each([
    ['half of a surrogate pair', String.raw`{"returnId":"ret_1","text":"\ud800"}`, 'unicode'],
    [
      'half of one beside a confirmation',
      String.raw`{"returnId":"ret_1","text":"\ud800","confirmation":"cnf_01KAJ3V9Z8QW4T6R2M5N7P0XYB"}`,
      'unicode',
    ],
    ['more depth than a validator takes', `{"returnId":"ret_1","text":${nested(3_000)}}`, 'depth'],
    ['more depth than JSON takes', `{"returnId":"ret_1","text":${nested(200_000)}}`, 'depth'],
  ])('is answered with 400: %s', async (_, given, code) => {
    const { status, answer, requests } = await post(call('addNote', given));
    expect({ status, code: memberOf(answer, 'errors.0.code') }).toEqual({ status: 400, code });
    expect(requests).toEqual([]);
  });
});

describe('a message of a strange shape', () => {
  it.each([
    ['an object as a name', call({ toString: 1, valueOf: 1 }, '{"confirmation":"cnf_1"}')],
    ['a name that every object has', call('constructor', '{"confirmation":"cnf_1"}')],
    ['the name __proto__', call('__proto__', '{}')],
  ])('calls nothing: %s', async (_, message) => {
    const { status, answer, requests } = await post(message);
    expect({ status, code: memberOf(answer, 'error.code') }).toEqual({ status: 200, code: -32_602 });
    expect(requests).toEqual([]);
  });

  it('has no effect by a header that is no ASCII', async () => {
    const { status, requests } = await post(call('listPolicies', '{}'), { 'mcp-name': 'politique €' });
    expect({ status, sent: requests.length }).toEqual({ status: 200, sent: 1 });
  });

  it.each([
    ['an object', '{"view":{"toString":1,"valueOf":1}}', 'view'],
    ['a list in a list', '{"status":[["requested"]]}', 'status'],
  ])('names the field of a query that has %s', async (_, given, field) => {
    const { answer, requests } = await post(call('listReturns', given));
    const content = memberOf(answer, 'result.structuredContent');
    expect(isObject(content) && memberOf(content, 'error')).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: `/${field}`, code: 'type' }],
    });
    expect(requests).toEqual([]);
  });

  it('asks for no repeat of an id that no URL can hold', async () => {
    const { answer } = await post(call('getReturn', JSON.stringify({ returnId: 'a'.repeat(100_000) })));
    expect(memberOf(answer, 'result.structuredContent.error')).toMatchObject({
      code: 'payload_too_large',
      next: expect.stringContaining('Do not repeat') as string,
    });
  });
});
