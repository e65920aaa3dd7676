import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intervalOf, silenceOf } from '../../../lib/tools/template/alarms/heartbeat.ts';
import { nextTime, timingOf } from '../../../lib/tools/local/schedules/schedules.ts';
import { alarmsIn, periodOf, resourcesOf, rings, type AlarmProperties, type Values } from '../../support/cloudwatch.ts';
import { runs } from '../../support/samples.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';

const alarmNamed = async (id: string, mode: Mode = 'connected'): Promise<AlarmProperties> => {
  const alarm = (await alarmsIn(mode)).get(id);
  if (alarm === undefined) throw new Error(`the ${mode} mode has no ${id}`);
  return alarm;
};

/** Values of metrics by name, the newest first. A list that is too short has no older data. */
const series =
  (byName: Readonly<Record<string, readonly number[]>>): Values =>
  ({ MetricName }, age) =>
    byName[MetricName]?.[age];

describe('error rate alarm', () => {
  it.each<[string, Readonly<Record<string, readonly number[]>>, boolean]>([
    ['all of four requests fail, in each period', { '5xx': [4, 4, 4], Count: [4, 4, 4] }, false],
    ['one bad period', { '5xx': [50, 0, 0], Count: [50, 50, 50] }, false],
    ['two bad periods of three', { '5xx': [5, 0, 5], Count: [50, 50, 50] }, true],
    ['all of five requests fail, in two periods', { '5xx': [5, 5], Count: [5, 5] }, true],
    ['half a percent fails', { '5xx': [50, 50, 50], Count: [10_000, 10_000, 10_000] }, false],
    ['no requests', {}, false],
  ])('rings by rate, with a minimum of errors: %s', async (_, values, expected) => {
    for (const id of ['ApiErrorsAlarm', 'HooksErrorsAlarm'])
      expect({ id, rings: rings(await alarmNamed(id), series(values)) }).toEqual({ id, rings: expected });
  });

  it('of the API for browsers rings by single errors in two periods, because few consumers withdraw', async () => {
    const alarm = await alarmNamed('WebErrorsAlarm');
    expect(rings(alarm, series({ '5xx': [1, 0, 0], Count: [3, 3, 3] }))).toBe(false);
    expect(rings(alarm, series({ '5xx': [1, 0, 1], Count: [3, 3, 3] }))).toBe(true);
    expect(rings(alarm, series({ '5xx': [1, 1, 1], Count: [100, 100, 100] }))).toBe(false);
  });

  it('rings when invocations of a worker fail, but not for one failure', async () => {
    const alarm = await alarmNamed('ProcessErrorsAlarm');
    expect(rings(alarm, series({ Errors: [1, 1], Invocations: [1, 1] }))).toBe(false);
    expect(rings(alarm, series({ Errors: [3, 3], Invocations: [10, 10] }))).toBe(true);
  });
});

describe('latency alarm', () => {
  it.each<[string, readonly number[], readonly number[], boolean]>([
    ['few requests', [9_000, 9_000, 9_000], [10, 10, 10], false],
    ['many requests for 15 minutes', [9_000, 9_000, 9_000], [100, 100, 100], true],
    ['many requests for ten minutes', [9_000, 9_000, 100], [100, 100, 100], false],
  ])('rings when many requests are slow: %s', async (_, Latency, Count, expected) => {
    expect(rings(await alarmNamed('ApiLatencyAlarm'), series({ Latency, Count }))).toBe(expected);
  });
});

describe('throttle alarm of the table', () => {
  it('rings when one index throttles, without data of the others', async () => {
    const alarm = await alarmNamed('TableThrottlesAlarm');
    const only =
      (index: string): Values =>
      (metric, age) =>
        age < 2 && metric.Dimensions?.some(({ Value }) => Value === index) === true ? 60 : undefined;
    expect(rings(alarm, only('byUpdate'))).toBe(true);
    expect(rings(alarm, only('bySize'))).toBe(false);
  });
});

describe('alarm on a metric of the functions', () => {
  it.each<[string, string, number, boolean]>([
    ['CertificateDaysLeftAlarm', 'CertificateDaysLeft', 20, true],
    ['CertificateDaysLeftAlarm', 'CertificateDaysLeft', 21, false],
    ['RefundsOverdueAlarm', 'RefundsOverdue', 1, true],
    ['RefundsOverdueAlarm', 'RefundsOverdue', 0, false],
    ['ChainBrokenAlarm', 'ChainBroken', 1, true],
    ['InboxDeadLettersAlarm', 'ApproximateNumberOfMessagesVisible', 1, true],
  ])('compares: %s with %s of %i rings: %j', async (id, metric, value, expected) => {
    expect(rings(await alarmNamed(id), series({ [metric]: [value] }))).toBe(expected);
  });

  it('rings in the hour in which a withdrawal is left to staff', async () => {
    const alarm = await alarmNamed('WithdrawalsForStaffAlarm', 'standalone');
    expect(rings(alarm, series({ WithdrawalsForStaff: [1] }))).toBe(true);
    expect(rings(alarm, series({ WithdrawalsForStaff: [0, 1] }))).toBe(false);
  });
});

describe.each(modes)('alarms without data in the %s mode', (mode) => {
  it('ring for missing runs, and for nothing else', async () => {
    const ringing = [...(await alarmsIn(mode))].filter(([, alarm]) => rings(alarm, () => undefined)).map(([id]) => id);
    const schedules = [...(await resourcesOf(mode, 'AWS::Scheduler::Schedule')).keys()];
    expect(ringing.toSorted()).toEqual(schedules.map((id) => id.replace(/Schedule$/, 'HeartbeatAlarm')).toSorted());
  });
});

const minute = 60_000;
const day = 86_400_000;

/** Returns the times at which runs begin between two times, each delayed by a time up to three minutes. */
const runsOf = (expression: string, from: number, until: number, delay: (run: number) => number): number[] => {
  const timing = timingOf(expression);
  if (timing === undefined) throw new Error(`${expression} is unknown`);
  const times: number[] = [];
  for (let due = nextTime(timing, from); due < until; due = nextTime(timing, due))
    times.push(due + delay(times.length));
  return times;
};

/** Counts runs in the periods before a time, as Lambda counts invocations: no data where nothing ran. */
const countBefore =
  (times: readonly number[], now: number, periodMs: number): Values =>
  (_, age) =>
    times.filter((at) => at >= now - (age + 1) * periodMs && at < now - age * periodMs).length || undefined;

describe.each(modes)('heartbeats in the %s mode', (mode) => {
  type Schedule = { readonly ScheduleExpression: string };
  /** Returns the schedules with their heartbeats, for some values of the parameters. */
  const pairs = async (changes: Readonly<Record<string, string>> = {}) => {
    const alarms = await alarmsIn(mode, changes);
    return [...(await resourcesOf<Schedule>(mode, 'AWS::Scheduler::Schedule', changes))].map(
      ([id, { ScheduleExpression: expression }]) => {
        const heartbeat = `${id.replace(/Schedule$/, '')}HeartbeatAlarm`;
        const alarm = alarms.get(heartbeat);
        if (alarm === undefined) throw new Error(`there is no ${heartbeat}`);
        return { heartbeat, expression, alarm };
      },
    );
  };

  it.each(['1', '15', '480'])('have a window longer than the interval, also every %s minutes', async (minutes) => {
    for (const { heartbeat, expression, alarm } of await pairs({ ReconcileMinutes: minutes })) {
      const timing = timingOf(expression);
      const first = timing === undefined ? Number.NaN : nextTime(timing, 0);
      const interval = timing === undefined ? Number.NaN : nextTime(timing, first) - first;
      const window = periodOf(alarm) * Number(alarm.EvaluationPeriods) * 1_000;
      expect({ heartbeat, tooShort: !(window >= interval + 2 * minute) }).toEqual({ heartbeat, tooShort: false });
    }
  });

  it('do not ring while runs begin on time, or up to two minutes late', async () => {
    const all = await pairs();
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.array(fc.integer({ min: 0, max: 2 * minute }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 2 * day, max: 4 * day }),
        ({ heartbeat, expression, alarm }, delays, now) => {
          const times = runsOf(expression, 0, now, (run) => delays[run % delays.length] ?? 0);
          const started = times.filter((at) => at < now);
          const ringing = rings(alarm, countBefore(started, now, periodOf(alarm) * 1_000));
          expect({ heartbeat, ringing }).toEqual({ heartbeat, ringing: false });
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('ring soon after a run is missing', async () => {
    for (const { heartbeat, expression, alarm } of await pairs()) {
      const times = runsOf(expression, 0, 3 * day, () => 0);
      const last = times.at(-1) ?? 0;
      const interval = last - (times.at(-2) ?? 0);
      // The next run is due after one interval. A shop may be reconciled late, so that heartbeat waits for three.
      const soon = heartbeat.startsWith('Reconcile')
        ? 3 * interval + minute
        : Math.max(1.5 * interval, interval + 5 * minute);
      const period = periodOf(alarm) * 1_000;
      const ringsAfter = (ms: number) => rings(alarm, countBefore(times, last + ms, period));
      expect({ heartbeat, before: ringsAfter(interval), soon: ringsAfter(soon) }).toEqual({
        heartbeat,
        before: false,
        soon: true,
      });
    }
  });

  it('ring after the time that the guide states', async () => {
    const guide = readFileSync('lib/tools/guides/alarms.md', 'utf8');
    for (const { heartbeat, alarm } of await pairs()) {
      const silence = heartbeat.startsWith('Reconcile')
        ? '3 intervals'
        : silenceOf({ period: periodOf(alarm), evaluationPeriods: Number(alarm.EvaluationPeriods) });
      expect(guide).toContain(`${heartbeat} (${silence})`);
    }
  });
});

describe('interval of a schedule', () => {
  it.each([
    ['rate(1 minute)', 60],
    ['rate(2 hours)', 7_200],
    ['rate(1 day)', 86_400],
    ['cron(3/15 * * * ? *)', 900],
    ['cron(40 * * * ? *)', 3_600],
    ['cron(30 3 * * ? *)', 86_400],
  ])('is read from %s', (expression, seconds) => {
    expect(intervalOf(expression)).toBe(seconds);
  });

  it.each(['cron(0 8 ? * MON-FRI *)', 'at(2026-01-01T00:00:00)', 'rate(1 week)', ''])(
    'is unknown for %j, which fails the build',
    (expression) => {
      expect(() => intervalOf(expression)).toThrow('give its row a heartbeat');
    },
  );
});
