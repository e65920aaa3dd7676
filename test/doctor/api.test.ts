import { describe, expect, it } from 'vitest';
import type { Answer } from '../support/http-server.ts';
import { marker, row, startWorld, withStatus } from './harness.ts';

const read = '/v1/returns?limit=1';

describe('the doctor finds of the API', () => {
  it.each<[number, string, string]>([
    [401, 'it refuses a token that was just issued', 'audience and issuer'],
    [403, 'it takes the token, and refuses the scope or the certificate', 'returns:read'],
    [404, 'it is not at this path', 'SERVICE_URL'],
    [302, 'it sends elsewhere', 'SERVICE_URL'],
    [503, 'the service fails', 'logs'],
    [418, 'the contract says otherwise', 'Returns Service'],
  ])('that it answers a read with %d', async (status, meaning, remedy) => {
    await using world = await startWorld();
    world.api.instead.set(read, { status, body: marker, headers: { location: `https://${marker}` } });
    const report = await world.examine();
    expect(row(report, 'API').status).toBe('passed');
    expect(row(report, 'API read')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(new RegExp(`answered ${status} after \\d+ ms: ${meaning}$`)),
      remedy: expect.stringContaining(remedy),
    });
    expect(withStatus(report, 'failed')).toEqual(['API read']);
    // What is refused is not sent again.
    expect(world.api.requests.filter(({ path }) => path === read)).toHaveLength(1);
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it('that it is not at this path', async () => {
    await using world = await startWorld();
    world.api.instead.set('/v1/v1/health', { status: 404, body: '{}' });
    const report = await world.examine({ serviceUrl: `${world.api.origin}/v1` });
    expect(row(report, 'API')).toMatchObject({
      status: 'failed',
      remedy: 'SERVICE_URL is what stands before /v1, without /v1 itself.',
    });
  });

  it.each<[string, Answer | { serviceUrl: string }, string]>([
    ['DNS does not know it', { serviceUrl: 'https://returns.invalid' }, 'DNS does not know the API (ENOTFOUND)'],
    ['it takes no connection', { serviceUrl: 'http://127.0.0.1:1' }, 'TCP: the API takes no connection (ECONNREFUSED)'],
    ['it breaks the connection off', 'reset', 'the API breaks the connection off (ECONNRESET)'],
    ['it does not answer', 'hang', 'the API gave no answer in time'],
  ])('that %s', async (_, fault, detail) => {
    await using world = await startWorld();
    const elsewhere = typeof fault === 'object' && 'serviceUrl' in fault;
    if (!elsewhere) world.api.instead.set('/v1/health', fault);
    const report = await world.examine(elsewhere ? fault : {});
    expect(row(report, 'API')).toMatchObject({ status: 'failed', detail });
    expect(withStatus(report, 'failed')).toEqual(['API']);
    expect(row(report, 'API read').detail).toBe('the API is not reached');
  });

  it('how far its clock is', async () => {
    await using world = await startWorld();
    const date = new Date(Date.now() - 7_200_000).toUTCString();
    world.api.instead.set('/v1/health', { status: 200, headers: { date }, body: '{}' });
    const report = await world.examine();
    expect(row(report, 'clock of the API')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^7[12]\d\d s behind this one$/),
    });
  });

  it('no more than there is time for', async () => {
    await using world = await startWorld();
    world.idp.always = 'hang';
    const report = await world.examine({}, 500);
    expect(row(report, 'token endpoint').detail).toBe('the token endpoint gave no answer in time');
    expect(row(report, 'API')).toEqual({ check: 'API', status: 'skipped', detail: 'no time was left' });
    expect(world.api.requests).toEqual([]);
  });
});
