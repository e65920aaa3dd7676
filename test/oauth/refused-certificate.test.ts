import { generateKeyPairSync } from 'node:crypto';
import type { ServerOptions } from 'node:https';
import { describe, expect, it } from 'vitest';
import type { TestCertificate } from '../support/certificate.ts';
import { sample } from '../support/samples.ts';
import { nginxRefusal } from '../support/tls-api.ts';
import { failureOf, minute, second } from './harness.ts';
import { demanding, root, startTlsWorld, stranger, textWith, type TlsWorld } from './tls-world.ts';

const rsa = () =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const good = root.issue('client', { privateKey: rsa() });
const rsaServer = root.issue('server', { privateKey: rsa() });
const [ofOtherKind, ofStranger] = [root.issue('client'), stranger.issue('client')];
const open: ServerOptions = { ...demanding(), rejectUnauthorized: false };

type Mode = {
  readonly tls: ServerOptions;
  /** The pair that a server with these options refuses, unlike `good`. */
  readonly bad: TestCertificate;
  /** Refuses in words, after the handshake. */
  readonly inWords?: true;
};

/** A key that the server's signature algorithms leave out is refused by OpenSSL itself: in TLS 1.3 after the handshake. */
const modes: Readonly<Record<string, Mode>> = {
  'an alert': { tls: { ...demanding(rsaServer), sigalgs: 'rsa_pss_rsae_sha256' }, bad: ofOtherKind },
  'a plain close': { tls: demanding(), bad: ofStranger },
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
  if (inWords && at === 'api') world.api.refused.add(bad.thumbprint);
  if (inWords && at === 'idp') {
    world.idp.always = async ({ thumbprint }) => (thumbprint === bad.thumbprint ? nginxRefusal : undefined);
  }
  return world;
};

/** A call of a handler, which ends what runs beside. */
const callAndSettle = async (world: TlsWorld) => {
  const outcome = await world.failingCall();
  await world.access.settle(10 * second);
  return outcome.ok;
};

const previous = (world: TlsWorld, pair: TestCertificate) =>
  void world.secrets.versions.set('AWSPREVIOUS', { versionId: 'v0', text: textWith(pair) });

describe.each(sample(cases, 2))('a certificate refused by %s', (_, mode) => {
  it('of the token endpoint gives way to that of AWSPREVIOUS in a cold container', async () => {
    await using world = await start(mode, 'idp', mode.bad);
    previous(world, good);
    expect(await world.failingCall()).toMatchObject({ ok: true });
    expect(world.shown().api).toEqual([good.thumbprint]);
  });

  it('of the token endpoint costs no call in the hours after a rotation', async () => {
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

  it('of the API alone gives way to the one before it, which stays in use', async () => {
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
    expect(world.decisions).toContainEqual(expect.objectContaining({ type: 'client certificate rejected by the API' }));
    const [last] = world.shown().api.slice(-1);
    expect(last).toBe(good.thumbprint);
    // The new pair has obtained one token, which found no use.
    expect(world.shown().idp.filter((thumbprint) => thumbprint !== good.thumbprint).length).toBeLessThanOrEqual(1);
  });

  it('of the API alone gives way to that of AWSPREVIOUS in a cold container', async () => {
    await using world = await start(mode, 'api', mode.bad);
    previous(world, good);
    expect(await world.failingCall()).toMatchObject({ ok: true });
    expect(world.shown().api.at(-1)).toBe(good.thumbprint);
  });
});

describe('a certificate that the token endpoint refuses', () => {
  it('is CertificateInvalid where there is no other, for 60 s without a call', async () => {
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

  it('is IdpUnavailable where it may be an outage, with one look for others a minute', async () => {
    await using world = await startTlsWorld({ text: textWith(good), tls: open });
    previous(world, ofOtherKind);
    world.idp.always = 'reset';
    const sent: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      expect(await failureOf(world.text())).toMatchObject({ kind: 'IdpUnavailable' });
      sent.push(world.posts());
      world.clock.advance(20 * second);
    }
    // Two by each certificate; then one attempt a flight, by the one in use.
    expect(sent).toEqual([4, 5, 6]);
    world.idp.always = undefined;
    world.clock.advance(20 * second);
    await world.text();
    expect(world.shown().idp.at(-1)).toBe(good.thumbprint);
  });
});

describe('a cold container', () => {
  it.each(
    sample(
      [
        ['is no JSON', '{'],
        ['has no client id', '{}'],
        ['has a key of another certificate', textWith({ ...good, privateKey: ofOtherKind.privateKey })],
        ['has a certificate that is none', textWith({ ...good, certificate: 'x' })],
        ['has a certificate that has expired', textWith(root.issue('client', { validTo: Date.UTC(2026, 0) }))],
      ] as const,
      3,
    ),
  )('works on AWSPREVIOUS where AWSCURRENT %s', async (_, text) => {
    await using world = await startTlsWorld({ text });
    previous(world, good);
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown()).toEqual({ idp: [good.thumbprint], api: [good.thumbprint] });
    // Once AWSCURRENT is put right it is used.
    const fixed = root.issue('client');
    world.secrets.versions.set('AWSCURRENT', { versionId: 'v2', text: textWith(fixed) });
    world.clock.advance(60 * minute);
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown().api.at(-1)).toBe(fixed.thumbprint);
  });
});
