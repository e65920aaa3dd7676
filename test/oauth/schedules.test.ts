import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveThrough } from './live-through.ts';
import { schedules, type Step } from './schedule.ts';
import { runs } from '../support/samples.ts';

/** Callers leave while a replacement for a refused secret is searched. */
const leaving: readonly Step[] = [
  { kind: 'call', scope: 'returns:read', count: 1 },
  { kind: 'know', current: false },
  { kind: 'advance', ms: 550_000 },
  ...Array.from({ length: 4 }, () => ({ kind: 'abort', scope: 'returns:read', when: 'secret' }) as const),
];

/** A caller leaves, and the secret changes before the response to its request. */
const answeredLate: readonly Step[] = [
  { kind: 'call', scope: 'returns:read', count: 1 },
  { kind: 'abort', scope: 'returns:write', when: 'token' },
  { kind: 'rotate' },
  { kind: 'advance', ms: 180_000 },
];

/** Callers leave before the refusal of their secret arrives. */
const unheard: readonly Step[] = [
  { kind: 'know', current: false },
  ...Array.from({ length: 2 }, () => ({ kind: 'abort', scope: 'returns:read', when: 'token' }) as const),
  { kind: 'call', scope: 'returns:read', count: 1 },
];

describe('container', () => {
  it('meets every promise about its tokens in any schedule', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        expect(await liveThrough(schedule)).toEqual([]);
      }),
      { numRuns: runs(200), seed: 20_261_121, examples: [[leaving], [answeredLate], [unheard]] },
    );
  });
});
