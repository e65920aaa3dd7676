import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findEngine } from '../../../lib/tools/local/engine/engine-choice.ts';
import { runEngine } from '../../../lib/tools/local/engine/engine-process.ts';
import { isAlive } from '../../../lib/tools/local/json-file.ts';
import { startStack } from '../../../lib/tools/local/stack.ts';
import { createWaits, type WaitFor } from '../../../lib/tools/local/waits.ts';
import { startServer } from '../../support/http-server.ts';
import { stop } from '../../support/stopped.ts';
import { programs, temporaryDirectory } from './support.ts';
import { bundleRoot } from '../../support/bundles.ts';
import { inSoak } from '../../support/samples.ts';

const [seconds, minutes] = [1_000, 60_000];
const subject = { what: 'the bundles', log: 'logs/build.log', remedy: 'run the build alone' };

/** Waits with a clock that the test moves. */
const openWaits = (endMs?: number) => {
  let clock = 0;
  const reports: string[] = [];
  const report = (lines: readonly string[]) => void reports.push(lines.join('\n'));
  const { waitFor, check } = createWaits({ now: () => clock, report, quietMs: 30 * seconds, endMs });
  const after = (ms: number) => {
    clock += ms;
    check();
  };
  return { waitFor, reports, after };
};

const messageOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'no failure',
    (error: Error) => error.message,
  );

describe('a wait of a start', () => {
  it('reports once, after 30 s without progress, what it waits for, its log and what to try', async () => {
    const { waitFor, reports, after } = openWaits();
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = waitFor(subject, ({ note }) => {
      note('answered 503');
      return promise;
    });
    after(29 * seconds);
    expect(reports).toEqual([]);
    after(1 * seconds);
    after(60 * minutes);
    expect(reports).toEqual([
      '  No progress for 30 s. This start waits for the bundles (answered 503), see logs/build.log.\n' +
        '  A slow machine only needs time. On a fast one, end this start: run the build alone.',
    ]);
    resolve('built');
    expect(await waiting).toBe('built');
  });

  it('neither reports nor ends as long as it makes progress, and ends ten minutes later where a limit is set', async () => {
    const { waitFor, reports, after } = openWaits(10 * minutes);
    let aborted: AbortSignal | undefined;
    const failure = messageOf(
      waitFor(subject, ({ progress, signal }) => {
        aborted = signal;
        for (let part = 0; part < 100; part += 1) {
          after(29 * seconds);
          progress();
        }
        return new Promise(() => undefined);
      }),
    );
    expect(reports).toEqual([]);
    after(30 * seconds);
    expect(reports).toEqual([expect.stringContaining('It ends after 10 min without progress.')]);
    after(569 * seconds);
    expect(aborted?.aborted).toBe(false);
    after(1 * seconds);
    expect(await failure).toBe(
      'waited 10 min without progress for the bundles, see logs/build.log: run the build alone',
    );
    expect(aborted?.aborted).toBe(true);
  });
});

/** The processes of modes that this process has started. */
const modeProcesses = (): readonly number[] =>
  readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('lib/tools/local/mode.ts'))
    .map(Number);

/** Starts the standalone mode, and stops its process as soon as it exists. */
const startStopped = async (
  endMs: number | undefined,
  meanwhile: (pid: number, after: (ms: number) => void) => void,
) => {
  const dataDir = await temporaryDirectory();
  const { waitFor, reports, after } = openWaits(endMs);
  const others = modeProcesses();
  const stopping: WaitFor = (awaited, work) =>
    waitFor(awaited, async (wait) => {
      if (awaited.what !== 'the standalone mode') return work(wait);
      const pid = modeProcesses().find((other) => !others.includes(other)) ?? 0;
      await stop(pid);
      const started = work(wait);
      meanwhile(pid, after);
      return started;
    });
  const options = { dataDir, root: bundleRoot(), modes: ['standalone'], streams: false, schedules: false } as const;
  return { dataDir, reports, starting: startStack({ ...options, waitFor: stopping }) };
};

describe('a mode that does not start', () => {
  it.each(inSoak('is awaited for an hour, and starts when its machine is free'))('%s', async () => {
    const { dataDir, reports, starting } = await startStopped(undefined, (pid, after) => {
      after(60 * minutes);
      process.kill(pid, 'SIGCONT');
    });
    const stack = await starting;
    onTestFinished(stack.close);
    expect(reports).toEqual([
      expect.stringContaining(`waits for the standalone mode, see ${join(dataDir, 'logs/standalone.log')}.`),
    ]);
    expect((await fetch(`${stack.info.standalone.url}/v1/returns`)).status).toBe(401);
  });

  it('ends an unattended start after ten minutes, and is killed', async () => {
    let stopped = 0;
    const { starting } = await startStopped(10 * minutes, (pid, after) => {
      stopped = pid;
      after(10 * minutes);
    });
    await expect(starting).rejects.toThrow('waited 10 min without progress for the standalone mode');
    expect(isAlive(stopped)).toBe(false);
  });
});

describe('an engine that does not start', () => {
  it('is awaited, and is killed when the wait ends', async () => {
    const { waitFor, reports, after } = openWaits(10 * minutes);
    const program = {
      name: 'an engine',
      command: ['/bin/sh', '-c', 'echo starting >&2; exec sleep 1000'],
      environment: { PATH: process.env['PATH'] },
      listening: /^listening/,
    } as const;
    const failure = messageOf(runEngine(program, 1, waitFor));
    after(30 * seconds);
    expect(reports).toEqual([expect.stringContaining('This start waits for an engine on port 1.')]);
    after(570 * seconds);
    // It rejects after the end of the process.
    expect(await failure).toContain('waited 10 min without progress for an engine on port 1: ');
  });

  it('is awaited at the endpoint of the environment', async () => {
    await using engine = await startServer(() => 'hang');
    const { waitFor, reports, after } = openWaits(10 * minutes);
    const failure = messageOf(findEngine({ AWS_ENDPOINT_URL_DYNAMODB: engine.origin }, waitFor));
    await engine.received(1);
    after(9 * minutes);
    expect(reports).toEqual([expect.stringContaining(`This start waits for the engine at ${engine.origin}.`)]);
    after(1 * minutes);
    expect(await failure).toContain(`No DynamoDB engine answers at ${engine.origin}`);
  });

  it('is awaited when Java hangs', async () => {
    const PATH = await programs({ java: 'echo $$ >"$PID_FILE"; exec /bin/sleep 1000' });
    const PID_FILE = join(PATH, 'pid');
    const { waitFor, reports, after } = openWaits(10 * minutes);
    const failure = messageOf(findEngine({ RETURNS_ENGINE: 'dynamodb-local', PATH, PID_FILE }, waitFor));
    const pidOf = () => Number(readFileSync(PID_FILE, { encoding: 'utf8', flag: 'a+' }));
    await expect.poll(pidOf).toBeGreaterThan(0);
    after(30 * seconds);
    expect(reports).toEqual([expect.stringContaining('This start waits for Java (`java -version`)')]);
    after(570 * seconds);
    expect(await failure).toContain('waited 10 min without progress for Java');
    await expect.poll(() => isAlive(pidOf())).toBe(false);
  });
});
