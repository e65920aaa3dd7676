import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backOff } from '../../../lib/access/net/back-off.ts';
import { elapsed, stamp } from '../../../lib/access/net/clock.ts';
import { deadline, isTimedOut, sleep } from '../../../lib/access/net/deadline.ts';
import { retryAfterMs } from '../../../lib/access/net/retry-after.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

describe('elapsed', () => {
  it('returns the larger time of the two clocks, and is never negative', () => {
    const clockAt = (wall: number, monotonic: number) => ({
      ...virtualClock(),
      now: () => wall,
      monotonic: () => monotonic,
    });
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -1e9, max: 1e9 }), (wall, monotonic) => {
        const since = stamp(clockAt(0, 0));
        expect(elapsed(clockAt(wall, monotonic), since)).toBe(Math.max(wall, monotonic, 0));
      }),
    );
  });
});

describe('deadline', () => {
  it('ends at its time, with a timeout', () => {
    const clock = virtualClock();
    using limit = deadline(clock, 100);
    clock.advance(99);
    expect(limit.signal.aborted).toBe(false);
    clock.advance(1);
    expect(limit.signal.aborted && isTimedOut(limit.signal)).toBe(true);
  });

  it('ends with the surrounding signal, for its reason', () => {
    const controller = new AbortController();
    using limit = deadline(virtualClock(), 100, controller.signal);
    controller.abort(new Error('gone'));
    expect(limit.signal.aborted && isTimedOut(limit.signal)).toBe(false);
  });

  it('leaves no timer once disposed', () => {
    const clock = virtualClock();
    const limit = deadline(clock, 100);
    limit[Symbol.dispose]();
    clock.advance(1_000);
    expect(limit.signal.aborted).toBe(false);
  });
});

describe('sleep', () => {
  it('resolves after its time, and rejects when its signal ends first', async () => {
    const clock = virtualClock();
    const controller = new AbortController();
    const done = sleep(clock, 50, controller.signal);
    const cut = sleep(clock, 60, controller.signal);
    clock.advance(50);
    await done;
    controller.abort(new Error('gone'));
    await expect(cut).rejects.toThrow('gone');
    await expect(sleep(clock, 1, controller.signal)).rejects.toThrow('gone');
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-11-21T08:00:00Z');

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['Sat, 21 Nov 2026 08:00:05 GMT', 5_000],
    ['Saturday, 21-Nov-26 08:00:05 GMT', 5_000],
    ['Sat, 21 Nov 2026 07:00:00 GMT', 0],
  ])('reads %s', (value, expected) => {
    expect(retryAfterMs(value, now)).toBe(expected);
  });

  it('reads the decimals that Shopify sends', () => {
    expect(retryAfterMs('2.0', 0)).toBe(2_000);
    expect(retryAfterMs('0.25', 0)).toBe(250);
  });

  it.each([undefined, '', '-1', '1.', 'soon', '2026-11-21', '1e3'])('ignores %s', (value) => {
    expect(retryAfterMs(value, now)).toBeUndefined();
  });
});

describe('backOff', () => {
  it('doubles up to the maximum, half of it random', () => {
    const bounds = [1, 2, 3, 4, 5, 6, 50].map((failures) => [
      backOff(1_000, 30_000, failures, 0),
      backOff(1_000, 30_000, failures, 1),
    ]);
    expect(bounds).toEqual([
      [500, 1_000],
      [1_000, 2_000],
      [2_000, 4_000],
      [4_000, 8_000],
      [8_000, 16_000],
      [15_000, 30_000],
      [15_000, 30_000],
    ]);
  });
});
