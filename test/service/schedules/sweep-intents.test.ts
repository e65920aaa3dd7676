import { describe, expect, it } from 'vitest';
import { sweepIntents } from '../../../lib/service/schedules/sweep-intents.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { writeIntent } from '../../../lib/store/write-back/intents.ts';
import { plannedIntent } from '../../support/planned-intent.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { startSchedules } from './support.ts';

await startSchedules();
const later = new Date(Date.now() + 3_600_000).toISOString();

/** Runs the schedule, and returns its metrics. */
const metricsOfRun = async () => {
  const lines: string[] = [];
  const heard = hearLines((line) => void lines.push(line));
  await sweepIntents({}, contextWith());
  heard.mockRestore();
  return lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
};

describe('sweepIntents', () => {
  it('counts the intents that people decide, also when there is none', async () => {
    expect(await metricsOfRun()).toContainEqual(expect.objectContaining({ IntentsParked: 0 }));
    using session = openSession(ampleDeadline());
    await transact(session, [
      writeIntent(plannedIntent({ status: 'parked', reason: 'lines_differ', dueAt: later })),
      writeIntent(plannedIntent({ id: 'wbi_2', dueAt: later })),
    ]);
    expect(await metricsOfRun()).toContainEqual(expect.objectContaining({ IntentsParked: 1 }));
  });
});
