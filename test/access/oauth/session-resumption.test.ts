import { beforeAll, describe, expect, it, vi } from 'vitest';
import { clientSecret, minute, secretNamed } from './harness.ts';
import { demanding, root, startTlsWorld, textWith, type TlsWorld } from './tls-world.ts';

const first = root.issue('client');
const renewed = root.issue('client', { privateKey: first.privateKey });

const another = secretNamed('two');

/** Swaps the certificate with the next call. No connection can expire meanwhile. */
const swapWithNextCall = (world: TlsWorld) => {
  world.idp.accepted.delete(clientSecret);
  world.idp.accepted.add(another);
  world.rotate('v2', textWith(renewed, another));
  world.api.instead.push(401);
};

beforeAll(() => {
  const held = new Set<object>();
  class Held<Value extends object> extends WeakRef<Value> {
    constructor(target: Value) {
      super(target);
      held.add(target);
    }
  }
  // undici references sessions weakly: garbage collection would decide whether one can be resumed.
  vi.stubGlobal('WeakRef', Held);
});

describe.each(['TLSv1.2', 'TLSv1.3'] as const)('TLS session over %s', (protocol) => {
  const start = () =>
    startTlsWorld({
      text: textWith(first),
      api: { ...demanding(), minVersion: protocol, maxVersion: protocol },
    });
  const sessions = ({ api }: TlsWorld) => api.arrived.map(({ thumbprint, resumed }) => ({ thumbprint, resumed }));

  it('resumes the session of the same certificate, never that of the previous one', async () => {
    await using world = await start();
    await world.call();
    await world.call();
    swapWithNextCall(world);
    expect(await world.call()).toMatchObject({ ok: true });
    await world.call();
    expect(sessions(world)).toEqual([
      { thumbprint: first.thumbprint, resumed: false },
      { thumbprint: first.thumbprint, resumed: true },
      { thumbprint: first.thumbprint, resumed: true },
      { thumbprint: renewed.thumbprint, resumed: false },
      { thumbprint: renewed.thumbprint, resumed: true },
    ]);
    expect(new Set(world.api.arrived.map((one) => one.protocol))).toEqual(new Set([protocol]));
  });

  it('lets a running call end, and presents the new certificate to the next call', async () => {
    await using world = await start();
    const { promise, resolve } = Promise.withResolvers<void>();
    world.api.hold = promise;
    const arrived = world.api.next();
    const underWay = world.call();
    await arrived;
    world.api.hold = undefined;
    await world.call();
    swapWithNextCall(world);
    expect(await world.call()).toMatchObject({ ok: true });
    resolve();
    expect(await underWay).toMatchObject({ ok: true });
    await world.call();
    expect(world.shown().api.slice(-2)).toEqual([renewed.thumbprint, renewed.thumbprint]);
    expect(sessions(world).at(-2)).toMatchObject({ resumed: false });
  });

  it('presents the same certificate after a freeze', async () => {
    await using world = await start();
    await world.call();
    world.clock.freeze(10 * minute);
    expect(await world.call()).toMatchObject({ ok: true });
    expect(world.shown()).toEqual({ idp: [first.thumbprint], api: [first.thumbprint, first.thumbprint] });
  });
});
