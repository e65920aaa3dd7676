import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fail, ok } from '../../../lib/runtime/result.ts';
import { serveWithdrawPage } from '../../../lib/edge/withdraw-page/withdraw-page.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { hearLines } from '../../support/standard-output.ts';
import { hiddenFields } from '../withdraw-page/markup.ts';

const form = 'application/x-www-form-urlencoded';
const entries = { name: 'Ada Lovelace', contract: '#1001', email: 'ada@example.com', lines: '' };

/** The declarations that reached the service. */
const declared: unknown[] = [];

const handler = serveWithdrawPage({
  declareWithdrawal: async (input) => {
    declared.push(input);
    return fail({ code: 'dependency_unavailable', detail: 'The store does not respond.' });
  },
  getWithdrawalReceipt: async () => fail({ code: 'receipt_erased', detail: 'The content was erased.' }),
  seal: async (text, purpose) => ok(Buffer.from(JSON.stringify([text, purpose])).toString('base64url')),
  openSealed: async (sealed, purpose) => {
    const text = Buffer.from(sealed, 'base64url').toString();
    return ok(text.endsWith(`,${JSON.stringify(purpose)}]`) ? (JSON.parse(text) as [string])[0] : undefined);
  },
});

type Request = {
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
};

const request = async ({ body, headers = {}, query = { lang: 'en' } }: Request) => {
  const event = {
    headers: { host: 'web.example.com', ...(body !== undefined && { 'content-type': form }), ...headers },
    queryStringParameters: query,
    isBase64Encoded: true,
    ...(body !== undefined && { body: Buffer.from(body).toString('base64') }),
    requestContext: {
      requestId: randomUUID(),
      domainName: 'web.example.com',
      http: { method: body === undefined ? 'GET' : 'POST', sourceIp: '192.0.2.1' },
    },
  } as unknown as APIGatewayProxyEventV2;
  const answer = await handler(event, { getRemainingTimeInMillis: () => 10_000 });
  return { status: answer.statusCode, headers: answer.headers ?? {}, text: answer.body ?? '' };
};

const fieldsOf = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const review = fieldsOf({ step: 'review', ...entries });

beforeEach(() => {
  declared.length = 0;
  stubEnvironment({ SHOP_NAME: 'Example Shop', WITHDRAWAL_TIME_ZONE: 'Europe/Berlin' });
  hearLines(() => undefined);
});
afterEach(restoreEnvironment);

describe('request of an attacker', () => {
  const host = 'evil.example';

  it('has no host on the page, whatever header names it', async () => {
    const headers = {
      host,
      'x-forwarded-host': host,
      'x-original-host': host,
      forwarded: `host=${host}`,
      origin: host,
    };
    for (const body of [undefined, review]) {
      const answer = await request({ headers, ...(body !== undefined && { body }) });
      expect([answer.status, JSON.stringify(answer).includes(host)]).toEqual([200, false]);
    }
  });

  it.each(['constructor', '__proto__', 'de,en', '"><script>', 'DE', ''])(
    'has no effect by the language %j',
    async (lang) => {
      const answer = await request({ query: { lang }, headers: { 'accept-language': 'fr' } });
      expect(answer.headers['content-language']).toBe('fr');
      expect(answer.text).not.toContain('<script');
    },
  );

  it.each([
    ['a header of 10 kB', 'de;q=0.1,'.repeat(1_200)],
    ['a hostile header', 'de;q=0.'.repeat(50)],
    ['control characters', '\u0000\r\nset-cookie: a=b'],
  ])('gets a page for %s in Accept-Language', async (_, accepted) => {
    const answer = await request({ query: {}, headers: { 'accept-language': accepted } });
    expect([answer.status, 'set-cookie' in answer.headers]).toEqual([200, false]);
  });

  it.each([
    ['text/plain, as a form of another site can send', 'text/plain'],
    ['two types', `${form}, text/plain`],
    ['a charset that decodes other text', `${form}; charset=utf-7`],
    ['a type that ends as ours', `x${form}`],
  ])('is rejected with %s', async (_, type) => {
    const answer = await request({ body: review, headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
  });

  it.each([
    ['a NUL in a name of a field', 'step=review&na%00me=a', 400],
    ['an overlong encoding', 'step=review&name=%c0%bcscript%c0%be', 400],
    ['UTF-16', Buffer.from(review, 'utf16le'), 400],
    ['a field of an object', 'step=review&name[]=a', 400],
    ['a field twice, with a different case', 'step=review&name=a&NAME=b', 400],
    ['semicolons between fields', 'step=review;name=a', 400],
    [
      '40,000 fields',
      Array.from({ length: 40_000 }, (_, index) => `f${index}=`)
        .join('&')
        .slice(0, 49_000),
      413,
    ],
    ['6 MB', 'a'.repeat(6_000_000), 413],
  ])('is rejected with %s', async (_, body, status) => {
    const answer = await request({ body });
    expect(answer.status).toBe(status);
    expect(declared).toEqual([]);
  });

  it('declares nothing from another site: a form without the key of a check is rejected or checked', async () => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await request({ headers, body: fieldsOf({ step: 'confirm', ...entries }) })).status).toBe(400);
    expect((await request({ headers, body: fieldsOf({ step: 'confirm', ...entries, key: 'x' }) })).status).toBe(422);
    expect(declared).toEqual([]);
  });

  it('cannot use a check for other texts, another field, another language or a download', async () => {
    const key = hiddenFields((await request({ body: review })).text)['key'] ?? '';
    const moved = { ...entries, name: 'Ada', contract: 'Lovelace#1001' };
    for (const [fields, lang] of [
      [{ ...entries, name: 'Bob' }, 'en'],
      [{ ...entries, lines: 'one' }, 'en'],
      [moved, 'en'],
      [entries, 'de'],
    ] as const)
      expect((await request({ body: fieldsOf({ step: 'confirm', ...fields, key }), query: { lang } })).status).toBe(
        422,
      );
    expect((await request({ body: fieldsOf({ step: 'download', receipt: key, format: 'jws' }) })).status).toBe(404);
    expect((await request({ query: { lang: 'en', receipt: key } })).status).toBe(404);
    expect(declared).toEqual([]);
  });
});

it('has the protecting headers on every answer', async () => {
  const key = hiddenFields((await request({ body: review })).text)['key'] ?? '';
  const sealed = (kind: string, at = Date.now()) =>
    Buffer.from(
      JSON.stringify([JSON.stringify({ value: 'wdr_1 2026-11-26T02:00:12.345Z', at }), [`withdrawal receipt ${kind}`]]),
    ).toString('base64url');
  const answers = await Promise.all([
    request({}),
    request({ body: review }),
    request({ body: '' }),
    request({ body: fieldsOf({ step: 'review' }) }),
    request({ body: review, headers: { 'content-type': 'text/plain' } }),
    request({ body: 'a'.repeat(50_000) }),
    request({ body: fieldsOf({ step: 'confirm', ...entries, key }) }),
    request({ body: fieldsOf({ step: 'download', receipt: sealed('download'), format: 'text' }) }),
    request({ query: { lang: 'en', receipt: sealed('address') } }),
    request({ query: { lang: 'en', receipt: sealed('address', Date.now() - 900_001) } }),
    request({ query: { lang: 'en', receipt: sealed('download') } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 422, 415, 413, 503, 410, 410, 410, 404]);
  for (const { headers } of answers)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
});
