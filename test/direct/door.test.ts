import type { Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as validators from '#validators/getReturn';
import type { Output } from '../../lib/contract/contract.ts';
import * as operations from '../../lib/contract/operations.ts';
import type { Call, Reply } from '../../lib/contract/port.ts';
import { ok } from '../../lib/runtime/result.ts';
import { operation } from '../../lib/edge/http/operation.ts';
import { restoreEnvironment, stubEnvironment } from '../support/environment.ts';
import { hearLines } from '../support/standard-output.ts';

/** Personal data that an error may contain and that must not leak. */
const marker = 'Ada Marker <ada@example.com>';

const returnId = 'ret_00000000000000000000000000';
const context = { awsRequestId: 'request-1', getRemainingTimeInMillis: () => 10_000 } as Context;
const reply: Reply<Output<'getReturn'>> = { status: 200, body: {} as Output<'getReturn'>, version: 3 };

const written: string[] = [];
const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);

beforeEach(() => {
  written.length = 0;
  stubEnvironment({ LOG_LEVEL: 'info' });
  hearLines((line) => written.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  restoreEnvironment();
});

/** Returns the function of getReturn in a container that logs everything, with the test's backend. */
const container = async (run: (input: object, call: Call) => Promise<ReturnType<typeof ok<typeof reply>>>) => {
  return operation(operations.getReturn, validators, run);
};

describe('entry point of direct invocations', () => {
  it("passes on the operation's own scope only, and the call's metadata", async () => {
    const calls: Call[] = [];
    const handler = await container(async (_, call) => {
      calls.push(call);
      return ok(reply);
    });
    const before = Date.now();
    expect(await handler({ input: { returnId }, onBehalfOf: 'agent-7' }, context)).toEqual(reply);
    expect(calls).toEqual([
      {
        caller: { clientId: 'direct-invocation', scopes: ['returns:read'], onBehalfOf: 'agent-7' },
        dryRun: false,
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        causationId: 'request-1',
        deadline: expect.any(Number),
      },
    ]);
    expect(calls[0]?.deadline).toBeGreaterThanOrEqual(before + 10_000);
    expect(calls[0]?.deadline).toBeLessThan(before + 15_000);
  });

  it('logs one line for each invocation, whatever its result', async () => {
    const handler = await container(async () => ok(reply));
    await handler({ input: { returnId } }, context);
    await expect(handler({ input: {} }, context)).rejects.toThrow('invalid_request');
    const all = { operation: 'getReturn', clientId: 'direct-invocation', trigger: 'direct', ms: expect.any(Number) };
    expect(lines()).toEqual([
      expect.objectContaining({ ...all, message: 'request answered', status: 200, traceId: expect.any(String) }),
      expect.objectContaining({ ...all, message: 'request answered', status: 400, code: 'invalid_request' }),
    ]);
  });

  it.each([
    ['an Error', new TypeError(marker, { cause: marker })],
    ['an Error that resembles a failure', Object.assign(new Error(marker), { name: 'invalid_transition' })],
    ['a string', marker],
  ])('returns and logs no internal data: %s', async (_, thrown) => {
    const handler = await container(() => Promise.reject(thrown));
    const error = await handler({ input: { returnId } }, context).then(
      () => undefined,
      (caught: unknown) => caught,
    );
    expect(error).toBeInstanceOf(Error);
    const { name, message, stack, cause } = error as Error;
    expect({ name, stack, cause }).toEqual({ name: 'internal_error', stack: 'internal_error', cause: undefined });
    const problem = JSON.parse(message) as { traceId: string };
    expect(problem).toMatchObject({ code: 'internal_error', status: 500 });
    const logged = lines();
    expect(logged).toMatchObject([
      { level: 'error', message: 'request failed', operation: 'getReturn', traceId: problem.traceId },
      { message: 'request answered', status: 500, code: 'internal_error', traceId: problem.traceId },
    ]);
    expect(written.join('') + message).not.toContain('Marker');
  });

  it('rejects a token whose client id is that of direct invocations', async () => {
    const handler = await container(async () => ok(reply));
    const claims = { client_id: 'direct-invocation', scope: 'returns:read' };
    const event = { headers: {}, pathParameters: { returnId }, requestContext: { authorizer: { jwt: { claims } } } };
    expect(await handler(event, context)).toMatchObject({ statusCode: 401 });
  });
});
