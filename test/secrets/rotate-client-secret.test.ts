import { describe, expect, it, onTestFinished } from 'vitest';
import { rotateClientSecret } from '../../lib/client/rotate-client-secret.ts';
import { plant } from '../support/emitted/record.ts';
import { setEnvironment } from '../support/environment.ts';
import { type Answer, startServer } from '../support/http-server.ts';
import { startTokenEndpoint } from '../support/token-endpoint.ts';
import { hearLines } from '../support/standard-output.ts';
import { allSteps, startRotation } from './rotation-world.ts';

const [first, second, third] = ['the-first-client-secret', 'the-second-client-secret', 'the-third-client-secret'];
const hookArn = 'arn:aws:lambda:eu-central-1:000000000000:function:rotation-hook';
const name = 'returns/client';

type HookCall = Readonly<Record<string, string>>;

/** Starts an issuer with its hook. The hook creates the second secret, then the third. */
const start = async (content: object = { clientId: 'integration', clientSecret: first }) => {
  plant([first, second, third]);
  const issuer = await startTokenEndpoint([first]);
  const hook = { calls: [] as HookCall[], instead: undefined as Answer | undefined, next: [second, third] };
  const server = await startServer(({ body, path, headers }) => {
    expect(decodeURIComponent(path)).toBe(`/2015-03-31/functions/${hookArn}/invocations`);
    expect(String(headers['authorization'])).toMatch(/^AWS4-HMAC-SHA256 .*\/eu-central-1\/lambda\/aws4_request/);
    const call = JSON.parse(body) as HookCall;
    hook.calls.push(call);
    if (hook.instead !== undefined) return hook.instead;
    if (call['action'] === 'remove') return { status: 200, body: '{}' };
    const clientSecret = hook.next.shift() ?? '';
    issuer.accepted.add(clientSecret);
    return { status: 200, body: JSON.stringify({ clientSecret, expiresAt: '2027-05-24T00:00:00Z' }) };
  });
  onTestFinished(async () => {
    await server[Symbol.asyncDispose]();
    await issuer[Symbol.asyncDispose]();
  });
  const world = await startRotation(
    'connected',
    'rotateClientSecret',
    { [name]: JSON.stringify(content) },
    rotateClientSecret,
  );
  setEnvironment({
    ...world.environment,
    AWS_ENDPOINT_URL_LAMBDA: server.origin,
    SERVICE_URL: 'https://service.invalid',
    AUTH_URL: issuer.server.origin,
    CLIENT_SECRET_ID: name,
    ROTATION_HOOK_ARN: hookArn,
  });
  const current = async () => JSON.parse((await world.read(name)).SecretString ?? '') as Record<string, string>;
  return { ...world, issuer, hook, current };
};

describe('rotateClientSecret', () => {
  it('creates, tests and promotes a secret, and each step twice has the same effect', async () => {
    const { begin, current, hook, labels, read } = await start({
      client_id: 'integration',
      client_secret: first,
      note: 'stays',
    });
    const before = (await read(name)).VersionId;
    const { token, step } = await begin(name);
    for (const one of allSteps) {
      await step(one);
      await step(one);
      const { client_secret: used } = await current();
      expect(used).toBe(one === 'finishSecret' ? second : first);
    }
    expect(await current()).toEqual({
      client_id: 'integration',
      client_secret: second,
      note: 'stays',
      expiresAt: '2027-05-24T00:00:00.000Z',
    });
    expect(hook.calls).toEqual([
      { action: 'create', clientId: 'integration', currentVersion: before, newVersion: token },
    ]);
    expect(await labels(name)).toEqual({
      [String(before)]: ['AWSPREVIOUS'],
      [token]: expect.arrayContaining(['AWSCURRENT', 'AWSPENDING']),
    });
  });

  it('removes the former secret at the issuer before it creates the next one', async () => {
    const { begin, current, hook, read } = await start();
    const before = (await read(name)).VersionId;
    for (const expected of [second, third]) {
      const { step } = await begin(name);
      for (const one of allSteps) await step(one);
      expect((await current())['clientSecret']).toBe(expected);
    }
    expect(hook.calls.map(({ action, version }) => [action, version])).toEqual([
      ['create', undefined],
      ['remove', before],
      ['create', undefined],
    ]);
  });

  it('continues after a failure between two steps without another secret', async () => {
    const { begin, current, hook, issuer } = await start();
    const { step } = await begin(name);
    await step('createSecret');
    issuer.always = { status: 503 };
    await expect(step('testSecret')).rejects.toThrow('the secret was not rotated: IdpUnavailable:status_503');
    issuer.always = undefined;
    for (const one of allSteps) await step(one);
    expect((await current())['clientSecret']).toBe(second);
    expect(hook.calls).toHaveLength(1);
  });

  it.each<[string, Answer, string]>([
    ['has an error', { status: 200, headers: { 'x-amz-function-error': 'Unhandled' }, body: '{}' }, 'hook_failed'],
    ['is throttled', { status: 429, body: '{}' }, 'hook_status_429'],
    ['returns no secret', { status: 200, body: '{"clientSecret":7}' }, 'hook_response_malformed'],
    ['returns no JSON', { status: 200, body: 'secret' }, 'hook_response_malformed'],
    ['breaks off', 'reset', 'hook_reset'],
  ])('leaves the current secret when the hook %s', async (_, answer, reason) => {
    const { begin, current, hook, labels } = await start();
    hook.instead = answer;
    const { token, step } = await begin(name);
    await expect(step('createSecret')).rejects.toThrow(`the secret was not rotated: ${reason}`);
    await expect(step('testSecret')).rejects.toThrow('no_pending_version');
    await expect(step('finishSecret')).rejects.toThrow('no_pending_version');
    expect((await current())['clientSecret']).toBe(first);
    expect((await labels(name))[token]).toEqual(['AWSPENDING']);
  });

  it('ends by its deadline when the hook hangs', async () => {
    const { begin, current, hook } = await start();
    hook.instead = 'hang';
    const { step } = await begin(name);
    await expect(step('createSecret', 1_500)).rejects.toThrow('the secret was not rotated: TimeoutError');
    expect((await current())['clientSecret']).toBe(first);
  });

  it('leaves the current secret when the token endpoint rejects the new one', async () => {
    const { begin, current, issuer } = await start();
    const { step } = await begin(name);
    await step('createSecret');
    issuer.accepted.delete(second);
    await expect(step('testSecret')).rejects.toThrow('the secret was not rotated: ClientRejected:invalid_client');
    await expect(step('finishSecret')).rejects.toThrow('ClientRejected');
    expect((await current())['clientSecret']).toBe(first);
  });

  it('rejects unknown steps and versions, and ignores a completed rotation', async () => {
    const { arnOf, begin, hook } = await start();
    const { step } = await begin(name);
    await expect(step('dropSecret')).rejects.toThrow('unknown_step');
    const foreign = { SecretId: arnOf(name), ClientRequestToken: 'of-no-version', Step: 'createSecret' };
    const context = { getRemainingTimeInMillis: () => 30_000 };
    await expect(rotateClientSecret(foreign, context)).rejects.toThrow('version_not_pending');
    for (const one of allSteps) await step(one);
    for (const one of allSteps) await step(one);
    expect(hook.calls).toHaveLength(1);
  });

  it('logs the steps without a secret', async () => {
    const lines: string[] = [];
    hearLines((line) => lines.push(line));
    const { begin } = await start();
    const { step } = await begin(name);
    for (const one of allSteps) await step(one);
    expect(lines.join('\n')).toContain('secret rotation step completed');
    expect(lines.join('\n')).not.toContain(second);
  });
});
