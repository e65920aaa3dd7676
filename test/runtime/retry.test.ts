import { describe, expect, it, vi } from 'vitest';
import { pauseBeforeRetry, type PauseLimits } from '../../lib/runtime/retry.ts';

/** Returns the length of a pause with the highest random number, in milliseconds. */
const maximum = async (tries: number, limits: PauseLimits): Promise<number> => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  const started = performance.now();
  await pauseBeforeRetry(tries, limits, AbortSignal.timeout(5_000));
  random.mockRestore();
  return performance.now() - started;
};

describe('retry pause', () => {
  it('doubles its maximum with each attempt, up to a limit', async () => {
    expect(await maximum(2, { baseMs: 10, maxMs: 200 })).toBeGreaterThan(35);
    const limited = await maximum(30, { baseMs: 10, maxMs: 50 });
    expect(limited).toBeGreaterThan(45);
  });

  it('adds a step to its maximum with each attempt', async () => {
    expect(await maximum(3, { stepMs: 20 })).toBeGreaterThan(55);
  });

  it('ends with the signal', async () => {
    const random = vi.spyOn(Math, 'random').mockReturnValue(1);
    const pause = pauseBeforeRetry(1, { stepMs: 60_000 }, AbortSignal.timeout(10));
    await expect(pause).rejects.toMatchObject({ name: 'AbortError' });
    random.mockRestore();
  });
});
