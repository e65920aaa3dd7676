import { expect, it, vi } from 'vitest';
import { pauseBeforeRetry, type PauseLimits } from '../../lib/runtime/retry.ts';

/** How long a pause is when the random number is as high as it gets, in milliseconds. */
const maximum = async (tries: number, limits: PauseLimits): Promise<number> => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  const begun = performance.now();
  await pauseBeforeRetry(tries, limits, AbortSignal.timeout(5_000));
  random.mockRestore();
  return performance.now() - begun;
};

it('doubles the longest pause with each try, up to a limit', async () => {
  expect(await maximum(2, { baseMs: 10, maxMs: 200 })).toBeGreaterThan(35);
  const limited = await maximum(30, { baseMs: 10, maxMs: 50 });
  expect(limited).toBeGreaterThan(45);
});

it('adds a step to the longest pause with each try', async () => {
  expect(await maximum(3, { stepMs: 20 })).toBeGreaterThan(55);
});

it('ends with the signal, not with the pause', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  const pause = pauseBeforeRetry(1, { stepMs: 60_000 }, AbortSignal.timeout(10));
  await expect(pause).rejects.toMatchObject({ name: 'AbortError' });
  random.mockRestore();
});
