import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBackground } from '../../../lib/access/net/background.ts';
import { startFlight } from '../../../lib/access/net/single-flight.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

const work = () => {
  const outcome = Promise.withResolvers<string>();
  let signal: AbortSignal | undefined;
  const run = (abortSignal: AbortSignal) => {
    signal = abortSignal;
    abortSignal.addEventListener('abort', () => outcome.reject(abortSignal.reason));
    return outcome.promise;
  };
  return { ...outcome, run, aborted: () => signal?.aborted };
};

describe('startFlight', () => {
  it('gives all waiting callers the same outcome', async () => {
    const { run, resolve } = work();
    const flight = startFlight(run);
    const both = Promise.all([flight.join(new AbortController().signal), flight.join(new AbortController().signal)]);
    resolve('here');
    expect(await both).toEqual(['here', 'here']);
    expect(flight.isOpen()).toBe(false);
  });

  it('continues while one caller waits, and is aborted with the last one', async () => {
    const { run, aborted } = work();
    const flight = startFlight(run);
    const [first, last] = [new AbortController(), new AbortController()];
    const outcomes = Promise.allSettled([flight.join(first.signal), flight.join(last.signal)]);
    first.abort(new Error('first'));
    expect([aborted(), flight.isOpen()]).toEqual([false, true]);
    last.abort(new Error('last'));
    expect([aborted(), flight.isOpen()]).toEqual([true, false]);
    expect((await outcomes).map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual([
      'Error: first',
      'Error: last',
    ]);
  });

  it('is aborted by an only caller whose signal has already ended', async () => {
    const { run, aborted } = work();
    const flight = startFlight(run);
    await expect(flight.join(AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
    expect(aborted()).toBe(true);
  });
});

describe('createBackground', () => {
  it('waits for running work', async () => {
    const { run, resolve } = work();
    const background = createBackground(virtualClock());
    background.run(run);
    const draining = background.drain(1_000).then(() => 'settled');
    const turns = nextTurn('still waiting');
    expect(await Promise.race([draining, turns])).toBe('still waiting');
    resolve('done');
    expect(await draining).toBe('settled');
  });

  it('leaves work running that takes longer than allowed', async () => {
    const { run, resolve, aborted } = work();
    const clock = virtualClock();
    const background = createBackground(clock);
    background.run(run);
    const draining = background.drain(1_000);
    clock.advance(1_000);
    await draining;
    expect([background.isBusy(), aborted()]).toEqual([true, false]);
    resolve('done');
    await background.drain(1_000);
    expect(background.isBusy()).toBe(false);
  });

  it('aborts the work at its end', async () => {
    const { run, aborted } = work();
    const background = createBackground(virtualClock());
    background.run(run);
    await background.end();
    expect([background.isBusy(), aborted()]).toEqual([false, true]);
  });
});
