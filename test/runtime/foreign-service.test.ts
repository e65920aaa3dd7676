import { describe, expect, it } from 'vitest';
import { exampleAnswer } from '../support/example-answer.ts';
import type { Answer } from '../support/http-server.ts';
import { type OwnOutside, startOwnOutside } from '../support/lambda-runtime/own-outside.ts';
import { stack } from '../support/stack.ts';

/** A text that stands in every foreign answer. None of it may leave. */
const marker = 'ada.marker-7c21@example.com';
const oneTimePassword = '481 516';

const foreign = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ ...body, customer: { email: marker }, otp: oneTimePassword }),
});
const html: Answer = { status: 200, headers: { 'content-type': 'text/html' }, body: `<p>${marker} ${oneTimePassword}` };

const start = (key: string) => startOwnOutside(stack(), { clientSecret: crypto.randomUUID(), key });
const command = {
  headers: { 'idempotency-key': 'once', 'content-type': 'application/json' },
  body: JSON.stringify({
    order: { platform: 'web', orderId: '1001' },
    lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'fit.too_small' } }],
  }),
};

/** Invokes a function whose service answers so. */
const invoke = async (one: OwnOutside, answer: Answer, options = {}) => {
  one.answers.push(answer);
  const { outcome, left } = await one.invoke(undefined, options);
  if (outcome.kind === 'error') throw new Error(outcome.error.errorMessage);
  const { statusCode, body } = outcome.payload as { statusCode: number; body: string };
  const { code, detail } = JSON.parse(body) as { code?: string; detail?: string };
  return { status: statusCode, code, detail, body, left };
};

/** The lines of the log about a rejected answer. */
const rejectionsOf = async (one: OwnOutside) =>
  (await one.container.log())
    .split('\n')
    .filter((line) => line.includes('"service answer rejected"'))
    .map((line) => JSON.parse(line) as { operation: string; reason: string });

const rows: readonly (readonly [name: string, answer: Answer, reason: string, detail: string])[] = [
  ...[400, 404, 406, 409].map(
    (status) =>
      [
        `a ${status} of another service`,
        foreign(status, { error: 'RMA_UNKNOWN' }),
        `answered ${status}`,
        'an answer that the contract does not define',
      ] as const,
  ),
  [
    'a problem with codes of another service',
    foreign(404, { code: 'rma-unknown', detail: marker }, { 'content-type': 'application/problem+json' }),
    'answered 404',
    'an answer that the contract does not define',
  ],
  ['a 204', { status: 204 }, 'answered 204', 'an answer that the contract does not define'],
  ['a page with 200', html, 'answered without JSON', 'an answer that is not JSON'],
  [
    'a return of another service',
    foreign(200, { id: 12_345, state: 'OPEN' }),
    '/returnId must be present',
    'an answer that does not fit the contract: /returnId must be present',
  ],
  [
    'a return with ids of another service',
    foreign(200, exampleAnswer('getReturn', { returnId: '12345' })),
    '/returnId must be an id that begins with ret_',
    'an answer that does not fit the contract: /returnId must be an id that begins with ret_',
  ],
];

describe('connected function in front of a service that does not speak the contract', () => {
  it('names each foreign answer, and hands on nothing of it', async () => {
    await using one = await start('getReturn');
    for (const [name, answer, reason, detail] of rows) {
      const answered = await invoke(one, answer);
      expect([name, answered.status, answered.code, answered.left]).toEqual([name, 502, 'dependency_refused', []]);
      expect(answered.detail).toContain(detail);
      expect((await rejectionsOf(one)).at(-1)).toMatchObject({ operation: 'getReturn', reason });
      for (const text of [answered.body, await one.container.log()]) {
        expect(text).not.toContain(marker);
        expect(text).not.toContain(oneTimePassword);
      }
    }
    expect(one.api.requests).toHaveLength(rows.length);
  });

  it('sends a command once, and hands on nothing of the answer', async () => {
    await using one = await start('createReturn');
    for (const status of [200, 201]) {
      const answered = await invoke(one, foreign(status, { id: 12_345 }), command);
      expect([answered.status, answered.code]).toEqual([502, 'dependency_refused']);
      expect(`${answered.body}${await one.container.log()}`).not.toContain(marker);
    }
    expect(one.api.requests).toHaveLength(2);
  });

  it('sends no id of another service', async () => {
    await using one = await start('getReturn');
    const { outcome } = await one.invoke(undefined, { pathParameters: { returnId: '12345' } });
    expect(outcome).toMatchObject({ payload: { statusCode: 400 } });
    expect(one.api.requests).toHaveLength(0);
  });

  it('checks answers until one fits, and none after that', async () => {
    await using one = await start('getReturn');
    const other = foreign(200, { id: 12_345 });
    expect((await invoke(one, other)).status).toBe(502);
    expect((await invoke(one, other)).status).toBe(502);
    const text = JSON.stringify(exampleAnswer('getReturn'));
    expect(await invoke(one, { status: 200, body: text })).toMatchObject({ status: 200, body: text });
    // A container that knows the service passes bytes through: it neither parses nor checks them.
    one.answers.push({ status: 200, body: '{"a":}' });
    const { outcome } = await one.invoke();
    expect(outcome).toMatchObject({ payload: { statusCode: 200, body: '{"a":}' } });
  });

  it.each([
    ['health', '/status must be one of ok'],
    ['asyncapi', '/asyncapi must be present'],
  ])('fails the public route that the smoke test of a deployment asks: %s', async (key, difference) => {
    await using one = await start(key);
    expect(await invoke(one, foreign(200, { status: 'UP' }))).toMatchObject({
      status: 502,
      code: 'dependency_refused',
      detail: expect.stringContaining(difference),
    });
  });

  it('does not take an empty page for a proof of the contract', async () => {
    await using one = await start('listReturns');
    const empty: Answer = { status: 200, body: JSON.stringify({ items: [], nextCursor: null }) };
    expect((await invoke(one, empty)).status).toBe(200);
    expect(await invoke(one, foreign(200, { items: [{ id: 12_345 }], nextCursor: null }))).toMatchObject({
      status: 502,
      detail: expect.stringContaining('/items/0/returnId must be present'),
    });
  });
});
