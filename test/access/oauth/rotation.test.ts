import { describe, expect, it } from 'vitest';
import { runs } from '../../support/samples.ts';
import { root } from './tls-world.ts';
import {
  clientSecret as old,
  failureOf,
  minute,
  second,
  secretNamed,
  secretText,
  startHarness,
  type Harness,
} from './harness.ts';

const next = secretNamed('two');
const tooNew = secretNamed('too new');
const tooOld = secretNamed('too old');
const [a, b, c, d] = [secretNamed('a'), secretNamed('b'), secretNamed('c'), secretNamed('d')];

/** Returns the client secrets that were sent, in order. */
const sent = ({ idp }: Harness) =>
  idp.server.requests.map(({ body }) => new URLSearchParams(body).get('client_secret'));

const onlyAccept = ({ idp }: Harness, secret: string) => {
  idp.accepted.clear();
  idp.accepted.add(secret);
};

/** Lets the token expire, so that the next call needs a new one. */
const expire = ({ clock }: Harness) => clock.advance(3_540 * second);

describe('rotated secret', () => {
  it('costs no rejected request when its read is due, even after an outage of Secrets Manager', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.rotate('v2', secretText(next));
    harness.secrets.fault = { status: 500 };
    expire(harness);
    await harness.text();
    harness.secrets.fault = undefined;
    onlyAccept(harness, next);
    expire(harness);
    expect(await harness.text()).toBe('token-3');
    expect(sent(harness)).toEqual([old, old, next]);
  });

  it('costs one rejected request when its read is not due', async () => {
    await using harness = await startHarness();
    harness.idp.fields['expires_in'] = 60;
    await harness.text();
    harness.rotate('v2', secretText(next));
    onlyAccept(harness, next);
    harness.clock.advance(minute);
    expect(await harness.text()).toBe('token-2');
    expect(sent(harness)).toEqual([old, old, next]);
  });

  it('costs each set of scopes one rejected request, and none of them its access', async () => {
    await using harness = await startHarness();
    const both = () => Promise.all([harness.text(), harness.text(30 * second, ['returns:write'])]);
    harness.idp.fields['expires_in'] = 60;
    await both();
    harness.rotate('v2', secretText(next));
    onlyAccept(harness, next);
    harness.clock.advance(minute);
    expect(new Set(await both())).toEqual(new Set(['token-3', 'token-4']));
    expect(sent(harness)).toEqual([old, old, old, old, next, next]);
    expect(harness.secrets.reads()).toBe(2);
  });

  it('stays in use when a response to the previous secret arrives late', async () => {
    await using harness = await startHarness();
    const { promise: late, resolve: release } = Promise.withResolvers<undefined>();
    await harness.text();
    harness.idp.always = () => late;
    expire(harness);
    const slow = harness.text();
    await harness.idp.server.received(2);
    harness.idp.always = undefined;
    // The server answers from its state at the time of the request.
    harness.rotate('v2', secretText(next, { ca: root.certificate }));
    harness.idp.accepted.add(next);
    harness.idp.instead.push({ status: 400, body: JSON.stringify({ error: 'invalid_client' }) });
    const { agent } = await harness.token(30 * second, ['returns:write']);
    release(undefined);
    expect(await slow).toBe('token-3');
    onlyAccept(harness, next);
    // Uses the connections that the newer version has already.
    expect((await harness.token(30 * second, ['returns:admin'])).agent).toBe(agent);
    expect(sent(harness)).toEqual([old, old, old, next, next]);
  });

  it("may name another client: the old client's token is used until there is another one", async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.rotate('v2', secretText(old, { clientId: 'another-client' }));
    harness.clock.advance(18 * minute);
    const served = [];
    for (const _ of ['the secret is read beside', 'the token is obtained beside', 'it is there']) {
      served.push(await harness.text());
      await harness.access.drain(10 * second);
    }
    expect(served).toEqual(['token-1', 'token-1', 'token-2']);
    const clients = harness.idp.server.requests.map(({ body }) => new URLSearchParams(body).get('client_id'));
    expect(clients).toEqual(['returns-client', 'another-client']);
  });

  it('is found by a background read once that is due, without loss of the token', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.rotate('v2', secretText(next));
    onlyAccept(harness, next);
    harness.clock.advance(15 * minute);
    expect(await harness.text()).toBe('token-1');
    await harness.access.drain(10 * second);
    expect(harness.secrets.reads('AWSCURRENT')).toBe(2);
    harness.clock.advance(3_540 * second);
    expect(await harness.text()).toBe('token-2');
    expect(sent(harness)).toEqual([old, next]);
  });

  it.each([
    ['400 with JSON', { status: 400, body: JSON.stringify({ error: 'invalid_client' }) }],
    ['401 with JSON', { status: 401, body: JSON.stringify({ error: 'invalid_client' }) }],
    ['401 without JSON', { status: 401, body: 'Unauthorized' }],
    ['200 with an error', { status: 200, body: JSON.stringify({ error: 'invalid_client' }) }],
    ['401 of Keycloak', { status: 401, body: JSON.stringify({ error: 'unauthorized_client' }) }],
    ['401 of Auth0', { status: 401, body: JSON.stringify({ error: 'access_denied' }) }],
    ['401 of Spring', { status: 401, body: JSON.stringify({ status: 401, error: 'Unauthorized' }) }],
    ['403 without a body', { status: 403 }],
    ['400 with a page', { status: 400, body: '<html>Bad Request</html>' }],
  ])('is fetched after %s', async (_, answer) => {
    await using harness = await startHarness();
    harness.idp.fields['expires_in'] = 60;
    await harness.text();
    harness.rotate('v2', secretText(next));
    onlyAccept(harness, next);
    harness.idp.instead.push(answer);
    harness.clock.advance(minute);
    expect(await harness.text()).toBe('token-2');
  });
});

describe('secret that the server does not accept yet', () => {
  it('is replaced by AWSPREVIOUS, which stays in use until AWSCURRENT changes', async () => {
    await using harness = await startHarness({ text: secretText(tooNew) });
    harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(old) });
    expect(await harness.text()).toBe('token-1');
    expect(sent(harness)).toEqual([tooNew, old]);
    expire(harness);
    await harness.text();
    expect(sent(harness)).toEqual([tooNew, old, old]);
    harness.rotate('v2', secretText(next));
    harness.idp.accepted.add(next);
    expire(harness);
    await harness.text();
    expect(sent(harness).at(-1)).toBe(next);
  });

  it('is replaced by AWSPENDING, which is no longer reported once it is AWSCURRENT', async () => {
    await using harness = await startHarness({ text: secretText(tooOld) });
    const soon = { versionId: 'v2', text: secretText(old) };
    harness.secrets.versions.set('AWSPENDING', soon);
    const previousSecretUses = () => harness.events.filter(({ type }) => type === 'another client secret used');
    await harness.text();
    expect(previousSecretUses()).toMatchObject([{ stage: 'AWSPENDING' }]);
    harness.secrets.versions.set('AWSCURRENT', soon);
    expire(harness);
    await harness.text();
    expire(harness);
    await harness.text();
    expect(previousSecretUses().length).toBe(1);
    expect(sent(harness)).toEqual([tooOld, old, old, old]);
  });

  it('is tried again when the substitute is rejected', async () => {
    await using harness = await startHarness({ text: secretText(tooNew) });
    harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(old) });
    await harness.text();
    onlyAccept(harness, tooNew);
    expire(harness);
    expect(await harness.text()).toBe('token-2');
    expect(sent(harness)).toEqual([tooNew, old, old, tooNew]);
  });

  it('is replaced by AWSPENDING last', async () => {
    await using harness = await startHarness({ text: secretText(a) });
    harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(b) });
    harness.secrets.versions.set('AWSPENDING', { versionId: 'v2', text: secretText(old) });
    expect(await harness.text()).toBe('token-1');
    expect(sent(harness)).toEqual([a, b, old]);
  });

  it('is replaced without use of a stage that is missing or unusable', async () => {
    await using harness = await startHarness({ text: secretText(a) });
    harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: 'no JSON' });
    harness.secrets.versions.set('AWSPENDING', { versionId: 'v2', text: secretText(old) });
    await harness.text();
    expect(sent(harness)).toEqual([a, old]);
  });
});

describe('rejection of every secret', () => {
  const rejected = async () => {
    const harness = await startHarness({ text: secretText(a) });
    harness.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: secretText(b) });
    harness.secrets.versions.set('AWSPENDING', { versionId: 'v2', text: secretText(c) });
    harness.idp.accepted.clear();
    return harness;
  };

  it('makes three tries, then rejects for 60 s without a request, for all scopes', async () => {
    await using harness = await rejected();
    expect(await failureOf(harness.text())).toMatchObject({
      kind: 'ClientRejected',
      reason: 'invalid_client',
      retryAfterMs: minute,
    });
    expect(sent(harness)).toEqual([a, b, c]);
    harness.clock.advance(minute - 1);
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'ClientRejected', retryAfterMs: 1 });
    expect(await failureOf(harness.text(second, ['returns:write']))).toMatchObject({ kind: 'ClientRejected' });
    expect(harness.posts()).toBe(3);
  });

  it('is followed by another try after the pause', async () => {
    await using harness = await rejected();
    await failureOf(harness.text());
    harness.idp.accepted.add(a);
    harness.clock.advance(minute);
    expect(await harness.text()).toBe('token-1');
  });

  it.each([
    ['one version', {}],
    ['three versions', { AWSPREVIOUS: 'v0', AWSPENDING: 'v2' }],
  ])('makes at most ten requests an hour, and reads the secret once a minute: %s', async (_, others) => {
    await using harness = await rejected();
    harness.secrets.versions.delete('AWSPREVIOUS');
    harness.secrets.versions.delete('AWSPENDING');
    for (const [stage, versionId] of Object.entries(others))
      harness.secrets.versions.set(stage as 'AWSPREVIOUS', { versionId, text: secretText(secretNamed(versionId)) });
    const hours = runs(3);
    for (let hour = 0; hour < hours; hour += 1) {
      const [posts, reads] = [harness.posts(), harness.secrets.reads()];
      for (let tenths = 0; tenths < 36_000; tenths += 100) {
        await failureOf(harness.text(second, tenths % 200 === 0 ? ['returns:read'] : ['returns:write']));
        harness.clock.advance(10 * second);
      }
      expect(harness.posts() - posts).toBeLessThanOrEqual(10);
      // The first search reads each stage, and AWSCURRENT twice.
      expect(harness.secrets.reads() - reads).toBeLessThanOrEqual(60 + (hour === 0 ? 4 : 0));
    }
    // A new version is found within a minute, whatever was rejected.
    harness.rotate('v9', secretText(old));
    harness.idp.accepted.add(old);
    harness.clock.advance(minute);
    expect(await harness.text()).toMatch(/^token-/);
  });

  it('tries an old version again, which the server then accepts', async () => {
    await using harness = await rejected();
    await failureOf(harness.text());
    harness.idp.accepted.add(b);
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await failureOf(harness.text());
      harness.clock.advance(minute);
    }
    expect(await harness.text()).toBe('token-1');
  });

  it('never tries more than three versions, even when AWSCURRENT changes meanwhile', async () => {
    await using harness = await rejected();
    harness.idp.accepted.add(a);
    harness.idp.fields['expires_in'] = 60;
    await harness.text();
    harness.idp.accepted.clear();
    harness.secrets.versions.set('AWSCURRENT', { versionId: 'v3', text: secretText(d) });
    harness.clock.advance(minute);
    await failureOf(harness.text());
    expect(sent(harness)).toEqual([a, a, d, b]);
  });

  it('does not follow from an aborted search', async () => {
    await using harness = await rejected();
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.idp.always = async () => {
      harness.secrets.hold = promise;
      return undefined;
    };
    const leaving = failureOf(harness.text(second));
    // The first read of the secret, then the forced read, which is held.
    await harness.secrets.server.received(2);
    harness.clock.advance(second);
    expect(await leaving).toMatchObject({ kind: 'DeadlineExceeded' });
    resolve();
    harness.idp.always = undefined;
    harness.idp.accepted.add(c);
    expect(await harness.text()).toBe('token-1');
    // Rejected secrets are not sent again, however often a search is aborted.
    expect(sent(harness)).toEqual([a, b, c]);
  });

  it('serves the old token until H', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.idp.accepted.clear();
    harness.clock.advance(2_880 * second);
    expect(await harness.text()).toBe('token-1');
    await harness.access.drain(10 * second);
    expect(await harness.text()).toBe('token-1');
    harness.clock.advance(660 * second);
    expect((await failureOf(harness.text())).kind).toBe('ClientRejected');
  });
});

describe('unusable secret', () => {
  it('is read again at once when no version was ever good', async () => {
    await using harness = await startHarness({ text: '{}' });
    expect(await failureOf(harness.text())).toMatchObject({ kind: 'SecretUnavailable', reason: 'malformed clientId' });
    harness.rotate('v2', secretText(old));
    harness.clock.advance(10 * second);
    expect(await harness.text()).toBe('token-1');
  });

  it('does not replace a good one', async () => {
    await using harness = await startHarness();
    await harness.text();
    harness.rotate('v2', '{}');
    expire(harness);
    expect(await harness.text()).toBe('token-2');
  });
});
