import { describe, expect, it } from 'vitest';
import { testCertificate } from '../../support/certificate.ts';
import { virtualClock } from '../../support/virtual-clock.ts';
import { period, awsError, startFleet, type Fleet } from './fleet.ts';
import { clientSecret, failureOf, minute, read, second, secretNamed, secretText } from './harness.ts';
import { runs, runsEveryCase, sample } from '../../support/samples.ts';

const hour = 60 * minute;

/** Starts a fleet with new stored tokens: token-1 for reading, token-2 for writing. */
const startWithTokens = async (text?: string): Promise<Fleet> => {
  const fleet = await startFleet(text);
  await fleet.refresh();
  return fleet;
};

const storedFields = (fleet: Fleet) => JSON.parse(fleet.stored('shared-read') ?? '') as Record<string, unknown>;
const change = (fleet: Fleet, fields: Readonly<Record<string, unknown>>) =>
  fleet.put('shared-read', JSON.stringify({ ...storedFields(fleet), ...fields }));

describe('stored token', () => {
  it('serves many cold containers without a token request', async () => {
    await using fleet = await startWithTokens();
    const before = fleet.posts();
    const count = runs(50);
    const containers = Array.from({ length: count }, () => fleet.start());
    const tokens = await Promise.all(containers.flatMap((one) => [one.text(), one.text()]));
    expect(new Set(tokens)).toEqual(new Set(['token-1']));
    // Each container reads it once for all its callers. The refresher has read it before.
    expect([fleet.posts() - before, fleet.reads('shared-read')]).toEqual([0, count + 1]);
  });

  it('is read by the requested scopes', async () => {
    await using fleet = await startWithTokens();
    const container = fleet.start();
    expect(await container.text(['returns:write'])).toBe('token-2');
    expect(fleet.reads('shared-read')).toBe(1);
    expect(await container.text(['returns:write', 'returns:admin'])).toBe('token-3');
  });

  it('is read after the client secret, by the same connection', async () => {
    await using fleet = await startWithTokens();
    const held = Promise.withResolvers<undefined>();
    fleet.faults.set('client', held.promise);
    const before = fleet.server.requests.length;
    const text = fleet.start().text();
    await fleet.server.received(before + 1);
    // The time limit of the second read does not shrink with a slow first read.
    fleet.clock.advance(1.9 * second);
    held.resolve(undefined);
    expect(await text).toBe('token-1');
    const [one, ...others] = fleet.server.requests.slice(before).map(({ connection }) => connection);
    expect(others).toEqual([one]);
  });

  it('saves all containers their token requests for a day', async () => {
    await using fleet = await startFleet();
    const oldest = fleet.start();
    const hours = runsEveryCase() ? 24 : 3;
    for (let passed = 0; passed < hours * hour; passed += period) {
      await fleet.refresh();
      const before = fleet.posts();
      await Promise.all([oldest.text(), fleet.start().text()]);
      await oldest.access.drain(10 * second);
      expect(fleet.posts()).toBe(before);
      fleet.clock.advance(period);
    }
    // Renewed at 35 minutes, which are 2,100 seconds, for each of two sets of scopes.
    expect(fleet.posts()).toBe(2 * Math.ceil((hours * 3600) / 2100));
  });

  it('ages by the clock that measured more time, as any other token', async () => {
    await using fleet = await startWithTokens();
    fleet.clock.advance(30 * minute);
    const container = fleet.start();
    expect(await container.text()).toBe('token-1');
    fleet.clock.setBack(29 * minute - 1);
    expect(await container.text()).toBe('token-1');
    fleet.clock.setBack(1);
    expect(await container.text()).toBe('token-3');
  });

  it('outlives the client secret that obtained it', async () => {
    await using fleet = await startWithTokens();
    fleet.put('client', secretText(secretNamed('two')));
    fleet.idp.accepted.clear();
    expect(await fleet.start().text()).toBe('token-1');
  });
});

describe('container', () => {
  const ownOf = async (fleet: Fleet, clock = fleet.clock) => {
    const before = fleet.posts();
    const container = fleet.start(clock);
    const [first, second_] = [await container.text(), await container.text()];
    expect(second_).toBe(first);
    return { token: first, posts: fleet.posts() - before };
  };
  const own = { token: 'token-3', posts: 1 };

  it.each<readonly [string, (fleet: Fleet) => void]>(
    sample<readonly [string, (fleet: Fleet) => void]>(
      [
        ['was never stored', (fleet) => fleet.versions.delete('shared-read')],
        ['is no JSON', (fleet) => fleet.put('shared-read', 'token-1')],
        ['could not be sent', (fleet) => change(fleet, { token: 'token-1\r\nx-admin: yes' })],
        ['has no text', (fleet) => change(fleet, { token: 7 })],
        ['has no lifetime', (fleet) => change(fleet, { lifetimeMs: undefined })],
        ['has a lifetime as text', (fleet) => change(fleet, { lifetimeMs: '3600000' })],
        ['has a lifetime of zero', (fleet) => change(fleet, { lifetimeMs: 0 })],
        ['exceeds the maximum lifetime', (fleet) => change(fleet, { lifetimeMs: 25 * hour })],
        ['has no age', (fleet) => change(fleet, { issuedAt: undefined })],
        ['is too old to be used', (fleet) => change(fleet, { issuedAt: fleet.clock.now() - 59 * minute })],
        [
          'is from beyond the allowed clock difference',
          (fleet) => change(fleet, { issuedAt: fleet.clock.now() + 30_001 }),
        ],
        ['has no key', (fleet) => change(fleet, { key: undefined })],
        ['has another key', (fleet) => change(fleet, { key: 'x'.repeat(43) })],
        ['has other scopes', (fleet) => fleet.put('shared-read', fleet.stored('shared-write') ?? '')],
        ['is denied by its permission', (fleet) => fleet.faults.set('shared-read', awsError('AccessDeniedException'))],
        [
          'has an encryption key without permission',
          (fleet) => fleet.faults.set('shared-read', awsError('DecryptionFailure')),
        ],
        ['is at an unreachable endpoint', (fleet) => fleet.faults.set('shared-read', 'reset')],
      ],
      3,
    ),
  )('requests its own token when the stored one %s', async (_, spoil) => {
    await using fleet = await startWithTokens();
    spoil(fleet);
    expect(await ownOf(fleet)).toEqual(own);
  });

  it.each(['hang', 'drip'] as const)(
    'requests its own token when the read of the stored one takes too long (%s)',
    async (fault) => {
      await using fleet = await startWithTokens();
      fleet.faults.set('shared-read', fault);
      const events: object[] = [];
      const text = fleet.start(fleet.clock, (event) => void events.push(event)).text();
      await fleet.clock.scheduled(500);
      fleet.clock.advance(500);
      expect(await text).toBe('token-3');
      expect(events).toContainEqual({ type: 'shared token read', outcome: 'TimeoutError' });
    },
  );

  it.each([
    ['another client', () => secretText(clientSecret).replace('returns-client', 'another')],
    [
      'another token endpoint',
      ({ idp }: Fleet) => secretText(clientSecret, { authUrl: idp.server.origin.replace('127.0.0.1', 'localhost') }),
    ],
  ])('requests its own token when its secret now names %s', async (_, textOf) => {
    await using fleet = await startWithTokens();
    fleet.put('client', textOf(fleet));
    expect((await ownOf(fleet)).token).toBe('token-3');
  });

  it('requests its own token when the stored one names another certificate, until a refresh', async () => {
    const [from, to] = [Date.UTC(2020, 0), Date.UTC(2040, 0)];
    const textWith = (name: string) => {
      const { certificate, privateKey } = testCertificate(name, from, to);
      return secretText(clientSecret, { certificate, privateKey });
    };
    await using fleet = await startWithTokens(textWith('first'));
    expect(await fleet.start().text()).toBe('token-1');
    fleet.put('client', textWith('second'));
    expect(await ownOf(fleet)).toEqual(own);
    await fleet.refresh();
    expect(await ownOf(fleet)).toEqual({ token: 'token-4', posts: 0 });
  });

  it.each([
    ['behind within the allowed clock difference', -30 * second, { token: 'token-1', posts: 0 }],
    ['behind beyond the allowed clock difference', -30 * second - 1, own],
    ['behind by two hours', -2 * hour, own],
    ['ahead, but the token is still usable', 59 * minute - 1, { token: 'token-1', posts: 0 }],
    ['ahead by two hours', 2 * hour, own],
  ])('uses its own token or the stored one, when its clock is %s', async (_, ahead, expected) => {
    await using fleet = await startWithTokens();
    const clock = virtualClock();
    clock.freeze(ahead);
    expect(await ownOf(fleet, clock)).toEqual(expected);
  });
});

describe('failure of the client secret', () => {
  it('is reported as it is, and the stored token is not read', async () => {
    await using fleet = await startWithTokens();
    fleet.faults.set('client', awsError('AccessDeniedException'));
    const before = fleet.reads('shared-read');
    const failure = await failureOf(fleet.start().token());
    expect(failure).toMatchObject({ kind: 'SecretUnavailable', reason: 'AccessDeniedException' });
    expect(fleet.reads('shared-read')).toBe(before);
  });
});

describe('read of a stored token', () => {
  it('ends, with its connection, once no caller waits for it', async () => {
    await using fleet = await startWithTokens();
    const requested = Promise.withResolvers<undefined>();
    const broken = Promise.withResolvers<undefined>();
    fleet.faults.set('shared-read', {
      raw: (socket) => {
        socket.once('close', () => broken.resolve(undefined));
        requested.resolve(undefined);
      },
    });
    const controller = new AbortController();
    const { access } = fleet.start();
    const requesting = access.token(read, fleet.clock.now() + 30 * second, controller.signal);
    await requested.promise;
    controller.abort(new Error('left'));
    await expect(requesting).rejects.toThrow('left');
    await broken.promise;
    await access.drain(second);
    expect(access.isBusy()).toBe(false);
  });
});

describe('ageing stored token', () => {
  it('is replaced in the background by the next stored one', async () => {
    await using fleet = await startWithTokens();
    const container = fleet.start();
    await container.text();
    fleet.clock.advance(40 * minute);
    await fleet.refresh();
    fleet.clock.advance(8 * minute);
    const before = fleet.posts();
    expect(await container.text()).toBe('token-1');
    await container.access.drain(10 * second);
    expect(await container.text()).toBe('token-3');
    expect(fleet.posts()).toBe(before);
  });

  it('is replaced by the container’s own token where no other is stored', async () => {
    await using fleet = await startWithTokens();
    fleet.clock.advance(50 * minute);
    const container = fleet.start();
    expect(await container.text()).toBe('token-1');
    expect(await container.text()).toBe('token-1');
    await container.access.drain(10 * second);
    expect(await container.text()).toBe('token-3');
  });

  it('costs no failed call and no extra token request while the refresher is down for hours', async () => {
    await using fleet = await startWithTokens();
    const containers = [fleet.start(), fleet.start()];
    const before = fleet.posts();
    const hours = runs(6);
    for (let passed = 0; passed < hours * hour; passed += minute) {
      for (const container of containers) {
        expect(await container.text()).toMatch(/^token-\d+$/);
        await container.access.drain(10 * second);
      }
      fleet.clock.advance(minute);
    }
    // R is 48 minutes here: the stored token, and one more after each.
    expect(fleet.posts() - before).toBe(2 * Math.floor((hours * 60 - 1) / 48));
  });

  it('is used again once the refresher is up again', async () => {
    await using fleet = await startWithTokens();
    const container = fleet.start();
    await container.text();
    fleet.clock.advance(hour);
    expect(await container.text()).toBe('token-3');
    fleet.clock.advance(47 * minute);
    await fleet.refresh();
    fleet.clock.advance(minute);
    await container.text();
    await container.access.drain(10 * second);
    expect(await container.text()).toBe('token-4');
  });
});

describe('stored token that the API rejects', () => {
  it('is not used again by the rejected container', async () => {
    await using fleet = await startWithTokens();
    const container = fleet.start();
    const rejected = await container.token();
    const until = () => fleet.clock.now() + 30 * second;
    const next = await container.access.replaceToken(read, rejected, until());
    expect(next.token.reveal()).toBe('token-3');
    fleet.clock.advance(10 * second);
    const third = await container.access.replaceToken(read, next, until());
    expect(third.token.reveal()).toBe('token-4');
    expect(storedFields(fleet)['token']).toBe('token-1');
  });

  it('is replaced by a newer stored one', async () => {
    await using fleet = await startWithTokens();
    const container = fleet.start();
    const rejected = await container.token();
    fleet.clock.advance(period);
    fleet.put('shared-read', '{}');
    await fleet.refresh();
    const before = fleet.posts();
    const next = await container.access.replaceToken(read, rejected, fleet.clock.now() + 30 * second);
    expect(next.token.reveal()).toBe('token-3');
    expect(fleet.posts()).toBe(before);
  });
});
