import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveThrough } from '../access/oauth/live-through.ts';
import { schedules } from '../access/oauth/schedule.ts';

const runs = Number(process.env['SCHEDULES'] ?? 100_000);
/** A new seed in each run. */
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

describe('tokens of a container', () => {
  it(`keep every promise through ${runs} schedules`, async () => {
    process.stdout.write(`\nSEED=${seed}\n`);
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        expect(await liveThrough(schedule)).toEqual([]);
      }),
      { numRuns: runs, seed },
    );
  });
});
