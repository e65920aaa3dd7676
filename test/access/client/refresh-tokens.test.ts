import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { callService, drainRefresh } from '../../../lib/access/client/container.ts';
import { refreshTokens } from '../../../lib/access/client/refresh-tokens.ts';
import { getReturn } from '../../../lib/contract/operations.ts';
import { type Fleet, period, startFleet } from '../oauth/fleet.ts';
import { clientSecret, minute, secretNamed, secretText } from '../oauth/harness.ts';
import { setEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';

const next = secretNamed('two');
const hour = 60 * minute;

/** Starts a container of the refresher whose stage has a shared token for reads and one for commands. */
const startContainer = (fleet: Fleet, variables: Readonly<Record<string, string>> = {}) => {
  setEnvironment({
    AWS_ENDPOINT_URL_SECRETS_MANAGER: fleet.server.origin,
    SERVICE_URL: 'https://service.invalid',
    AUTH_URL: fleet.idp.server.origin,
    CLIENT_SECRET_ID: 'client',
    SHARED_READ_TOKEN_ID: 'shared-read',
    SHARED_WRITE_TOKEN_ID: 'shared-write',
    SHARED_TOKEN_MINUTES: '5',
    SERVICE_SCOPES: undefined,
    ...variables,
  });
  onTestFinished(() => void vi.useRealTimers());
  const start = Date.now();
  return async (afterMs: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + afterMs });
    const { tokens } = await refreshTokens({}, { getRemainingTimeInMillis: () => 30_000 });
    return tokens.map(({ action }) => action);
  };
};

describe('refreshTokens', () => {
  it('sends at most ten requests in an hour while all versions are rejected', async () => {
    await using fleet = await startFleet();
    fleet.put('client', secretText(next));
    fleet.idp.accepted.clear();
    const run = startContainer(fleet);
    for (let passed = 0; passed < hour; passed += period) {
      await expect(run(passed)).rejects.toThrow('returns:read: invalid_client, returns:write: invalid_client');
    }
    expect(fleet.posts()).toBeLessThanOrEqual(10);
    expect(fleet.posts()).toBeGreaterThan(2);
  });

  it('uses a new version in the next run, after all others were rejected', async () => {
    await using fleet = await startFleet();
    fleet.idp.accepted.clear();
    const run = startContainer(fleet);
    await expect(run(0)).rejects.toThrow('invalid_client');
    fleet.put('client', secretText(next));
    fleet.idp.accepted.add(next);
    expect(await run(period)).toEqual(['renewed', 'renewed']);
  });

  it('does not repeat a rejected AWSCURRENT while the version before it works', async () => {
    await using fleet = await startFleet();
    fleet.put('client', secretText(next, { clientId: 'not registered yet' }));
    const run = startContainer(fleet);
    expect(await run(0)).toEqual(['renewed', 'renewed']);
    for (let passed = period; passed < 30 * minute; passed += period) {
      expect(await run(passed)).toEqual(['unchanged', 'unchanged']);
    }
    expect(await run(35 * minute)).toEqual(['renewed', 'renewed']);
    const sent = fleet.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('client_secret'));
    expect(sent).toEqual([next, clientSecret, clientSecret, clientSecret, clientSecret]);
  });

  it('adopts a new AWSCURRENT in the next run, and replaces the tokens of the former client', async () => {
    await using fleet = await startFleet();
    const run = startContainer(fleet);
    expect(await run(0)).toEqual(['renewed', 'renewed']);
    fleet.put('client', secretText(next, { clientId: 'another client' }));
    fleet.idp.accepted.add(next);
    expect(await run(period)).toEqual(['renewed', 'renewed']);
    expect(new URLSearchParams(fleet.idp.server.requests.at(-1)?.body).get('client_id')).toBe('another client');
  });

  it('requests the words of the issuer, and replaces the tokens when the words change', async () => {
    await using fleet = await startFleet();
    const words = () => fleet.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope'));
    expect(await startContainer(fleet)(0)).toEqual(['renewed', 'renewed']);
    const SERVICE_SCOPES = 'returns:read=RETAILER,returns:write=rma.read rma.write';
    expect(await startContainer(fleet, { SERVICE_SCOPES })(0)).toEqual(['renewed', 'renewed']);
    expect(await startContainer(fleet, { SERVICE_SCOPES })(0)).toEqual(['unchanged', 'unchanged']);
    expect(words()).toEqual(['returns:read', 'returns:write', 'RETAILER', 'rma.read rma.write']);
  });

  it('stores tokens that the containers of the same words use', async () => {
    await using fleet = await startFleet();
    await using api = await startServer(() => ({ status: 200, body: '{"id":"x"}' }));
    const variables = { SERVICE_URL: api.origin, SERVICE_SCOPES: 'returns:read=RETAILER' };
    await startContainer(fleet, variables)(0);
    const posts = fleet.posts();
    const options = { dryRun: false, traceId: '0'.repeat(31) + '1', deadline: Date.now() + 20_000 };
    const input = { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' };
    expect(await callService(getReturn, input, { ...options, scopes: ['returns:read'] })).toMatchObject({ ok: true });
    expect(fleet.posts()).toBe(posts);
    setEnvironment({ SERVICE_SCOPES: 'returns:read=OTHER' });
    expect(await callService(getReturn, input, { ...options, scopes: ['returns:read'] })).toMatchObject({ ok: true });
    expect(fleet.posts()).toBe(posts + 1);
    await drainRefresh(Date.now() + 10_000);
  });
});
