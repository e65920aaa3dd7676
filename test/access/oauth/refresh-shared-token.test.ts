import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { dueAge } from '../../../lib/access/oauth/refresh-shared-token.ts';
import { inSoak } from '../../support/samples.ts';
import { type Fleet, period, awsError, startFleet } from './fleet.ts';
import { clientSecret, marker, minute, second, secretNamed, secretText } from './harness.ts';

const hour = 60 * minute;
const next = secretNamed('two');
const both = (outcome: object) => ({ 'returns:read': outcome, 'returns:write': outcome });
const renewed = { action: 'renewed', lifetimeMs: hour };
const unchanged = { action: 'unchanged', lifetimeMs: hour };

/** Runs the refresher until the tokens of its first run are due, and once more. */
const refreshUntilDue = async (fleet: Fleet): Promise<void> => {
  expect(await fleet.refresh()).toEqual(both(renewed));
  for (let age = period; age < 35 * minute; age += period) {
    fleet.clock.advance(period);
    expect(await fleet.refresh()).toEqual(both(unchanged));
  }
  fleet.clock.advance(period);
  expect(await fleet.refresh()).toEqual(both(renewed));
};

describe('refresher', () => {
  it('obtains a missing token, and leaves it until it is due', async () => {
    await using fleet = await startFleet();
    await refreshUntilDue(fleet);
    expect(fleet.posts()).toBe(4);
  });

  it('renews in the same run that starts slightly early', async () => {
    await using fleet = await startFleet();
    await fleet.refresh();
    fleet.clock.advance(35 * minute - 90 * second);
    expect(await fleet.refresh()).toEqual(both(renewed));
  });

  it('requests each token with its own scopes', async () => {
    await using fleet = await startFleet();
    await fleet.refresh();
    const requestedScopes = fleet.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('scope'));
    expect(requestedScopes).toEqual(['returns:read', 'returns:write']);
  });

  it('stores the token and its age, and nothing about its owner', async () => {
    await using fleet = await startFleet();
    const issuedAt = fleet.clock.now();
    fleet.idp.always = async () => {
      fleet.clock.advance(2 * second);
      return undefined;
    };
    await fleet.refresh();
    expect(JSON.parse(fleet.stored('shared-read') ?? '')).toEqual({
      token: 'token-1',
      lifetimeMs: hour,
      issuedAt,
      key: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it('writes one version when a write arrives twice', async () => {
    await using fleet = await startFleet();
    fleet.faults.set('put', { status: 500, body: '{}' });
    const running = fleet.refresh();
    // Client secret, stored token, first write.
    await fleet.server.received(3);
    fleet.faults.delete('put');
    expect(await running).toEqual(both(renewed));
    expect(fleet.versions.get('shared-read')).toHaveLength(1);
    const writes = fleet.server.requests.filter(({ headers }) =>
      String(headers['x-amz-target']).endsWith('PutSecretValue'),
    );
    const tokens = writes.map(({ body }) => (JSON.parse(body) as { ClientRequestToken: string }).ClientRequestToken);
    expect(tokens).toHaveLength(3);
    expect(tokens[0]).toBe(tokens[1]);
  });

  it('causes no harm when two runs overlap', async () => {
    await using fleet = await startFleet();
    expect(await Promise.all([fleet.refresh(), fleet.refresh()])).toEqual([both(renewed), both(renewed)]);
    expect(await fleet.refresh()).toEqual(both(unchanged));
    const posts = fleet.posts();
    expect(await fleet.start().text()).toMatch(/^token-[1-4]$/);
    expect(fleet.posts()).toBe(posts);
  });

  it.each([
    ['nonsense', () => 'nonsense'],
    ['a token from the far future', (token: object, now: number) => JSON.stringify({ ...token, issuedAt: now + hour })],
    ['a token of another client', (token: object) => JSON.stringify({ ...token, key: 'x'.repeat(43) })],
  ])('replaces %s', async (_, change) => {
    await using fleet = await startFleet();
    await fleet.refresh();
    const token = JSON.parse(fleet.stored('shared-read') ?? '') as object;
    fleet.put('shared-read', change(token, fleet.clock.now()));
    expect(await fleet.refresh()).toEqual({ 'returns:read': renewed, 'returns:write': unchanged });
  });

  it('stores a token only when it is due, while AWSCURRENT has another client and does not work', async () => {
    await using fleet = await startFleet();
    fleet.put('client', secretText(next, { clientId: 'not registered yet' }));
    await refreshUntilDue(fleet);
    expect(fleet.versions.get('shared-read')).toHaveLength(2);
    // The new client works at last.
    fleet.idp.accepted.add(next);
    expect(await fleet.refresh()).toEqual(both(renewed));
  });

  it('renews with the version of the client secret that works', async () => {
    await using fleet = await startFleet();
    fleet.put('client', secretText(next));
    expect(await fleet.refresh()).toEqual(both(renewed));
    const sent = fleet.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('client_secret'));
    expect(sent).toEqual([next, clientSecret, clientSecret]);
  });
});

describe('failure of the refresher', () => {
  it('is reported for each token, and leaves the stored token in place', async () => {
    await using fleet = await startFleet();
    await fleet.refresh();
    const before = fleet.stored('shared-read');
    fleet.clock.advance(35 * minute);
    // The first token fails in two attempts. The second token succeeds.
    fleet.idp.instead.push({ status: 503 }, { status: 503 });
    expect(await fleet.refresh()).toEqual({
      'returns:read': { action: 'failed', reason: 'status_503' },
      'returns:write': renewed,
    });
    expect(fleet.stored('shared-read')).toBe(before);
  });

  it('is not reported where the client lacks these scopes', async () => {
    await using fleet = await startFleet();
    fleet.idp.instead.push({ status: 400, body: JSON.stringify({ error: 'invalid_scope' }) });
    const rejected = { action: 'not_granted', reason: 'invalid_scope' };
    expect(await fleet.refresh()).toEqual({ 'returns:read': rejected, 'returns:write': renewed });
    fleet.idp.fields['scope'] = 'openid';
    const lacking = { action: 'not_granted', reason: 'scope' };
    expect(await fleet.refresh()).toEqual({ 'returns:read': lacking, 'returns:write': unchanged });
    expect(fleet.stored('shared-read')).toBeUndefined();
  });

  it('is not followed by another try with a rejected client secret', async () => {
    await using fleet = await startFleet();
    fleet.put('client', secretText(next));
    fleet.idp.accepted.clear();
    expect(await fleet.refresh()).toEqual(both({ action: 'failed', reason: 'invalid_client' }));
    expect(fleet.posts()).toBe(2);
  });

  it('makes no token request where the stored token cannot be read', async () => {
    await using fleet = await startFleet();
    fleet.faults.set('shared-read', awsError('AccessDeniedException'));
    expect(await fleet.refresh()).toEqual({
      'returns:read': { action: 'failed', reason: 'AccessDeniedException' },
      'returns:write': renewed,
    });
    expect(fleet.posts()).toBe(1);
  });

  it.each(inSoak('names the error and quotes nothing where the write fails'))('%s', async () => {
    await using fleet = await startFleet();
    fleet.idp.fields['access_token'] = marker;
    fleet.faults.set('put', awsError('LimitExceededException'));
    const outcomes = await fleet.refresh();
    expect(outcomes).toEqual(both({ action: 'failed', reason: 'LimitExceededException' }));
    expect(inspect(outcomes)).not.toContain(marker);
  });

  it('covers every token where the client secret is missing', async () => {
    await using fleet = await startFleet();
    fleet.faults.set('client', awsError('AccessDeniedException'));
    expect(await fleet.refresh()).toEqual(both({ action: 'failed', reason: 'AccessDeniedException' }));
    expect(fleet.server.requests).toHaveLength(2);
  });
});

describe('token with a short lifetime', () => {
  it.each(inSoak('is written at most as often as Secrets Manager removes versions'))('%s', async () => {
    await using fleet = await startFleet();
    fleet.idp.fields['expires_in'] = 300;
    for (let passed = 0; passed < 24 * hour; passed += period) {
      await fleet.refresh();
      fleet.clock.advance(period);
    }
    expect(fleet.versions.get('shared-read')).toHaveLength(96);
  });

  it('is reported as short-lived', async () => {
    await using fleet = await startFleet();
    fleet.idp.fields['expires_in'] = 900;
    expect(await fleet.refresh()).toEqual(both({ action: 'renewed', lifetimeMs: 15 * minute, reason: 'short_lived' }));
  });

  it('is not stored when no container could cache it', async () => {
    await using fleet = await startFleet();
    fleet.idp.fields['expires_in'] = 'abc';
    expect(await fleet.refresh()).toEqual(both({ action: 'failed', reason: 'expires_in' }));
    expect(fleet.stored('shared-read')).toBeUndefined();
  });
});

describe('dueAge', () => {
  it.each([
    [hour, 32.5 * minute],
    [24 * hour, 18 * hour - 12.5 * minute],
    [30 * minute, 15 * minute],
    [5 * minute, 15 * minute],
  ])('of a token that lives for %d ms is %d ms', (lifetime, due) => {
    expect(dueAge(lifetime, period)).toBe(due);
  });
});
