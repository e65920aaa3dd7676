import { describe, expect, it, onTestFinished } from 'vitest';
import { rotateClientSecret } from '../../../lib/access/client/rotate-client-secret.ts';
import { sha256 } from '../../../lib/runtime/hash.ts';
import { plant } from '../../support/emitted/record.ts';
import { setEnvironment } from '../../support/environment.ts';
import { type Answer, startServer } from '../../support/http-server.ts';
import { startTokenEndpoint } from '../../support/token-endpoint.ts';
import { runsEveryCase } from '../../support/samples.ts';
import { hearLines } from '../../support/standard-output.ts';
import { allSteps, startRotation } from './rotation-world.ts';

const [first, second, third] = ['the-first-client-secret', 'the-second-client-secret', 'the-third-client-secret'];
const byHand = 'another-client-secret';
const hookArn = 'arn:aws:lambda:eu-central-1:000000000000:function:rotation-hook';
const name = 'returns/client';

type HookCall = Readonly<Record<string, unknown>>;

/** Starts an issuer with its hook. The hook creates the second secret, then the third. */
const start = async (content: object = { clientId: 'integration', clientSecret: first }) => {
  plant([first, second, third, byHand]);
  const issuer = await startTokenEndpoint([first]);
  const create = (): Answer => {
    const clientSecret = hook.next.shift() ?? '';
    issuer.accepted.add(clientSecret);
    return { status: 200, body: JSON.stringify({ clientSecret, expiresAt: '2027-05-24T00:00:00Z' }) };
  };
  const hook = {
    calls: [] as HookCall[],
    instead: undefined as Answer | undefined,
    next: [second, third],
    respond: ({ action }: HookCall): Answer => (action === 'remove' ? { status: 200, body: '{}' } : create()),
  };
  const server = await startServer(({ body, path, headers }) => {
    expect(decodeURIComponent(path)).toBe(`/2015-03-31/functions/${hookArn}/invocations`);
    expect(String(headers['authorization'])).toMatch(/^AWS4-HMAC-SHA256 .*\/eu-central-1\/lambda\/aws4_request/);
    const call = JSON.parse(body) as HookCall;
    hook.calls.push(call);
    return hook.instead ?? hook.respond(call);
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
      clientSecretVersion: token,
      clientSecretSha256: sha256(second, 'hex'),
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

  it('tests the new secret as the settings of the access say, and leaves secret headers as they are', async () => {
    const headers = { 'X-Gateway-Key': 'stays' };
    const { begin, current, issuer } = await start({ clientId: 'integration', clientSecret: first, headers });
    setEnvironment({
      CLIENT_AUTHENTICATION: 'json',
      TOKEN_FIELDS: 'access_token=idToken',
      SERVICE_SCOPES: 'returns:read=RETAILER',
    });
    onTestFinished(() =>
      setEnvironment({ CLIENT_AUTHENTICATION: undefined, TOKEN_FIELDS: undefined, SERVICE_SCOPES: undefined }),
    );
    issuer.always = async ({ body }) => {
      expect(JSON.parse(body)).toMatchObject({ client_secret: second, scope: 'RETAILER' });
      return { status: 200, body: '{"idToken":"token-of-the-test"}' };
    };
    const { step } = await begin(name);
    for (const one of allSteps) await step(one);
    expect(await current()).toMatchObject({ clientSecret: second, headers });
  });

  it('removes the former secret at the issuer before it creates the next one', async () => {
    const { begin, current, hook, read } = await start();
    const before = (await read(name)).VersionId;
    const tokens: string[] = [];
    for (const expected of [second, third]) {
      const { token, step } = await begin(name);
      tokens.push(token);
      for (const one of allSteps) await step(one);
      expect((await current())['clientSecret']).toBe(expected);
    }
    expect(hook.calls.map(({ action, version, keep }) => [action, version, keep])).toEqual([
      ['create', undefined, undefined],
      ['remove', before, [tokens[0]]],
      ['create', undefined, undefined],
    ]);
  });

  it('never removes the secret in use after a new certificate was stored', async () => {
    const { begin, current, giveUp, hook, put } = await start();
    const { token, step } = await begin(name);
    for (const one of allSteps) await step(one);
    await put(name, JSON.stringify({ ...(await current()), note: 'a new certificate' }));
    await giveUp(name, token);
    const next = await begin(name);
    for (const one of allSteps) await next.step(one);
    expect(await current()).toMatchObject({ clientSecret: third, note: 'a new certificate' });
    expect(hook.calls.slice(1)).toEqual([
      { action: 'remove', clientId: 'integration', keep: [token] },
      { action: 'create', clientId: 'integration', currentVersion: expect.any(String), newVersion: next.token },
    ]);
  });

  it('removes nothing but the former secret after a secret was stored by hand', async () => {
    const { begin, current, giveUp, hook, issuer, put } = await start();
    const { token, step } = await begin(name);
    for (const one of allSteps) await step(one);
    issuer.accepted.add(byHand);
    await put(name, JSON.stringify({ ...(await current()), clientSecret: byHand }));
    await giveUp(name, token);
    const next = await begin(name);
    for (const one of allSteps) await next.step(one);
    expect((await current())['clientSecret']).toBe(third);
    expect(hook.calls[1]).toEqual({ action: 'remove', clientId: 'integration', version: token });
  });

  it('leaves two secrets at the issuer after a given-up rotation and a first secret made by hand', async () => {
    const { begin, current, giveUp, hook, issuer } = await start();
    // Secrets by the version that created them, as the hook of an issuer stores them.
    const stored = new Map([['by hand', first]]);
    hook.respond = ({ action, keep = [], newVersion }) => {
      if (action === 'remove') {
        for (const version of stored.keys()) if (!(keep as readonly string[]).includes(version)) stored.delete(version);
        return { status: 200, body: '{}' };
      }
      const clientSecret = hook.next.shift() ?? '';
      stored.set(String(newVersion), clientSecret);
      issuer.accepted.add(clientSecret);
      return { status: stored.size <= 2 ? 200 : 409, body: JSON.stringify({ clientSecret }) };
    };
    const rotation = await begin(name);
    for (const one of allSteps) await rotation.step(one);
    hook.next = [byHand, third];
    const failed = await begin(name);
    await failed.step('createSecret');
    issuer.accepted.delete(byHand);
    await expect(failed.step('testSecret')).rejects.toThrow('ClientRejected');
    await giveUp(name, failed.token);
    const again = await begin(name);
    for (const one of allSteps) await again.step(one);
    expect((await current())['clientSecret']).toBe(third);
    expect([...stored.values()]).toEqual([second, third]);
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

  it.each(['createSecret', 'testSecret', 'finishSecret'] as const)(
    'retains a certificate that is stored before %s, and begins again from it',
    async (failing) => {
      const { begin, current, labels, put } = await start({
        clientId: 'integration',
        clientSecret: first,
        note: 'the former certificate',
      });
      const { step } = await begin(name);
      for (const one of allSteps.slice(0, Math.max(allSteps.indexOf(failing), 1))) await step(one);
      const changed = { note: 'a new certificate', clientSecret: first, clientId: 'integration' };
      await put(name, JSON.stringify(changed));
      await expect(step(failing)).rejects.toThrow('the secret was not rotated: secret_changed');
      expect(await current()).toEqual(changed);
      expect(Object.values(await labels(name)).flat()).not.toContain('AWSPENDING');
      await expect(step(failing)).rejects.toThrow('version_not_pending');
      const again = await begin(name);
      for (const one of allSteps) await again.step(one);
      expect(await current()).toMatchObject({ note: 'a new certificate', clientSecret: third });
    },
  );

  it('ignores fields of the secret itself, and the order of the others', async () => {
    const { begin, current, put } = await start({ clientId: 'integration', clientSecret: first, note: 'stays' });
    const { step } = await begin(name);
    await step('createSecret');
    await put(
      name,
      JSON.stringify({ note: 'stays', client_secret: first, clientId: 'integration', expiresAt: '2027' }),
    );
    for (const one of allSteps) await step(one);
    expect(await current()).toMatchObject({ note: 'stays', clientSecret: second });
  });

  it.each<readonly [failing: 'createSecret' | 'finishSecret', operation: string, Answer, reason: string]>([
    ['createSecret', 'DescribeSecret', { status: 500, body: '{}' }, 'status_500'],
    ['createSecret', 'PutSecretValue', { status: 503, body: '{}' }, ''],
    ['finishSecret', 'UpdateSecretVersionStage', { status: 500, body: '{}' }, 'status_500'],
    ...(runsEveryCase() ? ([['finishSecret', 'UpdateSecretVersionStage', 'hang', 'timeout']] as const) : []),
  ])('fails at %s after one attempt of %s, and continues later', async (failing, operation, answer, reason) => {
    const { begin, current, faults, sent } = await start();
    const { step } = await begin(name);
    for (const one of allSteps.slice(0, allSteps.indexOf(failing))) await step(one);
    const before = sent(operation);
    faults.set(operation, answer);
    await expect(step(failing)).rejects.toThrow(`the secret was not rotated: ${reason}`);
    expect(sent(operation) - before).toBe(1);
    expect((await current())['clientSecret']).toBe(first);
    faults.clear();
    for (const one of allSteps) await step(one);
    expect((await current())['clientSecret']).not.toBe(first);
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
