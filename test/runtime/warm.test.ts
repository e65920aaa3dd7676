import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startBehindProxy } from '../support/lambda-runtime/behind-proxy.ts';
import type { Invoked } from '../support/lambda-runtime/container.ts';
import { stack } from '../support/stack.ts';

const { aws, standalone } = stack();

const statusOf = ({ outcome }: Invoked) =>
  outcome.kind === 'response' ? (outcome.payload as { statusCode: number }).statusCode : outcome;

describe.concurrent.each([
  // The first event of the connected mode also needs the secret and the token.
  ['standalone', aws.dynamodb, [1, 2, 3]],
  ['connected', standalone.url, [3, 4, 5]],
] as const)('warm container, %s', (mode, origin, requests) => {
  it('reuses connections, secret and token', async () => {
    await using one = await startBehindProxy(mode, 'getReturn', origin, stack());
    const requestCounts: number[] = [];
    for (const _ of requests) {
      const invoked = await one.invoke();
      expect({ status: statusOf(invoked), left: invoked.left }).toEqual({ status: 404, left: [] });
      requestCounts.push(invoked.requests);
    }
    expect(requestCounts).toEqual(requests);
    expect(one.proxy.connections()).toBe(1);
  });

  it('continues after a freeze in which its connections were closed', async () => {
    await using one = await startBehindProxy(mode, 'getReturn', origin, stack());
    expect(statusOf(await one.invoke())).toBe(404);
    for (const times of [2, 3]) {
      await one.container.freeze();
      await one.proxy.turn('pass');
      const invoked = one.invoke();
      // The event is available when it wakes up.
      await turn();
      one.container.thaw();
      expect({ status: statusOf(await invoked), left: (await invoked).left }).toEqual({ status: 404, left: [] });
      expect(one.proxy.connections()).toBe(times);
    }
  });
});
