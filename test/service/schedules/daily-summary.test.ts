import { describe, expect, test } from 'vitest';
import type { Output } from '../../../lib/contract/contract.ts';
import type { Backend } from '../../../lib/contract/port.ts';
import { fail, ok } from '../../../lib/runtime/result.ts';
import { dailySummary } from '../../../lib/service/schedules/daily-summary.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { fetchDomainEvents, readUnlisted } from '../../../lib/store/events/outbox.ts';
import { setEnvironment } from '../../support/environment.ts';
import { hearLines } from '../../support/standard-output.ts';
import { ampleDeadline, contextWith, withTimeLeft } from '../../support/time.ts';
import { startSchedules } from './support.ts';
import { inSoak } from '../../support/samples.ts';

const { backendWith } = await startSchedules();
const backend = backendWith({});
setEnvironment({ SUMMARY_EVENTS: 'on' });

const eur = (amount: number) => ({ amount, currency: 'EUR' });
const units = (requested: number) => ({ requested, approved: 1, received: 0, accepted: 0 });
const items: Output<'getAnalytics'>['items'] = [
  {
    value: 'approved',
    returns: 2,
    units: units(3),
    refunded: [eur(500)],
    due: [eur(20), { amount: 7, currency: 'CHF' }],
  },
  { value: 'requested', returns: 1, units: units(2), refunded: [], due: [eur(1)] },
];

/** Returns a statistics function with the same figures for each day, and the requested days. */
const figures = () => {
  const requestedDays: string[] = [];
  const getAnalytics: Backend['getAnalytics'] = async ({ requestedFrom = '', requestedTo = '' }) => {
    requestedDays.push(requestedFrom);
    const body = { groupBy: 'status' as const, requestedFrom, requestedTo, items, freshness: {} };
    return ok({ status: 200 as const, body });
  };
  return { requestedDays, getAnalytics };
};

const run = async (getAnalytics: Backend['getAnalytics'], time: string, context = contextWith()) =>
  dailySummary({ getAnalytics })({ time }, context);

const summaryEvent = async (day: string) => {
  using session = openSession(ampleDeadline());
  const stream = `SUMMARY#${day}`;
  const [domainEvent] = await fetchDomainEvents(session, [{ stream, sequence: 1 }]);
  expect((await readUnlisted(session)).includes(stream)).toBe(domainEvent !== undefined);
  return domainEvent;
};

describe('daily summary', () => {
  test('emits one event for the day before the scheduled time, in concurrent runs too', async () => {
    const { getAnalytics, requestedDays } = figures();
    const lines: Record<string, unknown>[] = [];
    const writing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
    const both = await Promise.all([0, 1].map(async () => run(getAnalytics, '2025-11-22T00:10:00Z')));
    writing.mockRestore();
    expect(both.reduce((sum, one) => sum + one.emitted, 0)).toBe(1);
    expect(new Set(requestedDays)).toEqual(new Set(['2025-11-21']));
    // The publisher of the events counts the returns.
    expect(lines.filter((line) => 'UnitsRequested' in line)).toMatchObject([{ UnitsRequested: 5 }]);
    expect(lines.filter((line) => 'ReturnsRequested' in line)).toEqual([]);
    expect(await summaryEvent('2025-11-21')).toMatchObject({
      type: 'summary.daily',
      actor: { clientId: 'schedule:daily-summary' },
      data: {
        day: '2025-11-21',
        returns: 3,
        statuses: { approved: 2, requested: 1 },
        units: { requested: 5, approved: 2, received: 0, accepted: 0 },
        refunded: [eur(500)],
        due: [{ amount: 7, currency: 'CHF' }, eur(21)],
      },
    });
  });

  test('counts the returns of the day where no events do', async () => {
    setEnvironment({ SUMMARY_EVENTS: 'off' });
    const lines: Record<string, unknown>[] = [];
    const writing = hearLines((line) => lines.push(JSON.parse(line) as Record<string, unknown>));
    expect(await run(figures().getAnalytics, '2025-11-23T00:10:00Z')).toEqual({ emitted: 1 });
    writing.mockRestore();
    setEnvironment({ SUMMARY_EVENTS: 'on' });
    expect(lines.filter((line) => 'UnitsRequested' in line)).toMatchObject([
      { ReturnsRequested: 3, UnitsRequested: 5 },
    ]);
    expect(await summaryEvent('2025-11-22')).toBeUndefined();
  });

  test('makes up for missed days one by one, and postpones days when its time ends', async () => {
    const { getAnalytics, requestedDays } = figures();
    const failing = run(async () => fail({ code: 'timeout', detail: 'Too late.' }), '2025-11-25T00:10:00Z');
    await expect(failing).rejects.toMatchObject({
      name: 'ScheduleFailed',
      message: 'the daily summary of 2025-11-23 failed: timeout',
    });
    const short = withTimeLeft(10_000, async (context) => run(getAnalytics, '2025-11-25T00:10:00Z', context));
    expect(await short).toEqual({ emitted: 0 });
    expect(await run(getAnalytics, '2025-11-25T00:10:00Z')).toEqual({ emitted: 2 });
    expect(requestedDays).toEqual(['2025-11-23', '2025-11-24']);
    expect(await summaryEvent('2025-11-24')).toMatchObject({ sequence: 1 });
    // An earlier clock emits nothing again.
    expect(await run(getAnalytics, '2025-11-20T00:10:00Z')).toEqual({ emitted: 0 });
  });

  test('has the figures of the service', async () => {
    expect(await run(backend.getAnalytics, '2025-11-26T00:10:00Z')).toEqual({ emitted: 1 });
    expect(await summaryEvent('2025-11-25')).toMatchObject({ data: { returns: 0, statuses: {}, refunded: [] } });
  });

  test.each(inSoak('emits nothing for a day that has not ended, at any scheduled time'))('%s', async () => {
    const { getAnalytics, requestedDays } = figures();
    const today = new Date().toISOString().slice(0, 10);
    const later = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const writing = hearLines(() => undefined);
    while ((await run(getAnalytics, later)).emitted > 0);
    writing.mockRestore();
    expect(requestedDays.filter((day) => day >= today)).toEqual([]);
    for (const event of [{ time: 'soon' }, {}, null])
      expect(await dailySummary({ getAnalytics })(event, contextWith())).toEqual({ emitted: 0 });
  });
});
