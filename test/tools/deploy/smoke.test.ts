import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { smokeRoutes as routesOf } from '../../../lib/tools/deploy/report-smoke.ts';
import { offers } from '../../../lib/tools/template/offer.ts';
import { listen } from '../../../lib/tools/local/ports.ts';
import { temporaryDirectory } from '../local/support.ts';
import { testAuthority } from '../../support/certificate.ts';
import { type Respond, startServer } from '../../support/http-server.ts';
import { oneMode, sample, inSoak } from '../../support/samples.ts';
import { compileCache } from '../../support/bundles.ts';
import { stack } from '../../support/stack.ts';

/** Runs `npm run smoke` without npm, with more variables. */
const smokeWith = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
  const child = spawn(process.execPath, ['lib/tools/deploy/smoke-command.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache(), ...env },
  });
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => void child.once('close', resolve)),
  ]);
  return { code, output, errors };
};

const smoke = async (...args: readonly string[]) => smokeWith({}, ...args);

const smokeRoutes = routesOf(offers.connected);
const secured = smokeRoutes.filter(({ status }) => status === 401);

/** Answers like a deployment, except for some routes. */
const deployed =
  (changes: Readonly<Record<string, number>>): Respond =>
  ({ method, path }) => {
    const route = smokeRoutes.find((one) => one.method === method && one.path === path);
    return { status: changes[route?.name ?? ''] ?? route?.status ?? 404, body: '{}' };
  };

describe('npm run smoke', () => {
  it.each(oneMode('connected'))('passes against the local %s mode', async (mode) => {
    const { url } = stack()[mode];
    expect(await smoke('--api', url)).toEqual({
      code: 0,
      output: `${url}: ${secured.length} secured routes answer 401; asyncapi, health, openapi answer 200.\n`,
      errors: '',
    });
  });

  it('fails on every route when all routes are missing', async () => {
    await using server = await startServer(() => ({ status: 404, body: '{"message":"Not Found"}' }));
    const { code, errors } = await smoke('--api', server.origin);
    expect(code).toBe(1);
    expect(errors).toContain('getReturn: GET /v1/returns/smoke answers 404, expected 401.\n');
    expect(errors).toContain('health: GET /v1/health answers 404, expected 200.\n');
    expect(errors).toContain(`${smokeRoutes.length} of ${smokeRoutes.length} routes are wrong.`);
    expect(server.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  });

  it.each(
    sample(
      [
        ['is missing', { approve: 404 }, 'approve: POST /v1/returns/smoke/approve answers 404, expected 401.'],
        ['requires no token', { getReturn: 200 }, 'getReturn: GET /v1/returns/smoke answers 200, expected 401.'],
        ['answers 503', { health: 503 }, 'health: GET /v1/health answers 503, expected 200.'],
      ] as const,
      3,
    ),
  )('fails when one route %s', async (_, changes, error) => {
    await using server = await startServer(deployed(changes));
    const { code, errors } = await smoke('--api', server.origin);
    expect(code).toBe(1);
    expect(errors).toBe(`${error}\n${server.origin}: 1 of ${smokeRoutes.length} routes are wrong.\n`);
  });

  it('fails in front of a service that does not speak the contract, with the first difference', async () => {
    const detail = 'The Returns Service gave an answer that does not fit the contract: /status must be one of ok.';
    await using server = await startServer((request) =>
      request.path === '/v1/health'
        ? { status: 502, body: JSON.stringify({ code: 'dependency_refused', detail }) }
        : deployed({})(request),
    );
    const { code, errors } = await smoke('--api', server.origin);
    expect(code).toBe(1);
    expect(errors).toContain(`health: GET /v1/health answers 502, expected 200. ${detail}\n`);
  });

  it.each(inSoak('retries a wrong route until the time ends'))('%s', async () => {
    let rejected = 0;
    await using server = await startServer((request) => {
      const isEarly = request.path === '/v1/health' && (rejected += 1) === 1;
      return isEarly ? { status: 404 } : deployed({})(request);
    });
    expect(await smoke('--api', server.origin, '--wait', '60')).toMatchObject({ code: 0, errors: '' });
    expect(rejected).toBe(2);
  });

  it.each(inSoak('names the routes that it cannot reach'))('%s', async () => {
    const server = await startServer(() => ({ status: 200 }));
    await server.fall();
    expect(await smoke('--api', server.origin)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('health: GET /v1/health is unreachable: connect ECONNREFUSED'),
    });
  });

  it.each(inSoak('passes an API that asks for a client certificate with one, and not without'))('%s', async () => {
    const authority = testAuthority('smoke');
    const [own, client] = [authority.issue('api'), authority.issue('client')];
    const server = createServer(
      { cert: own.certificate, key: own.privateKey, ca: authority.certificate, requestCert: true },
      ({ method, url }, response) => {
        const route = smokeRoutes.find((one) => one.method === method && one.path === url);
        response.writeHead(route?.status ?? 404).end();
      },
    );
    const origin = (await listen(server, 0)).replace('http:', 'https:');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const folder = await temporaryDirectory();
    const files = { ca: authority.certificate, cert: client.certificate, key: client.privateKey };
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const env = { NODE_EXTRA_CA_CERTS: join(folder, 'ca') };
    const pair = ['--cert', join(folder, 'cert'), '--key', join(folder, 'key')];
    expect(await smokeWith(env, '--api', origin, ...pair)).toMatchObject({ code: 0, errors: '' });
    const rejected = await smokeWith(env, '--api', origin);
    expect(rejected).toMatchObject({ code: 1, errors: expect.stringContaining('getReturn: GET /v1/returns/smoke is') });
    expect(await smoke('--api', origin, '--cert', join(folder, 'cert'))).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--cert and --key belong together.'),
    });
  });

  it.each(
    sample<readonly [readonly string[], string]>(
      [
        [[], '--stage or --api is missing.'],
        [['--stage', 'nowhere'], 'lib/tools/deploy/stages/nowhere.json does not exist.'],
        [['--api', 'x'], '--api x is not a URL.'],
        [['--api', 'https://a.invalid', '--wait', 'long'], '--wait must be whole seconds.'],
      ],
      4,
    ),
  )('ends with 2 for %j', async (args, message) => {
    expect(await smoke(...args)).toMatchObject({ code: 2, errors: expect.stringContaining(message) });
  });
});
