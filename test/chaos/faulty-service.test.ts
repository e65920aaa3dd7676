import { describe, expect, it } from 'vitest';
import { startServer } from '../support/http-server.ts';
import { startFaultyService } from './faulty-service.ts';
import type { ServiceFault } from './plan.ts';
import { repliesOf } from './replies.ts';

const start = async () => {
  const service = await startServer(({ body }) => ({ status: 200, body: `took ${body}` }));
  const proxy = await startFaultyService(service.origin, repliesOf.eventbridge, () => 0);
  const call = async (body = '{"Entries":[{},{}]}', signal?: AbortSignal) =>
    fetch(proxy.origin, { method: 'POST', body, ...(signal && { signal }) }).then(
      async (response) => response.text(),
      () => 'no answer',
    );
  return {
    service,
    proxy,
    call,
    fail: async (kind: ServiceFault) => proxy.set({ kind, share: 1, forMs: 10 }),
    [Symbol.asyncDispose]: async () => {
      await proxy.close();
      await service[Symbol.asyncDispose]();
    },
  };
};

describe('faulty service', () => {
  it('forwards requests before and after a fault', async () => {
    await using world = await start();
    expect(await world.call('a')).toBe('took a');
    await world.fail('reset');
    expect(await world.call('b')).toBe('no answer');
    await world.proxy.set(undefined);
    expect(await world.call('c')).toBe('took c');
    expect(world.service.requests.map(({ body }) => body)).toEqual(['a', 'c']);
  });

  it.each<[ServiceFault, string, boolean]>([
    ['slow', 'took a', true],
    ['lost-reply', 'no answer', true],
    ['wrong', '{"FailedEntryCount":0,"Ent', false],
  ])('answers a request with the fault %s by %j', async (kind, answer, acts) => {
    await using world = await start();
    await world.fail(kind);
    expect(await world.call('a')).toBe(answer);
    expect(world.service.requests.length).toBe(acts ? 1 : 0);
    expect(world.proxy.affected()).toEqual({ [kind]: 1 });
  });

  it('rejects every entry of EventBridge when it throttles', async () => {
    await using world = await start();
    await world.fail('throttle');
    expect(JSON.parse(await world.call())).toMatchObject({ FailedEntryCount: 2, Entries: [{}, {}] });
  });

  it('gives no answer while it hangs, and breaks the connection at the end', async () => {
    await using world = await start();
    await world.fail('hang');
    const waiting = world.call('a');
    await expect.poll(() => world.proxy.affected()).toEqual({ hang: 1 });
    await world.proxy.set(undefined);
    expect(await waiting).toBe('no answer');
  });

  it('refuses connections while it is stopped', async () => {
    await using world = await start();
    expect(await world.call('a')).toBe('took a');
    await world.fail('stop');
    expect(await world.call('b')).toBe('no answer');
    await world.proxy.set(undefined);
    expect(await world.call('c')).toBe('took c');
  });
});
