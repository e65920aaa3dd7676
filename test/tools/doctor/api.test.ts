import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/http-server.ts';
import { marker, row, startWorld, withStatus } from './harness.ts';
import { inSoak } from '../../support/samples.ts';

const read = '/v1/returns?limit=1';

describe('doctor check of the API', () => {
  it.each<[number, string, string]>([
    [401, 'it rejects a new token', 'audience and issuer'],
    [403, 'it accepts the token and rejects the scope or the certificate', 'returns:read'],
    [404, 'the path does not exist', 'SERVICE_URL'],
    [302, 'it redirects', 'SERVICE_URL'],
    [503, 'the service failed', 'logs'],
    [418, 'the contract has no such status', 'Returns Service'],
  ])('fails when the API answers a read with %d', async (status, meaning, remedy) => {
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
    // The doctor does not retry a rejected request.
    expect(world.api.requests.filter(({ path }) => path === read)).toHaveLength(1);
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it.each<[string, Answer, string]>([
    [
      'another page of returns',
      { status: 200, body: JSON.stringify({ data: [{ email: `${marker}@example.com` }] }) },
      '/items must be present',
    ],
    [
      'returns with other ids',
      { status: 200, body: JSON.stringify({ items: [{ returnId: marker }], nextCursor: null }) },
      '/items/0/returnId must be an id that begins with ret_',
    ],
    [
      'a page of a gateway',
      { status: 200, headers: { 'content-type': 'text/html' }, body: `<p>${marker}` },
      'answered without JSON',
    ],
  ])('fails with the first difference when a read answers with %s', async (_, answer, difference) => {
    await using world = await startWorld();
    world.api.instead.set(read, answer);
    const report = await world.examine();
    expect(row(report, 'API read')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(new RegExp(`answered 200 .*does not fit the contract: ${difference}$`)),
      remedy: expect.stringContaining('needs an adapter'),
    });
    expect(withStatus(report, 'failed')).toEqual(['API read']);
    expect(JSON.stringify(report)).not.toContain(marker);
  });

  it('fails when another service answers at the path of the health check', async () => {
    await using world = await startWorld();
    world.api.instead.set('/v1/health', { status: 200, body: '{"status":"UP"}' });
    expect(row(await world.examine(), 'API')).toMatchObject({
      status: 'failed',
      detail: expect.stringMatching(/does not fit the contract: \/status must be one of ok$/),
    });
  });

  it('fails with a remedy when the API has another path', async () => {
    await using world = await startWorld();
    world.api.instead.set('/rma/v1/health', { status: 404, body: '{}' });
    const report = await world.examine({ serviceUrl: `${world.api.origin}/rma` });
    expect(row(report, 'API')).toMatchObject({
      status: 'failed',
      remedy: expect.stringContaining(
        'Set SERVICE_URL and SERVICE_PATH: together they are the part of the URL before /returns.',
      ),
    });
  });

  it.each<[string, Answer | { serviceUrl: string }, string]>([
    ['DNS does not know it', { serviceUrl: 'https://returns.invalid' }, 'DNS does not know the API (ENOTFOUND)'],
    [
      'it accepts no connection',
      { serviceUrl: 'http://127.0.0.1:1' },
      'TCP: the API accepts no connection (ECONNREFUSED)',
    ],
    ['it closes the connection', 'reset', 'the API closes the connection (ECONNRESET)'],
    ...inSoak<[string, Answer | { serviceUrl: string }, string]>([
      'it does not answer',
      'hang',
      'the API did not answer in time',
    ]),
  ])('fails when %s', async (_, fault, detail) => {
    await using world = await startWorld();
    const elsewhere = typeof fault === 'object' && 'serviceUrl' in fault;
    if (!elsewhere) world.api.instead.set('/v1/health', fault);
    const report = await world.examine(elsewhere ? fault : {});
    expect(row(report, 'API')).toMatchObject({ status: 'failed', detail });
    expect(withStatus(report, 'failed')).toEqual(['API']);
    expect(row(report, 'API read').detail).toBe('the API is unreachable');
  });

  it('warns when the clock of the API differs', async () => {
    await using world = await startWorld();
    const date = new Date(Date.now() - 7_200_000).toUTCString();
    world.api.instead.set('/v1/health', { status: 200, headers: { date }, body: '{"status":"ok"}' });
    const report = await world.examine();
    expect(row(report, 'clock of the API')).toMatchObject({
      status: 'warning',
      detail: expect.stringMatching(/^7[12]\d\d s behind this clock$/),
    });
  });

  it('skips the API when the time has run out', async () => {
    await using world = await startWorld();
    world.idp.always = 'hang';
    const report = await world.examine({}, 500);
    expect(row(report, 'token endpoint').detail).toBe('the token endpoint did not answer in time');
    expect(row(report, 'API')).toEqual({ check: 'API', status: 'skipped', detail: 'the time ran out' });
    expect(world.api.requests).toEqual([]);
  });
});
