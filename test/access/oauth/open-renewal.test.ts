import { describe, expect, it } from 'vitest';
import type { Answer } from '../../support/http-server.ts';
import { failureOf, type Harness, minute, read, second, startHarness } from './harness.ts';

const softAge = 2_880 * second;
const hour = 60 * minute;

/** Waits for background work for the second that a handler allows. */
const settle = async ({ access, clock }: Harness) => {
  const draining = access.drain(10 * second);
  await clock.scheduled(second);
  clock.advance(second);
  await draining;
};

/** Starts a container whose renewal is open after its call. `answer` ends the request of the renewal. */
const startOpenRenewal = async (failures: readonly Answer[] = []) => {
  const harness = await startHarness();
  const { clock, idp } = harness;
  await harness.text();
  clock.advance(softAge);
  for (const failure of failures) {
    idp.instead.push(failure);
    await harness.text();
    await harness.access.drain(10 * second);
    clock.advance(2 * second);
  }
  const { promise, resolve: answer } = Promise.withResolvers<Answer | undefined>();
  idp.always = () => promise;
  await harness.text();
  await idp.server.received(failures.length + 2);
  await settle(harness);
  return { harness, answer };
};

describe('renewal that is open between two calls', () => {
  it('gives no caller a token that grew too old in a freeze', async () => {
    const { harness, answer } = await startOpenRenewal();
    await using _ = harness;
    harness.clock.freeze(hour);
    answer(undefined);
    harness.idp.always = undefined;
    expect(await harness.text()).toBe('token-3');
  });

  it('is repeated for its callers when a freeze broke its only attempt', async () => {
    const { harness, answer } = await startOpenRenewal([{ status: 429, headers: { 'retry-after': '1' } }]);
    await using _ = harness;
    harness.clock.freeze(hour);
    const text = harness.text();
    answer('reset');
    harness.idp.always = undefined;
    expect(await text).toBe('token-2');
  });

  it('reaches its time limit behind calls that need no token', async () => {
    const { harness } = await startOpenRenewal();
    await using _ = harness;
    // The limit is 5 s. Its end takes a moment.
    for (let count = 0; count < 10 && harness.access.isBusy(); count += 1) await settle(harness);
    expect(harness.access.isBusy()).toBe(false);
  });

  it('leaves another call its time limit', async () => {
    const { harness } = await startOpenRenewal();
    await using _ = harness;
    const { access, clock } = harness;
    const token = await harness.token();
    await settle(harness);
    const failure = failureOf((async () => access.replaceToken(read, token, clock.now() + 2 * second))());
    clock.advance(2 * second);
    expect((await failure).kind).toBe('DeadlineExceeded');
  });
});
