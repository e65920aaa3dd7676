import type { Context } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { getReturn } from '../../../lib/contract/operations.ts';
import type { Backend } from '../../../lib/contract/port.ts';
import { fail, ok } from '../../../lib/runtime/result.ts';
import type { HttpEvent } from '../../../lib/edge/http/event.ts';
import { operation } from '../../../lib/edge/http/operation.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';
import { metricLinesOf, metricsIn } from '../../support/metric-format.ts';
import { hearLines } from '../../support/standard-output.ts';

afterEach(() => {
  vi.restoreAllMocks();
  restoreEnvironment();
});

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

const variables = {
  REQUEST_METRICS: 'on',
  OPERATION_METRICS: 'off',
  AWS_LAMBDA_FUNCTION_NAME: 'returns-dev-getReturn',
  LOG_LEVEL: 'error',
};

/** Returns the metrics of a request, over HTTP or as a direct invocation. */
const measured = async (run: Backend['getReturn'], changes: Record<string, string> = {}, input: unknown = event) => {
  stubEnvironment({ ...variables, ...changes });
  const lines: string[] = [];
  hearLines((line) => lines.push(line));
  const context = { getRemainingTimeInMillis: () => 10_000 } as Context;
  await operation(getReturn, anything, run)(structuredClone(input), context).catch(() => undefined);
  return metricLinesOf(lines.join('')).map(metricsIn);
};

const found: Backend['getReturn'] = async () => ok({ status: 200, body: {} as never });
const missing: Backend['getReturn'] = async () => fail({ code: 'return_not_found', detail: 'No return has this id.' });
const broken: Backend['getReturn'] = async () => Promise.reject(new Error('broken'));

describe('metrics of a request', () => {
  it.each([
    ['an answer', found, 0, 0],
    ['a failure', missing, 1, 0],
    ['an unexpected error', broken, 0, 1],
  ] as const)('count %s by its class, at any log level', async (_, run, clientErrors, serverErrors) => {
    expect(await measured(run)).toMatchObject([
      {
        namespace: 'Returns',
        dimensions: [{ Deployment: 'returns-dev' }],
        metrics: { Requests: [1], ClientErrors: [clientErrors], ServerErrors: [serverErrors] },
      },
    ]);
  });

  it('count a direct invocation', async () => {
    const invocation = { input: { returnId: 'ret_00000000000000000000000000' } };
    expect(await measured(missing, {}, invocation)).toMatchObject([{ metrics: { Requests: [1], ClientErrors: [1] } }]);
  });

  it('are also stored by operation with OperationMetrics', async () => {
    const [line] = await measured(found, { OPERATION_METRICS: 'on' });
    expect(line?.dimensions).toEqual([
      { Deployment: 'returns-dev' },
      { Deployment: 'returns-dev', Operation: 'getReturn' },
    ]);
  });

  it('are not written where the function does not count them', async () => {
    expect(await measured(found, { REQUEST_METRICS: '' })).toEqual([]);
  });
});
