import { afterAll, describe, expect, it } from 'vitest';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readNewestCountedChange, recordNewestChange } from '../../../lib/store/statistics/counters.ts';
import { startEngines } from '../../shops/inbox/engines.ts';
import { ampleDeadline } from '../../support/time.ts';

const engines = await startEngines();
afterAll(engines.stop);

describe('newest counted change', () => {
  it('moves forward, and never back', async () => {
    using session = openSession(ampleDeadline());
    expect(await readNewestCountedChange(session)).toBeUndefined();
    for (const [at, newest] of [
      ['2026-11-02T08:00:00.000Z', '2026-11-02T08:00:00.000Z'],
      ['2026-11-03T08:00:00.000Z', '2026-11-03T08:00:00.000Z'],
      ['2026-11-01T08:00:00.000Z', '2026-11-03T08:00:00.000Z'],
    ] as const) {
      await recordNewestChange(session, 0, at);
      expect(await readNewestCountedChange(session)).toBe(newest);
    }
  });
});
