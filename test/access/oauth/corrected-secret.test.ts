import { describe, expect, it } from 'vitest';
import { startServer } from '../../support/http-server.ts';
import { clientSecret, type Harness, minute, second, secretText, startHarness } from './harness.ts';
import { demanding, root, startTlsWorld, otherAuthority, textWith } from './tls-world.ts';
import { inSoak } from '../../support/samples.ts';

/** Calls once a second, and returns how long that failed in seconds. */
const secondsUntil = async ({ access, clock }: Pick<Harness, 'access' | 'clock'>, call: () => Promise<boolean>) => {
  for (let passed = 0; passed < 600; passed += 1) {
    const isGood = await call();
    await access.drain(10 * second);
    if (isGood) return passed;
    clock.advance(second);
  }
  return Number.POSITIVE_INFINITY;
};

const hasToken = (harness: Harness) => () =>
  harness.text().then(
    () => true,
    () => false,
  );

describe('address of the token endpoint that is corrected in the secret', () => {
  it.each([
    ['no server listens', async (elsewhere: Awaited<ReturnType<typeof startServer>>) => elsewhere.fall()],
    ['the path is unknown', async () => undefined],
  ])('is used within a minute where %s at first', async (_, arrange) => {
    await using elsewhere = await startServer(() => ({ status: 404 }));
    await arrange(elsewhere);
    await using harness = await startHarness({ text: secretText(clientSecret, { authUrl: elsewhere.origin }) });
    for (let count = 0; count < 100; count += 1) {
      expect(await hasToken(harness)()).toBe(false);
      await harness.access.drain(10 * second);
      harness.clock.advance(second);
    }
    expect(harness.secrets.reads()).toBeLessThanOrEqual(4);
    harness.rotate('v2', secretText(clientSecret));
    expect(await secondsUntil(harness, hasToken(harness))).toBeLessThanOrEqual(60);
  });
});

describe('roots that are corrected in the secret', () => {
  it('are used within a minute for the token endpoint', async () => {
    const good = root.issue('client');
    await using world = await startTlsWorld({ text: textWith({ ...good, ca: otherAuthority.certificate }) });
    for (let count = 0; count < 100; count += 1) {
      expect(await hasToken(world)()).toBe(false);
      await world.access.drain(10 * second);
      world.clock.advance(second);
    }
    world.rotate('v2', textWith(good));
    expect(await secondsUntil(world, hasToken(world))).toBeLessThanOrEqual(60);
  });

  it.each(inSoak('are used within a minute for the API, while the token is valid'))('%s', async () => {
    const good = root.issue('client');
    const api = { ...demanding(otherAuthority.issue('server')), ca: [root.certificate, otherAuthority.certificate] };
    await using world = await startTlsWorld({ text: textWith(good), api });
    const call = async () => (await world.failingCall()).ok;
    expect(await call()).toBe(false);
    world.clock.advance(5 * minute);
    expect(await call()).toBe(false);
    await world.access.drain(10 * second);
    world.rotate('v2', textWith({ ...good, ca: `${root.certificate}\n${otherAuthority.certificate}` }));
    expect(await secondsUntil(world, call)).toBeLessThanOrEqual(60);
  });
});
