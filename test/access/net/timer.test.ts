import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createTimer } from '../../../lib/access/net/clock.ts';
import { inSoak } from '../../support/samples.ts';

/** Runs a program that waits, and returns its exit. The status is missing where the program did not end by itself. */
const run = (program: string) => {
  const source = `import { createTimer } from './lib/access/net/clock.ts'; const after = createTimer(); ${program}`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', source], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, said: stdout };
};

describe('shared timer', () => {
  afterEach(() => vi.restoreAllMocks());

  it('runs each callback in order and none before its millisecond', async () => {
    const after = createTimer();
    const called: number[] = [];
    const early: number[] = [];
    const startedAt = performance.now();
    // All start at once, however long that takes.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(startedAt);
    const waits = [40, 5, 20.7, 60, 5, 0].map(
      (ms) =>
        new Promise<void>((resolve) => {
          after(ms, () => {
            called.push(ms);
            if (performance.now() - startedAt < ms - 1) early.push(ms);
            resolve();
          });
        }),
    );
    clock.mockRestore();
    await Promise.all(waits);
    expect(called).toEqual([0, 5, 5, 20.7, 40, 60]);
    expect(early).toEqual([]);
  });

  it('runs a callback on time while the clock stands still', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(1_000);
    const after = createTimer();
    await new Promise<void>((resolve) => void after(20, resolve));
    expect(performance.now()).toBe(1_000);
  });

  it('includes a timer that starts during a callback', async () => {
    const after = createTimer();
    const cancel = after(60_000, () => expect.unreachable());
    const called: string[] = [];
    await new Promise<void>((resolve) => {
      after(5, () => {
        called.push('first');
        after(5, () => {
          called.push('begun by it');
          resolve();
        });
      });
    });
    cancel();
    expect(called).toEqual(['first', 'begun by it']);
  });

  it('runs no cancelled callback, also when another one of the same moment cancels it', async () => {
    const after = createTimer();
    const called: string[] = [];
    const cancel: (() => void)[] = [];
    after(10, () => {
      called.push('first');
      for (const each of cancel) each();
    });
    cancel.push(
      after(10, () => called.push('second')),
      after(15, () => called.push('third')),
    );
    after(1, () => called.push('zeroth'))();
    await new Promise<void>((resolve) => void after(20, resolve));
    expect(called).toEqual(['first']);
  });

  it.each(inSoak('keeps a program alive only while a timer is pending'))('%s', () => {
    expect(run("after(60_000, () => console.log('never'))(); after(50, () => console.log('called'));")).toMatchObject({
      status: 0,
      said: 'called\n',
    });
    expect(run("after(60_000, () => console.log('never'))(); console.log('done');")).toEqual({
      status: 0,
      said: 'done\n',
    });
    // Starts again on a timer that had no pending callback meanwhile.
    const again = "const cancel = after(200, () => 0); cancel(); after(300, () => console.log('called'));";
    expect(run(again)).toMatchObject({ status: 0, said: 'called\n' });
  });

  it('runs the other callbacks when one throws', () => {
    const throwing = "process.on('uncaughtException', ({ message }) => console.log(message));";
    const waits = "after(5, () => { throw new Error('thrown'); }); after(5, () => console.log('called'));";
    expect(run(`${throwing} ${waits}`)).toMatchObject({ status: 0, said: 'thrown\ncalled\n' });
  });
});
