import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { failureOf, minute, second, startHarness } from './harness.ts';
import { demanding, root, textWith } from './tls-world.ts';

const [first, renewed] = [root.issue('first'), root.issue('renewed')];

/** Stands before a server, and ends connections as one does that does not know the client's certificate (RFC 8446, 6.2). */
const startGate = async (target: string) => {
  const gate = { closed: false, refused: 0 };
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (gate.closed) {
      gate.refused += 1;
      client.once('data', () => client.end(Buffer.from([21, 3, 3, 0, 2, 2, 48])));
      // One alone: it is the new certificate that is not known.
      gate.closed = false;
      return;
    }
    const upstream = connect(Number(new URL(target).port), '127.0.0.1').on('error', () => client.destroy());
    client.pipe(upstream).pipe(client);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(gate, {
    authUrl: `https://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')),
  });
};

const start = async () => {
  const harness = await startHarness({ text: textWith(first), tls: demanding() });
  const gate = await startGate(harness.idp.server.origin);
  const textOf = (pair: typeof first) => JSON.stringify({ ...JSON.parse(textWith(pair)), authUrl: gate.authUrl });
  harness.secrets.versions.set('AWSCURRENT', { versionId: 'v1', text: textOf(first) });
  return {
    ...harness,
    gate,
    renew: () => harness.rotate('v2', textOf(renewed)),
    [Symbol.asyncDispose]: async () => {
      await harness.access.close();
      await harness[Symbol.asyncDispose]();
      await gate[Symbol.asyncDispose]();
    },
  };
};

describe('a new certificate that the token endpoint does not know yet', () => {
  it('gives way to that of AWSPREVIOUS', async () => {
    await using world = await start();
    await world.text();
    world.renew();
    world.gate.closed = true;
    world.clock.advance(60 * minute);
    expect(await world.text()).toBe('token-2');
    expect(world.gate.refused).toBe(1);
    expect(world.idp.server.requests.map(({ thumbprint }) => thumbprint)).toEqual([first.thumbprint, first.thumbprint]);
    const stages = world.decisions.flatMap((one) =>
      one.type === 'client secret in use is not the current one' ? [one.stage] : [],
    );
    expect(stages).toEqual(['AWSPREVIOUS']);
  });

  it('is CertificateInvalid where there is no other, for 60 s without a call', async () => {
    await using world = await start();
    world.gate.closed = true;
    const failure = { kind: 'CertificateInvalid', reason: 'refused' };
    expect(await failureOf(world.text())).toMatchObject({ ...failure, retryAfterMs: minute });
    world.clock.advance(59 * second);
    expect(await failureOf(world.text(second, ['returns:write']))).toMatchObject({ ...failure, retryAfterMs: second });
    expect([world.gate.refused, world.posts()]).toEqual([1, 0]);
    world.clock.advance(second);
    expect(await world.text()).toBe('token-1');
  });
});
