import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pausableClock } from '../../../lib/access/net/pausable-clock.ts';
import { virtualClock } from '../../support/virtual-clock.ts';

describe('pausableClock', () => {
  it('calls back once, when the time without pauses is over', () => {
    const steps = fc.array(fc.record({ ms: fc.integer({ min: 1, max: 1_000 }), isPaused: fc.boolean() }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), steps, (limit, all) => {
        const steady = virtualClock();
        const clock = pausableClock(steady);
        let calls = 0;
        clock.after(limit, () => {
          calls += 1;
        });
        let counted = 0;
        for (const { ms, isPaused } of all) {
          if (isPaused) clock.pause();
          else clock.resume();
          steady.advance(ms);
          if (!isPaused) counted += ms;
          clock.resume();
          expect(calls).toBe(counted >= limit ? 1 : 0);
        }
      }),
    );
  });

  it('calls nothing back that was cancelled in a pause', () => {
    const steady = virtualClock();
    const clock = pausableClock(steady);
    let calls = 0;
    const cancel = clock.after(10, () => {
      calls += 1;
    });
    clock.pause();
    steady.advance(20);
    cancel();
    clock.resume();
    steady.advance(20);
    expect([calls, clock.pauses(), steady.running()]).toEqual([0, 1, []]);
  });
});
