import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveThrough } from './live-through.ts';
import { schedules, type Step } from './schedule.ts';
import { runs } from '../../support/samples.ts';

/** Callers leave while a replacement for a rejected secret is searched. */
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

/** Callers leave before the rejection of their secret arrives. */
const unheard: readonly Step[] = [
  { kind: 'know', current: false },
  ...Array.from({ length: 2 }, () => ({ kind: 'abort', scope: 'returns:read', when: 'token' }) as const),
  { kind: 'call', scope: 'returns:read', count: 1 },
];

/** The API rejects a token, and after the interval also the one that replaced it. */
const refusedTwice: readonly Step[] = [
  { kind: 'call', scope: 'returns:read', count: 1 },
  { kind: 'revoke', scope: 'returns:read' },
  { kind: 'advance', ms: 10_000 },
  { kind: 'revoke', scope: 'returns:read' },
];

/** The container is frozen for longer than a token lives, while a slow renewal is open. */
const frozenLong: readonly Step[] = [
  { kind: 'slow', ms: 2_000 },
  { kind: 'call', scope: 'returns:read', count: 1 },
  { kind: 'advance', ms: 480_000 },
  { kind: 'call', scope: 'returns:read', count: 1 },
  { kind: 'freeze', ms: 3_600_000 },
  { kind: 'call', scope: 'returns:read', count: 2 },
];

describe('container', () => {
  it('meets every promise about its tokens in any schedule', async () => {
    await fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        expect(await liveThrough(schedule)).toEqual([]);
      }),
      {
        numRuns: runs(200),
        seed: 20_261_121,
        examples: [[leaving], [answeredLate], [unheard], [refusedTwice], [frozenLong]],
      },
    );
  });
});
