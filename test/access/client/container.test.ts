import { afterEach, describe, expect, it, vi } from 'vitest';
import { getReturn } from '../../../lib/contract/operations.ts';
import { startHarness } from '../oauth/harness.ts';
import { startServer } from '../../support/http-server.ts';
import { metricLinesOf, metricsIn } from '../../support/metric-format.ts';
import { hearLines } from '../../support/standard-output.ts';
import { callService, drainRefresh } from '../../../lib/access/client/container.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';

const valid = { SERVICE_URL: 'https://service.example', AUTH_URL: 'https://identity.example', CLIENT_SECRET_ID: 'id' };

afterEach(() => {
  restoreEnvironment();
  vi.restoreAllMocks();
});

describe('callService', () => {
  it.each(['SERVICE_URL', 'AUTH_URL', 'CLIENT_SECRET_ID'])(
    'fails the cold start without %s, and names it',
    async (name) => {
      // The bundle of a function holds only these modules.
      vi.resetModules();
      stubEnvironment({ ...valid, [name]: undefined });
      await import('../../../lib/access/client/container.ts');
      const { readConfiguration } = await import('../../../lib/runtime/container.ts');
      expect(readConfiguration).toThrow(`environment variable ${name} is required`);
    },
  );

  it('reaches the service by the environment of the function, with real clocks', async () => {
    await using harness = await startHarness();
    await using api = await startServer(() => ({ status: 200, body: '{"id":"x"}' }));
    stubEnvironment({
      SERVICE_URL: `${api.origin}/`,
      AUTH_URL: harness.idp.server.origin,
      CLIENT_SECRET_ID: 'id',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: harness.secrets.server.origin,
    });
    const written: string[] = [];
    hearLines((line) => written.push(line));
    // Nothing runs yet, so this does not wait.
    await drainRefresh(Date.now() + 1_000);
    const options = {
      dryRun: false,
      traceId: '0'.repeat(31) + '1',
      deadline: Date.now() + 20_000,
      scopes: ['returns:read'],
    } as const;
    for (let count = 0; count < 3; count += 1) {
      const answer = await callService(getReturn, { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' }, options);
      expect(answer).toMatchObject({ ok: true, value: { status: 200, text: '{"id":"x"}' } });
      await drainRefresh(Date.now() + 10_000);
    }
    expect([harness.secrets.reads(), harness.posts(), api.requests.length]).toEqual([1, 1, 3]);
    // From the first call. The events of the other calls are collected.
    expect(metricLinesOf(written.join('')).map((line) => Object.keys(metricsIn(line).metrics))).toEqual([
      ['TokenFetched', 'TokenWait'],
    ]);
    expect(api.requests[0]).toMatchObject({ path: '/v1/returns/ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' });
    expect(api.requests[0]?.headers.authorization).toBe('Bearer token-1');
    // The remaining time is reserved for the function's own response.
    const late = { ...options, deadline: Date.now() + 499 };
    expect(await callService(getReturn, { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' }, late)).toMatchObject({
      ok: false,
      failure: { code: 'timeout' },
    });
    expect(api.requests).toHaveLength(3);
  });
});
