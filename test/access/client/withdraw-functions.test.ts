import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { withdrawFunctions } from '../../../lib/access/client/withdraw-functions.ts';
import type { Call } from '../../../lib/contract/port.ts';
import { startContainer } from '../../../lib/runtime/container.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { type Answer, startServer } from '../../support/http-server.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline } from '../../support/time.ts';

afterEach(restoreEnvironment);

const arnOf = (name: string) => `arn:aws:lambda:eu-central-1:000000000000:function:returns-dev-${name}:live`;
const declaration = { name: 'Ada Lovelace', email: 'ada@example.com', contract: '#1001' };
const withdrawalId = 'wdr_01KAJ5B7D9F1H3K5M7P9R1T3V5';
const declared = { status: 201, body: { withdrawalId, declaredAt: '2026-11-26T02:00:12.345Z' }, version: 2 };
const done: Answer = { status: 200, body: JSON.stringify(declared) };

/** The answer of Lambda for a function that threw an error. */
const thrown = (errorType: string, errorMessage: string): Answer => ({
  status: 200,
  headers: { 'x-amz-function-error': 'Unhandled' },
  body: JSON.stringify({ errorType, errorMessage }),
});
const problem = (code: string, more: object = {}): Answer =>
  thrown(
    code,
    JSON.stringify({ type: 'about:blank', title: '', status: 400, detail: 'No.', code, traceId: '', ...more }),
  );

/** Starts a Lambda that answers in this order, and repeats its last answer. */
const lambdaWith = async (...answers: readonly Answer[]) => {
  let next = 0;
  const server = await startServer(() => answers[Math.min(next++, answers.length - 1)] ?? done);
  onTestFinished(async () => server[Symbol.asyncDispose]());
  startContainer();
  stubEnvironment({
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'key-of-the-page',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL_LAMBDA: server.origin,
    DECLARE_WITHDRAWAL_ARN: arnOf('declareWithdrawal'),
    GET_WITHDRAWAL_RECEIPT_ARN: arnOf('getWithdrawalReceipt'),
    WITHDRAW_KEY_ID: 'withdraw-key',
  });
  const lines: string[] = [];
  hearLines((line) => void lines.push(line));
  const call = (own: Partial<Call> = {}): Call => ({
    caller: { clientId: 'page:withdraw', scopes: ['returns:write'] },
    dryRun: false,
    traceId: '0'.repeat(32),
    causationId: 'request',
    deadline: ampleDeadline(),
    ...own,
  });
  return {
    requests: server.requests,
    lines,
    declare: async (own: Partial<Call> = { idempotencyKey: 'key-1' }) =>
      withdrawFunctions.declareWithdrawal(declaration, call(own)),
    read: async (own: Partial<Call> = {}) => withdrawFunctions.getWithdrawalReceipt({ withdrawalId }, call(own)),
  };
};

describe('operation that is invoked by its function', () => {
  it('sends the input and the key, signed with the key of the caller, and returns the reply', async () => {
    const lambda = await lambdaWith(done);
    expect(await lambda.declare()).toEqual({ ok: true, value: declared });
    const [{ path, method, headers, body } = { path: '', method: '', headers: {}, body: '{}' }] = lambda.requests;
    expect([method, decodeURIComponent(path)]).toEqual([
      'POST',
      `/2015-03-31/functions/${arnOf('declareWithdrawal')}/invocations`,
    ]);
    expect(headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=key-of-the-page\/\d{8}\/eu-central-1\/lambda\/aws4_request/,
    );
    expect(JSON.parse(body)).toEqual({ input: declaration, idempotencyKey: 'key-1', onBehalfOf: 'page:withdraw' });
  });

  it.each<[string, Answer]>([
    ['a reset', 'reset'],
    ['429 of Lambda', { status: 429, headers: { 'x-amzn-errortype': 'TooManyRequestsException' }, body: '{}' }],
    ['500 of Lambda', { status: 500, body: '{}' }],
    ['the timeout of the function', thrown('Sandbox.Timedout', 'Task timed out after 10.00 seconds')],
    ['the end of the process of the function', thrown('Runtime.ExitError', 'Runtime exited with error')],
  ])('is repeated with the same key after %s', async (_, first) => {
    const lambda = await lambdaWith(first, done);
    expect(await lambda.declare()).toEqual({ ok: true, value: declared });
    const keys = lambda.requests.map(({ body }) => (JSON.parse(body) as { idempotencyKey: string }).idempotencyKey);
    expect(keys).toEqual(['key-1', 'key-1']);
  });

  it('is tried three times, then 503 with a log line without texts', async () => {
    const lambda = await lambdaWith('reset');
    expect(await lambda.declare()).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable', retryAfterSeconds: 1 },
    });
    expect(lambda.requests).toHaveLength(3);
    const line = lambda.lines.find((one) => one.includes('operation not invoked')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ operation: 'declareWithdrawal', reason: 'ECONNRESET', attempts: 3 });
    expect(lambda.lines.join()).not.toMatch(/Lovelace|example\.com|1001/);
  });

  it('is not repeated without a key, unless it only reads', async () => {
    const lambda = await lambdaWith('reset');
    await lambda.declare({});
    expect(lambda.requests).toHaveLength(1);
    await lambda.read();
    expect(lambda.requests).toHaveLength(4);
  });

  it.each<[string, Answer]>([
    ['a permission that is missing', { status: 403, body: '{"message":"AccessDeniedException"}' }],
    ['a function that does not exist', { status: 404, body: '{}' }],
    ['an answer that is no reply', { status: 200, body: '"ok"' }],
    ['an answer without JSON', { status: 200, body: '<html>' }],
  ])('is not repeated after %s', async (_, answer) => {
    const lambda = await lambdaWith(answer);
    expect(await lambda.declare()).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable' } });
    expect(lambda.requests).toHaveLength(1);
  });

  it('ends at the deadline of the call when Lambda hangs, without a repeat', async () => {
    const lambda = await lambdaWith('hang');
    expect(await lambda.declare({ idempotencyKey: 'key-1', deadline: Date.now() + 50 })).toMatchObject({
      ok: false,
      failure: { code: 'timeout' },
    });
    expect(await lambda.read({ deadline: Date.now() - 1 })).toMatchObject({ ok: false, failure: { code: 'timeout' } });
    expect(lambda.requests).toHaveLength(1);
  });

  it('passes on the failure of the operation with the paths of its input, and repeats none', async () => {
    const errors = [{ path: '/input/email', code: 'format', message: 'must be an address' }];
    const lambda = await lambdaWith(problem('invalid_request', { errors }));
    expect(await lambda.declare()).toEqual({
      ok: false,
      failure: { code: 'invalid_request', detail: 'No.', errors: [{ ...errors[0], path: '/email' }] },
    });
    expect(lambda.requests).toHaveLength(1);
  });

  it('passes on how long a failing store wants to be left alone', async () => {
    const lambda = await lambdaWith(problem('dependency_unavailable', { retryAfterSeconds: 7 }));
    expect(await lambda.read()).toMatchObject({
      ok: false,
      failure: { code: 'dependency_unavailable', retryAfterSeconds: 7 },
    });
    expect(lambda.requests).toHaveLength(1);
  });

  it('takes an error whose type is no code, or differs from its problem, as a failed function', async () => {
    const lambda = await lambdaWith(thrown('receipt_erased', '{"code":"dependency_unavailable"}'));
    expect(await lambda.read()).toMatchObject({ ok: false, failure: { code: 'dependency_unavailable' } });
    expect(lambda.requests).toHaveLength(3);
  });
});
