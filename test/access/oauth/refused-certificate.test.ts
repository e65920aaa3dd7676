import { generateKeyPairSync } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import { describe, expect, it } from 'vitest';
import type { TestCertificate } from '../../support/certificate.ts';
import { sample } from '../../support/samples.ts';
import { nginxRejection } from '../../support/tls-api.ts';
import { failureOf, minute, second } from './harness.ts';
import { demanding, root, startTlsWorld, otherAuthority, textWith, type TlsWorld } from './tls-world.ts';

const rsa = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const good = root.issue('client', { privateKey: rsa() });
const rsaServer = root.issue('server', { privateKey: rsa() });
const [ofOtherKind, ofOtherAuthority] = [root.issue('client'), otherAuthority.issue('client')];
const open: ServerOptions = { ...demanding(), rejectUnauthorized: false };

type Mode = {
  readonly tls: ServerOptions;
  /** The pair that a server with these options rejects. It accepts `good`. */
  readonly bad: TestCertificate;
  /** Rejects by an HTTP response after the handshake. */
  readonly inWords?: true;
};

/**
 * The ways to reject. OpenSSL rejects a key outside the server's signature algorithms: in TLS 1.3 after the handshake.
 */
const modes: Readonly<Record<string, Mode>> = {
  'an alert': { tls: { ...demanding(rsaServer), sigalgs: 'rsa_pss_rsae_sha256' }, bad: ofOtherKind },
  'a plain close': { tls: demanding(), bad: ofOtherAuthority },
  'a page, as nginx does': { tls: open, bad: ofOtherKind, inWords: true },
};
const cases = (['TLSv1.3', 'TLSv1.2'] as const).flatMap((version) =>
  Object.entries(modes).map(([how, mode]) => {
    const tls = { ...mode.tls, minVersion: version, maxVersion: version };
    return [`${version}, ${how}`, { ...mode, tls }] as const;
  }),
);

const start = async ({ tls, bad, inWords }: Mode, at: 'idp' | 'api', first: TestCertificate) => {
  const world = await startTlsWorld({ text: textWith(first), tls: open, [at]: tls });
  if (inWords && at === 'api') world.api.rejected.add(bad.thumbprint);
  if (inWords && at === 'idp') {
    world.idp.always = async ({ thumbprint }) => (thumbprint === bad.thumbprint ? nginxRejection : undefined);
  }
  return world;
};

/** Calls as a handler does, and ends background work. */
const callAndSettle = async (world: TlsWorld) => {
  const outcome = await world.failingCall();
  await world.access.drain(10 * second);
  return outcome.ok;
};

const previous = (world: TlsWorld, pair: TestCertificate) =>
  void world.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: textWith(pair) });

describe.each(sample(cases, 2))('certificate rejected by %s', (_, mode) => {
  it('of the token endpoint: a cold container uses the certificate of AWSPREVIOUS', async () => {
    await using world = await start(mode, 'idp', mode.bad);
    previous(world, good);
    expect(await world.failingCall()).toMatchObject({ ok: true });
    expect(world.shown().api).toEqual([good.thumbprint]);
  });

  it('of the token endpoint: no call fails in the hours after a rotation', async () => {
    await using world = await start(mode, 'idp', good);
    await world.call();
    world.rotate('v2', textWith(mode.bad));
    const outcomes: boolean[] = [];
    for (let passed = 0; passed < 120; passed += 12) {
      world.clock.advance(12 * minute);
      outcomes.push(await callAndSettle(world));
    }
    expect(outcomes).toEqual(Array(10).fill(true));
    expect(new Set(world.shown().api)).toEqual(new Set([good.thumbprint]));
  });

  it('of the API only: the client goes back to the previous certificate, and continues with it', async () => {
    await using world = await start(mode, 'api', good);
    await world.call();
    world.rotate('v2', textWith(mode.bad));
    world.clock.advance(18 * minute);
    const outcomes: boolean[] = [];
    for (let count = 0; count < 30; count += 1) {
      outcomes.push(await callAndSettle(world));
      world.clock.advance(2 * minute);
    }
    expect(outcomes).toEqual(Array(30).fill(true));
    expect(world.events).toContainEqual(expect.objectContaining({ type: 'client certificate rejected by the API' }));
    const [last] = world.shown().api.slice(-1);
    expect(last).toBe(good.thumbprint);
    // The new pair has obtained one token, which was not used.
    expect(world.shown().idp.filter((thumbprint) => thumbprint !== good.thumbprint).length).toBeLessThanOrEqual(1);
  });

  it('of the API only: a cold container uses the certificate of AWSPREVIOUS', async () => {
    await using world = await start(mode, 'api', mode.bad);
    previous(world, good);
    expect(await world.failingCall()).toMatchObject({ ok: true });
    expect(world.shown().api.at(-1)).toBe(good.thumbprint);
  });

  it('of the API only: the event of a restored AWSPENDING names that stage', async () => {
    await using world = await start(mode, 'api', mode.bad);
    world.secrets.versions.set('AWSPENDING', { versionId: 'v0', text: textWith(good) });
    await world.call();
    const stages = () =>
      world.events.flatMap((event) => (event.type === 'another client secret used' ? [event.stage] : []));
    const before = stages().length;
    world.rotate('v2', textWith(mode.bad));
    for (let count = 0; count < 4; count += 1) {
      world.clock.advance(18 * minute);
      expect(await callAndSettle(world)).toBe(true);
    }
    expect(stages().length).toBeGreaterThan(before);
    expect(new Set(stages())).toEqual(new Set(['AWSPENDING']));
  });
});

describe('certificate rejected by the token endpoint without an alternative', () => {
  it('fails with CertificateInvalid, without a request for 60 s', async () => {
    const { tls, bad } = modes['an alert'] as Mode;
    await using world = await startTlsWorld({ text: textWith(bad), tls: { ...tls, minVersion: 'TLSv1.3' } });
    const failure = { kind: 'CertificateInvalid', reason: 'refused' };
    expect(await failureOf(world.text())).toMatchObject({ ...failure, retryAfterMs: minute });
    world.clock.advance(59 * second);
    expect(await failureOf(world.text(second, ['returns:write']))).toMatchObject({ ...failure, retryAfterMs: second });
    world.rotate('v2', textWith(good));
    world.clock.advance(second);
    expect(await world.text()).toBe('token-1');
  });

  it('fails with IdpUnavailable where it may be an outage, with one read for other versions a minute', async () => {
    await using world = await startTlsWorld({ text: textWith(good), tls: open });
    previous(world, ofOtherKind);
    world.idp.always = 'reset';
    const sent: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      expect(await failureOf(world.text())).toMatchObject({ kind: 'IdpUnavailable' });
      sent.push(world.posts());
      world.clock.advance(20 * second);
    }
    // Two attempts by each certificate. Then each flight makes one attempt by the certificate in use.
    expect(sent).toEqual([4, 5, 6]);
    world.idp.always = undefined;
    world.clock.advance(20 * second);
    await world.text();
    expect(world.shown().idp.at(-1)).toBe(good.thumbprint);
  });
});

describe('certificate rejected by an alert of the API without an alternative', () => {
  it('ends a call after one attempt', async () => {
    const { tls, bad } = modes['an alert'] as Mode;
    await using world = await startTlsWorld({ text: textWith(bad), tls: open, api: { ...tls, minVersion: 'TLSv1.3' } });
    expect(await world.failingCall()).toMatchObject({ ok: false });
    expect(world.api.rejections()).toBe(1);
  });
});

describe('certificate whose connections broke twice', () => {
  it('is tried first at the next renewal', async () => {
    await using world = await startTlsWorld({ text: textWith(good), tls: open });
    previous(world, ofOtherKind);
    await world.text();
    const renewedBy = async () => {
      world.clock.advance(3_540 * second);
      await world.text();
      await world.access.drain(10 * second);
      return world.shown().idp.at(-1);
    };
    world.idp.instead.push('reset', 'reset');
    expect(await renewedBy()).toBe(ofOtherKind.thumbprint);
    expect(await renewedBy()).toBe(good.thumbprint);
    const before = world.posts();
    expect(await renewedBy()).toBe(good.thumbprint);
    expect(world.posts()).toBe(before + 1);
  });

  it('fails no call while it gets only errors, because the other one is used a moment later', async () => {
    await using world = await startTlsWorld({ text: textWith(good), tls: open });
    previous(world, ofOtherKind);
    await world.call();
    world.idp.instead.push('reset', 'reset');
    world.clock.advance(3_540 * second);
    expect(await callAndSettle(world)).toBe(true);
    expect(world.shown().idp.at(-1)).toBe(ofOtherKind.thumbprint);
    world.idp.always = async ({ thumbprint }) => (thumbprint === good.thumbprint ? { status: 503 } : undefined);
    const outcomes: boolean[] = [];
    for (let passed = 0; passed < 3 * 60; passed += 1) {
      world.clock.advance(minute / 2);
      outcomes.push(await callAndSettle(world));
    }
    expect(outcomes).toEqual(Array(3 * 60).fill(true));
    const failed = world.events.filter(({ type }) => type === 'token not obtained');
    expect(failed.length).toBeLessThanOrEqual(2);
  });
});

describe('cold container', () => {
  it.each(
    sample(
      [
        ['is no JSON', '{'],
        ['has no client id', '{}'],
        ['has a key of another certificate', textWith({ ...good, privateKey: ofOtherKind.privateKey })],
        ['has an invalid certificate', textWith({ ...good, certificate: 'x' })],
        ['has an expired certificate', textWith(root.issue('client', { validTo: Date.UTC(2026, 0) }))],
      ] as const,
      3,
    ),
  )('uses AWSPREVIOUS where AWSCURRENT %s', async (_, text) => {
    await using world = await startTlsWorld({ text });
    previous(world, good);
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown()).toEqual({ idp: [good.thumbprint], api: [good.thumbprint] });
    // A fixed AWSCURRENT is used again.
    const fixed = root.issue('client');
    world.secrets.versions.set('AWSCURRENT', { versionId: 'v2', text: textWith(fixed) });
    world.clock.advance(60 * minute);
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown().api.at(-1)).toBe(fixed.thumbprint);
  });
});
