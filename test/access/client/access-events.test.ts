import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAccessMetrics } from '../../../lib/access/client/access-metrics.ts';
import type { AccessEvent, OnAccessEvent } from '../../../lib/access/oauth/access-event.ts';
import { marker, minute, startHarness } from '../oauth/harness.ts';
import { metricsIn } from '../../support/metric-format.ts';
import { hearLines } from '../../support/standard-output.ts';
import { credentialsScenarios } from './scenarios/credentials.ts';
import type { Scenario, Scenarios } from './scenarios/scenario.ts';
import { sharedTokenScenarios } from './scenarios/shared-token.ts';
import { tokenScenarios } from './scenarios/token.ts';
import { sample } from '../../support/samples.ts';
import { logAccessEvent } from '../../../lib/access/client/access-event-log.ts';
import { restoreEnvironment, stubEnvironment } from '../../support/environment.ts';

const someNumber: unknown = expect.any(Number);

const ofFunction = { functionName: 'returns-dev-f', operationMetrics: false };

const written: string[] = [];
const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);

beforeEach(() => {
  written.length = 0;
  hearLines((line) => written.push(line));
});
afterEach(() => {
  vi.restoreAllMocks();
  restoreEnvironment();
});

/** Returns the log of a container that started with this LOG_LEVEL. */
const logAt = async (level: string): Promise<OnAccessEvent> => {
  stubEnvironment({ LOG_LEVEL: level });
  return logAccessEvent;
};

/** A scenario for every type of access event. */
const scenarios: Scenarios<AccessEvent['type']> = {
  ...tokenScenarios,
  ...sharedTokenScenarios,
  ...credentialsScenarios,
};
const cases = Object.entries(scenarios).flatMap(([type, some]) =>
  some.map((scenario): [string, string, Scenario] => [type, scenario.name, scenario]),
);

describe('access event', () => {
  it.each(sample(cases, 6))('is one line of the log: %s, %s', async (message, _, { run, level = 'debug', line }) => {
    await using harness = await startHarness({ onEvent: await logAt('debug') });
    await run(harness);
    expect(lines()).toContainEqual(expect.objectContaining({ level, message, ...line }));
    const logged = lines().filter((one) => Object.hasOwn(scenarios, String(one['message'])));
    expect(logged).toHaveLength(harness.events.length);
  });

  it.each(cases)('is no line below the level: %s, %s', async (_, __, { run }) => {
    await using harness = await startHarness({ onEvent: await logAt('info') });
    await run(harness);
    expect(lines().filter(({ level }) => level === 'debug')).toEqual([]);
  });

  it.each(sample(cases, 6))('becomes metrics: %s, %s', async (_, __, { run, metrics, reasons = [] }) => {
    const measured: string[] = [];
    const measure = createAccessMetrics({
      functionName: 'returns-dev-getReturn',
      operationMetrics: true,
      now: () => 0,
      write: (text) => measured.push(text),
    });
    await using harness = await startHarness({ onEvent: measure.onEvent });
    await run(harness);
    measure.writeDue();
    const [metricLine, ...more] = measured.map(metricsIn);
    expect(more).toEqual([]);
    expect(metricLine).toMatchObject({
      namespace: 'Returns',
      dimensions: [{ Deployment: 'returns-dev' }, { FunctionName: 'returns-dev-getReturn' }],
      reasons: expect.arrayContaining([...reasons]),
    });
    const values = Object.entries(metrics).map(([name, value]) => [
      name,
      expect.arrayContaining([typeof value === 'string' ? someNumber : value]),
    ]);
    expect(metricLine?.metrics).toMatchObject(Object.fromEntries(values) as object);
    const timed = Object.keys(metrics).filter((name) => metrics[name] === 'some ms');
    expect(timed.map((name) => [name, metricLine?.units[name]])).toEqual(timed.map((name) => [name, 'Milliseconds']));
  });

  it.each(sample(cases, 6))('shows no secret: %s, %s', async (_, __, { run }) => {
    const log = await logAt('debug');
    const measured: string[] = [];
    const measure = createAccessMetrics({ ...ofFunction, now: () => 0, write: (text) => measured.push(text) });
    await using harness = await startHarness({
      onEvent: (event) => {
        log(event);
        measure.onEvent(event);
      },
    });
    harness.idp.fields['access_token'] = `token-${marker}`;
    await run(harness);
    measure.writeDue();
    const shown = [...written, ...measured, JSON.stringify(harness.events)].join('\n');
    expect(shown).not.toMatch(new RegExp(`${marker}|BEGIN|client_secret=`));
    expect(shown).toContain('token');
  });
});

describe('metrics of warm calls', () => {
  const start = () => {
    const measured: string[] = [];
    let now = 0;
    const measure = createAccessMetrics({ ...ofFunction, now: () => now, write: (text) => measured.push(text) });
    const serve = (ageMs: number) => {
      measure.onEvent({ type: 'token served', state: 'fresh', ageMs });
      measure.writeDue();
    };
    return { measure, measured, serve, advance: (ms: number) => void (now += ms) };
  };

  it('are collected for a minute and written in one line', () => {
    const { measured, serve, advance } = start();
    serve(1);
    expect(measured.map((line) => metricsIn(line).metrics)).toEqual([{ TokenAge: [1] }]);
    advance(minute - 1);
    serve(2);
    serve(3);
    expect(measured).toHaveLength(1);
    advance(1);
    serve(4);
    expect(measured.map(metricsIn).at(-1)).toMatchObject({ metrics: { TokenAge: [2, 3, 4] }, at: minute });
  });

  it('are written before they exceed one line', () => {
    const { measured, serve } = start();
    for (let age = 0; age <= 250; age += 1) serve(age);
    expect(measured.map((line) => metricsIn(line).metrics['TokenAge']?.length)).toEqual([1, 100, 100]);
  });

  it('are written with the next event of another type', () => {
    const { measure, measured, serve } = start();
    serve(1);
    serve(2);
    measure.onEvent({ type: 'connections replaced after a freeze', idleMs: 5_000 });
    serve(3);
    expect(measured.map((line) => metricsIn(line).metrics)).toEqual([
      { TokenAge: [1] },
      { TokenAge: [2, 3], ConnectionsReplaced: [1] },
    ]);
  });

  it('are not written without an event', () => {
    const { measure, measured } = start();
    measure.writeDue();
    measure.onEvent({ type: 'all client secrets rejected', tries: 3, retryAfterMs: minute });
    measure.writeDue();
    expect(measured).toEqual([]);
  });
});

describe('days left of the client certificate', () => {
  const day = 24 * 60 * minute;

  it('are written at the adoption, and then with a call at most once an hour', () => {
    const measured: string[] = [];
    let now = 0;
    const measure = createAccessMetrics({ ...ofFunction, now: () => now, write: (text) => measured.push(text) });
    const adopt = (daysLeft?: number) =>
      measure.onEvent({
        type: 'client certificate adopted',
        swapped: false,
        versionId: 'v1',
        ...(daysLeft !== undefined && { daysLeft }),
      });
    const callAfter = (ms: number) => {
      now += ms;
      measure.onEvent({ type: 'token served', state: 'fresh', ageMs: 1 });
      measure.writeDue();
    };
    adopt(90);
    callAfter(0);
    callAfter(59 * minute);
    callAfter(2 * minute);
    callAfter(2 * minute);
    callAfter(day);
    const parsed = measured.map(metricsIn);
    expect(parsed.map(({ metrics }) => metrics['CertificateDaysLeft'] ?? [])).toEqual([[90], [], [90], [], [89]]);
    expect(parsed[0]).toMatchObject({
      dimensions: [{ Deployment: 'returns-dev' }],
      units: { CertificateDaysLeft: 'None' },
    });
    adopt();
    callAfter(day);
    expect(measured.map(metricsIn).at(-1)?.metrics['CertificateDaysLeft']).toBeUndefined();
  });
});
