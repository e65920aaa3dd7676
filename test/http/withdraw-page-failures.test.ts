import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../lib/contract/port.ts';
import { fail, type Failure, ok } from '../../lib/contract/result.ts';
import { serveWithdrawPage, type WithdrawPagePorts } from '../../lib/http/withdraw-page.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';
import { hearLines } from '../support/standard-output.ts';
import { hiddenFields, textOf } from '../withdrawals/page/markup.ts';

const withdrawalId = 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5';
const declared = {
  withdrawalId,
  declaredAt: '2026-11-26T02:00:12.345Z',
  receipt: { status: 'due' as const, sha256: 'ab'.repeat(32), keyId: 'first' },
  version: 2,
};
const entries = { name: 'Ada Lovelace', contract: '#1001', email: 'ada@example.com', lines: '' };
const down: Failure = { code: 'dependency_unavailable', detail: 'The store does not respond.', retryAfterSeconds: 7 };

/** Signs with a key that every test has. The signature of other texts differs. */
const signer = {
  sign: async (text: string, purpose: readonly string[]) =>
    ok(Buffer.from(JSON.stringify([text, purpose])).toString('base64url')),
  open: async (signed: string, purpose: readonly string[]) => {
    const [text, own] = JSON.parse(Buffer.from(signed, 'base64url').toString()) as [string, readonly string[]];
    return ok(JSON.stringify(own) === JSON.stringify(purpose) ? text : undefined);
  },
};

const calls: Call[] = [];

/** The page with a service that fails where a test says so. */
const pageWith = (changes: Partial<WithdrawPagePorts>) => {
  const handler = serveWithdrawPage({
    declareWithdrawal: async (_input, call) => {
      calls.push(call);
      return ok({ status: 201, body: declared });
    },
    getWithdrawalReceipt: async () => fail(down),
    ...signer,
    ...changes,
  });
  return async (fields?: Readonly<Record<string, string>>) => {
    const event = {
      headers: fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      queryStringParameters: { lang: 'en' },
      // API Gateway encodes forms.
      isBase64Encoded: true,
      body: Buffer.from(new URLSearchParams(fields).toString()).toString('base64'),
      requestContext: {
        requestId: randomUUID(),
        http: { method: fields === undefined ? 'GET' : 'POST', sourceIp: '' },
      },
    } as unknown as APIGatewayProxyEventV2;
    const { statusCode, headers, body = '' } = await handler(event, { getRemainingTimeInMillis: () => 10_000 });
    return { statusCode, headers, body };
  };
};

type Page = ReturnType<typeof pageWith>;
const checked = async (page: Page) => hiddenFields((await page({ step: 'review', ...entries })).body);

beforeEach(() => {
  calls.length = 0;
  stubEnvironment({ SHOP_NAME: 'Example Shop', WITHDRAWAL_TIME_ZONE: 'Europe/Berlin' });
});
afterEach(() => {
  vi.useRealTimers();
  restoreEnvironment();
});

describe('service that is down', () => {
  it('makes the page say how else to declare, with the texts and a repeat of the same key', async () => {
    const page = pageWith({ declareWithdrawal: async () => fail(down) });
    const form = await checked(page);
    const answer = await page({ ...form, step: 'confirm' });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers).toMatchObject({ 'retry-after': '7', 'cache-control': 'no-store' });
    const text = textOf(answer.body);
    expect(text).toContain('send the following text to Example Shop by e-mail or letter');
    for (const part of [entries.name, entries.contract, entries.email]) expect(text).toContain(part);
    expect(hiddenFields(answer.body)).toEqual(form);
    expect(answer.body).toContain('value="confirm">Try again</button>');
  });

  it('leaves the texts on the page after an unexpected error of the check', async () => {
    const page = pageWith({ sign: () => Promise.reject(new Error('unexpected')) });
    const answer = await page({ step: 'review', ...entries });
    expect(answer.statusCode).toBe(500);
    for (const part of [entries.name, entries.contract, entries.email]) expect(textOf(answer.body)).toContain(part);
  });

  it('declares once when the consumer repeats the confirmation', async () => {
    const form = await checked(pageWith({}));
    const page = pageWith({});
    await page({ ...form, step: 'confirm' });
    await page({ ...form, step: 'confirm' });
    expect(new Set(calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('leaves the declaration stored when only the receipt cannot be read', async () => {
    const page = pageWith({});
    const form = await checked(page);
    const answer = await page({ ...form, step: 'confirm' });
    expect(answer.statusCode).toBe(200);
    const text = textOf(answer.body);
    for (const part of [
      'Your withdrawal is stored',
      withdrawalId,
      '26 November 2026, 03:00:12 (UTC+01:00, Europe/Berlin)',
    ])
      expect(text).toContain(part);
    expect(hiddenFields(answer.body)).toEqual(form);
  });

  it('treats a receipt of an unknown form as one that cannot be read', async () => {
    const receipt = {
      withdrawalId,
      jws: 'a.b.c',
      keyId: 'first',
      sha256: 'ab',
      text: '',
      html: '<script>',
      language: 'en' as const,
    };
    const page = pageWith({ getWithdrawalReceipt: async () => ok({ status: 200, body: { ...receipt, payload: {} } }) });
    const answer = await page({ ...(await checked(page)), step: 'confirm' });
    expect(textOf(answer.body)).toContain('Your withdrawal is stored');
    expect(answer.body).not.toContain('<script>');
  });

  it('keeps the texts when the signing key cannot be read', async () => {
    const page = pageWith({ sign: async () => fail(down), open: async () => fail(down) });
    const review = await page({ step: 'review', ...entries });
    expect(review.statusCode).toBe(503);
    expect(hiddenFields(review.body)).toEqual(entries);
    expect(review.body).toContain('value="review">Try again</button>');
    const confirm = await page({ step: 'confirm', key: 'k', ...entries });
    expect([confirm.statusCode, hiddenFields(confirm.body)['key']]).toEqual([503, 'k']);
    expect((await page({ step: 'download', receipt: 'r', format: 'jws' })).statusCode).toBe(503);
  });
});

describe('refusals of the service', () => {
  it('are next to the field that they name', async () => {
    const errors = [{ path: '/contract', code: 'unicode', message: 'must be text' }];
    const failure: Failure = { code: 'invalid_request', detail: 'Invalid.', errors };
    const page = pageWith({ declareWithdrawal: async () => fail(failure) });
    const answer = await page({ ...(await checked(page)), step: 'confirm' });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('id="contract-fault">Error: This text was not accepted.');
  });

  it('of a key that was used for other input lead to another check', async () => {
    const failure: Failure = { code: 'idempotency_key_reused', detail: 'The key was used.' };
    const page = pageWith({ declareWithdrawal: async () => fail(failure) });
    const form = await checked(page);
    const answer = await page({ ...form, step: 'confirm' });
    expect(answer.statusCode).toBe(422);
    expect(hiddenFields(answer.body)['key']).not.toBe(form['key']);
  });

  it('of an erased receipt end its download', async () => {
    const page = pageWith({
      getWithdrawalReceipt: async () => fail({ code: 'receipt_erased', detail: 'The content was erased.' }),
    });
    const signed = await signer.sign(JSON.stringify({ value: withdrawalId, at: Date.now() }), ['withdrawal receipt']);
    const receipt = signed.value;
    expect((await page({ step: 'download', receipt, format: 'text' })).statusCode).toBe(410);
  });
});

it('asks for another check after a day', async () => {
  const page = pageWith({});
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_001 });
  const form = await checked(page);
  vi.useRealTimers();
  const answer = await page({ ...form, step: 'confirm' });
  expect(answer.statusCode).toBe(422);
  expect(textOf(answer.body)).toContain('Nothing has been sent yet');
  expect(calls).toEqual([]);
});

it('keeps the texts after an unexpected error, and logs none of them', async () => {
  const lines: string[] = [];
  const hearing = hearLines((line) => lines.push(line));
  const page = pageWith({
    declareWithdrawal: async () => {
      throw new Error(`no ${entries.name}`);
    },
  });
  const form = await checked(page);
  const answer = await page({ ...form, step: 'confirm' });
  hearing.mockRestore();
  expect(answer.statusCode).toBe(500);
  expect(hiddenFields(answer.body)).toEqual(form);
  const log = lines.join('\n');
  expect(log).toContain('"request failed","operation":"withdraw"');
  for (const text of Object.values(entries).filter((one) => one !== '')) expect(log).not.toContain(text);
});

it.each([
  ['WITHDRAWAL_TIME_ZONE', 'Mars/Base'],
  ['WITHDRAW_PAGE_FRAME_ANCESTORS', 'https://a.example; script-src *'],
])('does not load with a wrong %s', async (name, value) => {
  stubEnvironment({ [name]: value });
  await expect(pageWith({})()).rejects.toThrow(name);
});
