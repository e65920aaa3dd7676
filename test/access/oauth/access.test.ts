import { describe, expect, it } from 'vitest';
import { clientSecret, failureOf, marker, minute, read, second, secretText, startHarness } from './harness.ts';

describe('token request', () => {
  it('has exactly the form of the specification', async () => {
    await using harness = await startHarness();
    await harness.text(30 * second, ['returns:write', 'returns:read']);
    expect(harness.idp.server.requests).toHaveLength(1);
    const { method, path, headers, body } = harness.idp.server.requests[0] ?? {};
    expect([method, path]).toEqual(['POST', '/connect/token']);
    expect(headers?.['content-type']).toBe('application/x-www-form-urlencoded');
    expect(headers).not.toHaveProperty('authorization');
    expect(headers?.['accept-encoding']).toBe('identity');
    const escaped = `one%2B%26%3D%25+${marker}`;
    expect(body).toBe(
      `grant_type=client_credentials&client_id=returns-client&client_secret=${escaped}&scope=returns%3Aread+returns%3Awrite`,
    );
  });

  it('goes to the authUrl of the secret when the secret names one', async () => {
    await using other = await startHarness();
    await using harness = await startHarness({
      text: secretText(clientSecret, { auth_url: `${other.idp.server.origin}/` }),
    });
    expect(await harness.text()).toBe('token-1');
    expect([harness.posts(), other.posts()]).toEqual([0, 1]);
  });
});

describe('fresh token', () => {
  it('costs one request when fifty callers of a cold container ask for it', async () => {
    await using harness = await startHarness();
    const tokens = await Promise.all(Array.from({ length: 50 }, () => harness.text()));
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
    expect([harness.posts(), harness.secrets.reads()]).toEqual([1, 1]);
  });

  it('is returned synchronously, without a promise', async () => {
    await using harness = await startHarness();
    const grant = await harness.token();
    expect(harness.access.token(read, harness.clock.now() + second)).toBe(grant);
  });

  it('is cached once per set of scopes, in any order of the scopes', async () => {
    await using harness = await startHarness();
    const [a, b] = ['returns:read', 'returns:write'];
    const tokens = [
      await harness.text(second, [a, b]),
      await harness.text(second, [b, a]),
      await harness.text(second, [a]),
    ];
    expect(tokens).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('is returned only to the waiting callers when its lifetime is invalid', async () => {
    await using harness = await startHarness();
    harness.idp.fields['expires_in'] = 0;
    expect(await Promise.all([harness.text(), harness.text()])).toEqual(['token-1', 'token-1']);
    expect(await harness.text()).toBe('token-2');
  });
});

// R = 3600 s x (0.75 + 0.10 x 0.5) = 2880 s, H = 3540 s.
describe('ageing token', () => {
  it('stays fresh until R', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock.advance(2_880 * second - 1);
    await harness.text();
    await harness.access.drain(10 * second);
    expect(harness.posts()).toBe(1);
  });

  it('draws its own R when it is issued', async () => {
    let u = 0;
    await using harness = await startHarness({ random: () => u });
    /** Returns the age in seconds at which a call renews the token. It tries each second. */
    const ageOfRenewal = async () => {
      const before = harness.posts();
      for (let age = 1; ; age += 1) {
        harness.clock.advance(second);
        await harness.text();
        await harness.access.drain(10 * second);
        if (harness.posts() > before) return age;
      }
    };
    await harness.text();
    u = 0.999;
    expect(await ageOfRenewal()).toBe(2_700);
    u = 0;
    // 3600 s x (0.75 + 0.10 x 0.999) = 3059.64 s.
    expect(await ageOfRenewal()).toBe(3_060);
  });

  it('is used after R while one refresh runs in the background', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock.advance(2_880 * second);
    expect(harness.access.isBusy()).toBe(false);
    expect(await Promise.all(Array.from({ length: 20 }, () => harness.text()))).toEqual(Array(20).fill('token-1'));
    expect(harness.access.isBusy()).toBe(true);
    await harness.access.drain(10 * second);
    expect(harness.access.isBusy()).toBe(false);
    expect(harness.posts()).toBe(2);
    expect(await harness.text()).toBe('token-2');
  });

  it('is not used after H, and fifty callers renew it once', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock.advance(3_540 * second);
    const tokens = await Promise.all(Array.from({ length: 50 }, () => harness.text()));
    expect(new Set(tokens)).toEqual(new Set(['token-2']));
    expect(harness.posts()).toBe(2);
  });

  it.each(['freeze', 'setBack'] as const)('ages by the clock that measured more time (%s)', async (passing) => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock[passing](3_540 * second);
    expect(await harness.text()).toBe('token-2');
  });

  it('counts its age from the request, not from the response', async () => {
    await using harness = await startHarness();
    const slow = `slow-${marker}`;
    harness.idp.always = async () => {
      harness.clock.freeze(3_540 * second);
      return { status: 200, body: JSON.stringify({ access_token: slow, token_type: 'Bearer', expires_in: 3600 }) };
    };
    expect(await harness.text()).toBe(slow);
    harness.idp.always = undefined;
    expect(await harness.text()).toBe('token-1');
  });

  it('is used until H while its renewal fails', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.idp.always = { status: 503 };
    harness.clock.advance(2_880 * second);
    for (let passed = 2_880; passed < 3_540; passed += 60) {
      expect(await harness.text()).toBe('token-1');
      await harness.access.drain(10 * second);
      harness.clock.advance(60 * second);
    }
    // The first flight makes two attempts. Each later flight makes one.
    expect(harness.posts()).toBe(1 + 2 + 10);
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'IdpUnavailable', reason: 'status_503' });
  });
});

describe('settle', () => {
  it('waits for a quarter of the remaining time, and leaves the refresh open', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock.advance(2_880 * second);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    harness.idp.always = () => promise;
    await harness.text();
    await harness.idp.server.received(2);
    const draining = harness.access.drain(2 * second);
    await harness.clock.scheduled(500);
    harness.clock.advance(500);
    await draining;
    expect(harness.access.isBusy()).toBe(true);
    expect(await harness.text()).toBe('token-1');
    resolve(undefined);
    await harness.access.drain(2 * second);
    expect(await harness.text()).toBe('token-2');
    expect(harness.posts()).toBe(2);
  });

  it('delays a call by at most one second', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock.advance(2_880 * second);
    harness.idp.always = 'hang';
    await harness.text();
    await harness.idp.server.received(2);
    const draining = harness.access.drain(100 * second);
    await harness.clock.scheduled(second);
    harness.clock.advance(second);
    await draining;
    expect(harness.posts()).toBe(2);
  });

  it('also leaves a background read of the secret open', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock.advance(20 * minute);
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.secrets.hold = promise;
    expect(await harness.text()).toBe('token-1');
    await harness.secrets.server.received(2);
    const draining = harness.access.drain(4 * second);
    harness.clock.advance(second);
    await draining;
    expect(harness.access.isBusy()).toBe(true);
    resolve();
    await harness.access.drain(4 * second);
    expect([harness.access.isBusy(), harness.secrets.reads()]).toEqual([false, 2]);
  });
});

describe('close', () => {
  it('ends background work and connections at once', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.clock.advance(2_880 * second);
    harness.idp.always = 'hang';
    await harness.text();
    await harness.idp.server.received(2);
    await harness.access.close();
    await harness.idp.server.closed(2);
    expect(harness.idp.server.connections()).toBe(2);
  });
});

describe('agent', () => {
  it('uses the connections of the client without a token request', async () => {
    await using harness = await startHarness();
    const agent = await harness.access.agent(harness.clock.now() + second);
    expect((await harness.token()).agent).toBe(agent);
    expect(harness.secrets.reads()).toBe(1);
  });

  it('waits for the secret only until its time limit', async () => {
    await using harness = await startHarness();
    harness.secrets.hold = new Promise(() => undefined);
    const agent = harness.access.agent(harness.clock.now() + second);
    await harness.secrets.server.received(1);
    harness.clock.advance(second);
    expect(await failureOf(agent)).toMatchObject({ kind: 'SecretUnavailable' });
  });
});

describe('replaceToken', () => {
  const replace = async (
    { access, clock }: Awaited<ReturnType<typeof startHarness>>,
    rejected: Parameters<typeof access.replaceToken>[1],
  ) => access.replaceToken(read, rejected, clock.now() + 30 * second);

  it('renews the rejected token once for all callers that present it', async () => {
    await using harness = await startHarness();
    const rejected = await harness.token();
    const grants = await Promise.all(Array.from({ length: 20 }, () => replace(harness, rejected)));
    expect(new Set(grants.map(({ token }) => token.reveal()))).toEqual(new Set(['token-2']));
    expect(harness.posts()).toBe(2);
  });

  it('returns a newer cached token without a request', async () => {
    await using harness = await startHarness();
    const rejected = await harness.token();
    await replace(harness, rejected);
    harness.clock.advance(minute);
    expect((await replace(harness, rejected)).token.reveal()).toBe('token-2');
    expect(harness.posts()).toBe(2);
  });

  it('renews at most once per 10 s, and returns the same token in between', async () => {
    await using harness = await startHarness();
    const renewed = await replace(harness, await harness.token());
    harness.clock.advance(9_999);
    expect(await failureOf(replace(harness, renewed))).toMatchObject({ kind: 'ApiUnauthorized', retryAfterMs: 1 });
    expect(await harness.text()).toBe('token-2');
    harness.clock.advance(1);
    expect((await replace(harness, renewed)).token.reveal()).toBe('token-3');
  });

  it('also limits renewals of a token that cannot be cached', async () => {
    await using harness = await startHarness();
    harness.idp.fields['expires_in'] = 0;
    await replace(harness, await harness.token());
    expect(await failureOf(replace(harness, await harness.token()))).toMatchObject({ kind: 'ApiUnauthorized' });
    expect(harness.posts()).toBe(3);
  });
});
