import type { Context } from 'aws-lambda';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { getPolicyText } from '../../../lib/access/client/policy-text-function.ts';
import type { HttpEvent } from '../../../lib/edge/http/event.ts';
import { servePublishedPolicy } from '../../../lib/edge/http/published-policy.ts';
import { startContainer } from '../../../lib/runtime/container.ts';
import type { JsonObject } from '../../../lib/runtime/json.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { type Answer, startServer } from '../../support/http-server.ts';
import { identities, isLogging } from '../../support/roles.ts';
import { api } from '../../support/api.ts';
import { publishedPolicy } from '../../support/policies.ts';
import { stack } from '../../support/stack.ts';
import { hearLines } from '../../support/standard-output.ts';

afterEach(restoreEnvironment);

/** Publishes a policy with a rule on single customers, and returns its channel, which no other policy has. */
const publishedChannel = async () => {
  const channel = randomUUID();
  await publishedPolicy(api('standalone'), {
    selectors: { countries: ['PT'], channels: [channel] },
    rules: [
      { id: 'window', phase: 'window', text: '30 days', window: { anchor: 'delivered', days: 30, graceDays: 3 } },
      {
        id: 'vip',
        phase: 'approval',
        text: 'Secret',
        approval: 'auto',
        when: { fact: 'customer.segment', op: 'eq', value: 'insiders' },
      },
    ],
  });
  return channel;
};

const read = async (
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  web = stack().web?.url ?? '',
) => {
  const response = await fetch(`${web}/return-policy?${new URLSearchParams(query).toString()}`, {
    headers,
  });
  const text = await response.text();
  return { response, body: (text === '' ? {} : JSON.parse(text)) as JsonObject };
};

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('the public address of the policy', () => {
  let channel = '';
  beforeAll(async () => {
    channel = await publishedChannel();
  });

  it('has sentences and formats for a country and channel, and nothing that only the shop may know', async () => {
    const { response, body } = await read({ country: 'PT', channel, language: 'pt' });
    expect(response.status).toBe(200);
    expect(body).toMatchObject({ country: 'PT', channel, statements: expect.any(Array) });
    expect(JSON.stringify(body['statements'])).toContain('30 dias');
    expect(Object.keys(body['formats'] as object).toSorted()).toEqual(['google', 'schema_org', 'shopify', 'ucp']);
    expect(JSON.stringify(body)).not.toMatch(/omitted|individual|insiders|Secret/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('has the same in the connected mode, from the Returns Service', async () => {
    const query = { country: 'PT', channel, format: 'ucp' };
    const connected = await read(query, {}, stack().connected.webUrl);
    expect(connected.response.status).toBe(200);
    expect(connected.body).toEqual((await read(query)).body);
  });

  it('can be cached, and answers 304 to what the reader has', async () => {
    const query = { country: 'PT', channel, format: 'schema_org' };
    const { response, body } = await read(query);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(Object.keys(body['formats'] as object)).toEqual(['schema_org']);
    const etag = response.headers.get('etag') ?? '';
    const again = await read(query, { 'if-none-match': `W/"other", ${etag}` });
    expect([again.response.status, again.response.headers.get('etag')]).toEqual([304, etag]);
    expect((await read({ ...query, format: 'ucp' }, { 'if-none-match': etag })).response.status).toBe(200);
  });

  it('has no rules of later days', async () => {
    const { response, body } = await read({ country: 'PT', date: daysFromNow(3) });
    expect([response.status, response.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ path: '/date', code: 'maximum' }] });
    expect((await read({ country: 'PT', date: daysFromNow(-3) })).response.status).toBe(200);
  });

  it.each<[string, Record<string, string>, string]>([
    ['no country', {}, '/country'],
    ['a country that is no code', { country: 'Portugal' }, '/country'],
    ['an unknown field', { country: 'PT', channels: 'web' }, '/channels'],
    ['a name of the prototype', { country: 'PT', __proto__x: 'web' }, '/__proto__x'],
    ['a date that does not exist', { country: 'PT', date: '2026-02-30' }, '/date'],
  ])('rejects %s with its path', async (_, query, path) => {
    const { response, body } = await read(query);
    expect(response.status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ path }] });
  });

  it('names the fields that it knows beside an unknown one', async () => {
    const { body } = await read({ country: 'PT', lang: 'pt' });
    expect(body).toMatchObject({
      errors: [
        { code: 'unknown_field', message: expect.stringMatching(/^Unknown field "lang"\. Allowed: .*language/) },
      ],
    });
  });
});

describe('the public address of the policy without its operation', () => {
  const openCase = async (answer: Answer, remainingMs = 20_000) => {
    const server = await startServer(() => answer);
    onTestFinished(async () => server[Symbol.asyncDispose]());
    startContainer();
    stubEnvironment({
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL_LAMBDA: server.origin,
      GET_POLICY_TEXT_ARN: 'arn:aws:lambda:eu-central-1:000000000000:function:returns-dev-getPolicyText:live',
    });
    const lines: string[] = [];
    hearLines((line) => void lines.push(line));
    const event = {
      headers: {},
      queryStringParameters: { country: 'PT', channel: 'of-ada@example.com' },
      requestContext: { domainName: 'web.example.com', requestId: '1', http: { sourceIp: '192.0.2.1' } },
    } as unknown as HttpEvent;
    const context = { getRemainingTimeInMillis: () => remainingMs } as Context;
    const response = await servePublishedPolicy(getPolicyText)(event, context);
    return { response, requests: server.requests, log: lines.join('\n') };
  };

  it('answers 503 after three attempts, is not cached, and logs nothing of the query', async () => {
    const { response, requests, log } = await openCase('reset');
    expect(requests).toHaveLength(3);
    expect(response).toMatchObject({ statusCode: 503, headers: { 'retry-after': '1', 'cache-control': 'no-store' } });
    expect(log).toContain('"code":"dependency_unavailable"');
    expect(log).not.toContain('ada@example.com');
  });

  it('answers 504 before the function itself ends', async () => {
    const { response } = await openCase('hang', 600);
    expect(response).toMatchObject({ statusCode: 504, headers: { 'cache-control': 'no-store' } });
  });

  it('answers 500 without a text of the error when the reply has another shape', async () => {
    const { response } = await openCase({ status: 200, body: JSON.stringify({ status: 200, body: {} }) });
    expect(response).toMatchObject({ statusCode: 500, headers: { 'cache-control': 'no-store' } });
    expect(response.body).not.toContain('undefined');
  });

  it.each(modes)('has no right but to invoke that operation (%s)', async (mode) => {
    const permissions = (await identities(mode))
      .filter((identity) => identity.function === 'publishedPolicy')
      .flatMap((identity) => identity.permissions)
      .filter((permission) => !isLogging(permission));
    expect(permissions).toMatchObject([
      { action: 'lambda:InvokeFunction', resource: expect.stringMatching(/-getPolicyText:live$/) },
    ]);
  });
});
