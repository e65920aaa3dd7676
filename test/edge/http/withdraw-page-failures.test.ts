import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Call } from '../../../lib/contract/port.ts';
import type { Failure } from '../../../lib/contract/result.ts';
import { fail, ok } from '../../../lib/runtime/result.ts';
import { serveWithdrawPage } from '../../../lib/edge/withdraw-page/withdraw-page.ts';
import type { WithdrawPagePorts } from '../../../lib/edge/withdraw-page/withdraw-visit.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { hearLines } from '../../support/standard-output.ts';
import { hiddenFields, textOf } from '../withdraw-page/markup.ts';

const withdrawalId = 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5';
const declared = {
  withdrawalId,
  declaredAt: '2026-11-26T02:00:12.345Z',
  receipt: { status: 'due' as const, sha256: 'ab'.repeat(32), keyId: 'first' },
  version: 2,
};
const entries = { name: 'Ada Lovelace', contract: '#1001', email: 'ada@example.com', lines: '' };
const down: Failure = { code: 'dependency_unavailable', detail: 'The store does not respond.', retryAfterSeconds: 7 };

/** Seals with a key that every test has. */
const sealer = {
  seal: async (text: string, purpose: readonly string[]) =>
    ok(Buffer.from(JSON.stringify([text, purpose])).toString('base64url')),
  openSealed: async (sealed: string, purpose: readonly string[]) => {
    const [text, own] = JSON.parse(Buffer.from(sealed, 'base64url').toString()) as [string, readonly string[]];
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
    ...sealer,
    ...changes,
  });
  return async (
    fields?: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string>> = { lang: 'en' },
  ) => {
    const event = {
      headers: fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      queryStringParameters: query,
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

/** Confirms, and returns the query of the address to which the answer redirects. */
const redirected = async (page: Page) => {
  const answer = await page({ ...(await checked(page)), step: 'confirm' });
  expect([answer.statusCode, answer.body]).toEqual([303, '']);
  return Object.fromEntries(new URLSearchParams(String(answer.headers?.['location'])));
};
const opened = async (page: Page, query: Readonly<Record<string, string>>) => page(undefined, query);

const minute = 60_000;
const payload = {
  declaredAt: '2026-11-26T03:00:12+01:00',
  timeZone: 'Europe/Berlin',
  content: { name: entries.name, email: entries.email, contract: entries.contract },
};
const receipt = {
  withdrawalId,
  jws: 'a.b.c',
  keyId: 'first',
  sha256: 'ab',
  text: '',
  html: '<script>',
  language: 'en' as const,
};

/** The form of a download, as the page of a receipt has it. */
const downloadOf = async () => {
  const page = pageWith({ getWithdrawalReceipt: async () => ok({ status: 200, body: { ...receipt, payload } }) });
  const form = hiddenFields((await opened(page, await redirected(page))).body);
  calls.length = 0;
  return form;
};

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
    const page = pageWith({ seal: () => Promise.reject(new Error('unexpected')) });
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

  it('leaves the declaration stored when only the receipt cannot be read, and offers its address again', async () => {
    const page = pageWith({});
    const answer = await opened(page, await redirected(page));
    expect(answer.statusCode).toBe(200);
    const text = textOf(answer.body);
    for (const part of [
      'Your withdrawal is stored',
      withdrawalId,
      '26 November 2026, 03:00:12 (UTC+01:00, Europe/Berlin)',
    ])
      expect(text).toContain(part);
    expect(answer.body).toContain('>Show the receipt</a>');
    expect(hiddenFields(answer.body)).toEqual({});
  });

  it('leaves the declaration stored when its reference cannot be sealed, and offers a repeat of the same key', async () => {
    const form = await checked(pageWith({}));
    const answer = await pageWith({ seal: async () => fail(down) })({ ...form, step: 'confirm' });
    expect([answer.statusCode, answer.headers?.['location']]).toEqual([200, undefined]);
    expect(textOf(answer.body)).toContain(withdrawalId);
    expect(hiddenFields(answer.body)).toEqual(form);
  });

  it('treats a receipt of an unknown form as one that cannot be read', async () => {
    const page = pageWith({ getWithdrawalReceipt: async () => ok({ status: 200, body: { ...receipt, payload: {} } }) });
    const answer = await opened(page, await redirected(page));
    expect(textOf(answer.body)).toContain('Your withdrawal is stored');
    expect(answer.body).not.toContain('<script>');
  });

  it('keeps the texts when the signing key cannot be read', async () => {
    const page = pageWith({ seal: async () => fail(down), openSealed: async () => fail(down) });
    const review = await page({ step: 'review', ...entries });
    expect(review.statusCode).toBe(503);
    expect(hiddenFields(review.body)).toEqual(entries);
    expect(review.body).toContain('value="review">Try again</button>');
    const confirm = await page({ step: 'confirm', key: 'k', ...entries });
    expect([confirm.statusCode, hiddenFields(confirm.body)['key']]).toEqual([503, 'k']);
    expect((await page({ step: 'download', receipt: 'r', format: 'jws' })).statusCode).toBe(503);
    const receipt = await page(undefined, { lang: 'en', receipt: 'r' });
    expect([receipt.statusCode, textOf(receipt.body).includes('Try again')]).toEqual([503, true]);
    expect(receipt.body).toContain('href="?lang=en&amp;receipt=r"');
  });
});

describe('failures of the service', () => {
  it('are next to the field that they name', async () => {
    const errors = [{ path: '/contract', code: 'unicode', message: 'must be text' }];
    const failure: Failure = { code: 'invalid_request', detail: 'Invalid.', errors };
    const page = pageWith({ declareWithdrawal: async () => fail(failure) });
    const answer = await page({ ...(await checked(page)), step: 'confirm' });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('id="contract-error">Error: This text was not accepted.');
  });

  it('of a key that was used for other input lead to another check', async () => {
    const failure: Failure = { code: 'idempotency_key_reused', detail: 'The key was used.' };
    const page = pageWith({ declareWithdrawal: async () => fail(failure) });
    const form = await checked(page);
    const answer = await page({ ...form, step: 'confirm' });
    expect(answer.statusCode).toBe(422);
    expect(hiddenFields(answer.body)['key']).not.toBe(form['key']);
  });

  it('of an erased receipt end its address and its download', async () => {
    const page = pageWith({
      getWithdrawalReceipt: async () => fail({ code: 'receipt_erased', detail: 'The content was erased.' }),
    });
    expect((await opened(page, await redirected(page))).statusCode).toBe(410);
    expect((await page({ ...(await downloadOf()), format: 'text' })).statusCode).toBe(410);
  });
});

describe('reference of a receipt', () => {
  const readable = { getWithdrawalReceipt: async () => ok({ status: 200 as const, body: { ...receipt, payload } }) };

  it.each([
    ['still leads to the receipt', 14 * minute, 200, withdrawalId],
    ['says that the declaration arrived', 16 * minute, 410, 'Your withdrawal is stored.'],
    ['says so too when it is old', 24 * 60 * minute, 410, 'You need not declare again.'],
  ])('%s after %i ms', async (_, age, status, text) => {
    const page = pageWith(readable);
    const to = await redirected(page);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + age });
    const answer = await opened(page, to);
    expect([answer.statusCode, textOf(answer.body).includes(text)]).toEqual([status, true]);
    expect(calls).toHaveLength(1);
  });

  it('of a download ends after a day', async () => {
    const form = await downloadOf();
    const page = pageWith(readable);
    expect((await page({ ...form, format: 'jws' })).statusCode).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 60 * minute });
    expect((await page({ ...form, format: 'jws' })).statusCode).toBe(410);
  });

  it('is not that of a download, and not the key of a check', async () => {
    const page = pageWith(readable);
    for (const other of [(await downloadOf())['receipt'], (await checked(page))['key']]) {
      const answer = await page(undefined, { lang: 'en', receipt: other ?? '' });
      expect(answer.statusCode).toBe(404);
      expect(textOf(answer.body)).toContain('declare again: the same declaration counts once');
      expect(answer.body).not.toContain(other);
    }
  });

  it('is followed by no declaration, however often it is opened', async () => {
    const page = pageWith(readable);
    const to = await redirected(page);
    const answers = await Promise.all([opened(page, to), opened(page, to), opened(page, to)]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(calls).toHaveLength(1);
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
