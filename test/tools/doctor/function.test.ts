import { InvokeCommand } from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../lib/tools/doctor/check.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { api } from '../../support/api.ts';
import { startServer } from '../../support/http-server.ts';
import { timerScaleVariable } from '../../support/lambda-runtime/clock.ts';
import type { Invoked } from '../../support/lambda-runtime/container.ts';
import { deploymentOf, startPackaged } from '../../support/lambda-runtime/packaged.ts';
import { functionName, lambdaClient } from '../../support/lambda.ts';
import { inSoak } from '../../support/samples.ts';
import { stack } from '../../support/stack.ts';
import { timeScale } from '../../support/slow-limits.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { createEndpoint } from '../../support/webhook-endpoints.ts';
import { row, withStatus } from './harness.ts';

const start = async (changes: Readonly<Record<string, string | undefined>> = {}) => {
  const spec = functionSpecs(await deploymentOf('connected', stack())).find(({ key }) => key === 'doctor');
  if (spec === undefined) throw new Error('there is no function doctor');
  return startPackaged('connected', spec, stack(), changes);
};

const reportOf = ({ outcome }: Invoked): Report => {
  if (outcome.kind === 'error') throw new Error(JSON.stringify(outcome.error));
  return outcome.payload as Report;
};

const secretOfClient = () =>
  stack().clients.find(({ clientId }) => clientId === 'returns-integration')?.clientSecret ?? '';

describe('doctor function', () => {
  it.each(modes)('passes on the local stack with the permissions of its role (%s)', async (mode) => {
    // The doctor reads an enabled endpoint completely.
    await using _endpoint = await createEndpoint(api('standalone'));
    const invoke = new InvokeCommand({ FunctionName: functionName('doctor'), Payload: '{}' });
    const examine = async (): Promise<Report> => {
      const { FunctionError, Payload } = await lambdaClient(mode).send(invoke);
      expect(FunctionError).toBeUndefined();
      return JSON.parse(Payload?.transformToString() ?? '') as Report;
    };
    let report = await examine();
    // The limits are those of a deployment: on a busy machine a check may take longer. A missing permission stays
    // missing.
    // Other tests park deliveries and make endpoints fail at the same time: those are warnings.
    await expect
      .poll(async () => {
        if (withStatus(report, 'failed').length > 0) report = await examine();
        return withStatus(report, 'failed');
      })
      .toEqual([]);
    for (const name of ['table', 'table indexes', 'queue inbox', 'inbox bucket', 'platform shopify API'])
      expect(row(report, name)).toMatchObject({ status: 'passed' });
    expect(row(report, mode === 'connected' ? 'API read' : 'webhook streams').status).not.toBe('skipped');
  });

  it('leaves no pending work in Lambda’s runtime, cold and warm, and reports no secret', async () => {
    await using container = await start({ [timerScaleVariable]: String(timeScale) });
    expect(await container.ready).toEqual({ left: [], requests: 0 });
    for (let count = 0; count < 2; count += 1) {
      const invoked = await container.invoke({});
      const report = reportOf(invoked);
      expect(withStatus(report, 'failed')).toEqual([]);
      expect(invoked.left).toEqual([]);
      const secret = secretOfClient();
      expect(secret).not.toBe('');
      expect(JSON.stringify(report)).not.toContain(secret);
      expect(await container.log()).not.toContain(secret);
    }
  });

  it('reports a configuration with which other functions fail to load', async () => {
    await using container = await start({
      [timerScaleVariable]: String(timeScale),
      SERVICE_URL: undefined,
      AUTH_URL: 'http://id.example',
    });
    const report = reportOf(await container.invoke({}));
    expect(withStatus(report, 'failed')).toEqual(expect.arrayContaining(['SERVICE_URL', 'AUTH_URL']));
    expect(row(report, 'table').status).toBe('passed');
  });

  it.each(inSoak('answers within its time'))('%s', async () => {
    await using silent = await startServer(() => 'hang');
    await using container = await start({ AUTH_URL: silent.origin });
    const invoked = await container.invoke({}, 2_000);
    const report = reportOf(invoked);
    // The number of checks in that time depends on the machine.
    expect([report.status, row(report, 'API').status]).toEqual(['failed', 'skipped']);
    expect(invoked.left).toEqual([]);
  });
});
