import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type AwsEndpoints, functionEnvironment } from './emulators/function-spec.ts';
import type { ModeEvent } from './events.ts';
import { bindAddress } from './ports.ts';
import { type Wait, waitAloud, type WaitFor } from './waits.ts';

export type ModeUrls = {
  readonly api: string;
  /** It does not respond where the deployment receives no webhooks. */
  readonly hooks: string;
  readonly lambda: string;
  /** The API for browsers; absent when the parameter WebApi is `off`. */
  readonly web?: string;
};

/** The settings of a mode's process. */
export type ModeSettings = {
  readonly mode: 'connected' | 'standalone';
  /** The CloudFormation template. */
  readonly template: string;
  /** The folder of the data that outlives the process. */
  readonly dataDir: string;
  /** The root of the paths of the functions' handlers. */
  readonly root: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** The origins of the emulators. */
  readonly aws: AwsEndpoints;
  /** The file that records the functions' calls of AWS; absent for no record. */
  readonly callRecord?: string;
  /** Whether the tables' streams feed functions. */
  readonly streams: boolean;
  /** Whether an index of the table has changed, so that stored returns have to be written to it. */
  readonly reindex?: boolean;
  /** Whether the schedules invoke functions. */
  readonly schedules: boolean;
  /** The factor by which functions may exceed the deployed timeouts, including those of the table. */
  readonly timeScale: number;
  /** Whether the parent subscribes to events. */
  readonly events: boolean;
  /** Whether the process saves memory, at the cost of CPU time under load. */
  readonly light?: boolean;
  readonly ports: {
    readonly api: number;
    readonly hooks: number;
    readonly lambda: number;
    readonly web?: number;
    readonly objects?: number;
  };
};

/** The messages of the process to its parent. */
export type ModeMessage =
  | { readonly type: 'ready'; readonly urls: ModeUrls }
  /** A part of the start is done. */
  | { readonly type: 'progress' }
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'event'; readonly event: ModeEvent };

/** The time for running work; functions of this service need less. */
const stopDeadline = 5_000;

/** A young generation of 3 MB instead of up to 100 MB, all of which an idle process would retain. */
const lightFlags = ['--max-semi-space-size=1'];

/** glibc retains freed memory in arenas, one for each thread. Large blocks return to the system. */
const lightEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

const run = async (settings: ModeSettings, logFile: string): Promise<ChildProcess> => {
  await mkdir(dirname(logFile), { recursive: true });
  const log = await open(logFile, 'a', 0o600);
  try {
    const child = fork(join(import.meta.dirname, 'mode.ts'), {
      execArgv: settings.light === true ? lightFlags : [],
      // The compile cache is shared with all later processes: it saves a third of a mode's start.
      env: {
        ...functionEnvironment(settings.aws),
        HOST: bindAddress(),
        NODE_COMPILE_CACHE: join(settings.root, 'dist/compiled'),
        ...(settings.light === true && lightEnvironment),
      },
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
    });
    child.send(settings);
    return child;
  } finally {
    await log.close();
  }
};

const awaitReady = (
  child: ChildProcess,
  { mode }: ModeSettings,
  logFile: string,
  { progress }: Wait,
): Promise<ModeUrls> =>
  new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(`the ${mode} mode did not start: ${reason} (${logFile})`));
    child.on('message', (word: ModeMessage) => {
      if (word.type === 'ready') resolve(word.urls);
      else if (word.type === 'failed') fail(word.reason);
      else progress();
    });
    child.once('exit', (code) => fail(`it ended with ${code}`));
  });

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

const kill = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
};

const end = async (child: ChildProcess, timeScale: number): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadline * timeScale);
  await ended;
  clearTimeout(timer);
};

const portOf = (url: string): number => Number(new URL(url).port);

/** A mode of the stack, which can be stopped and started again on the same ports. */
export type ModeProcess = {
  readonly urls: ModeUrls;
  readonly stop: () => Promise<void>;
  /** Kills it during its work, like a crash of the machine. */
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Returns the id of its process; undefined while it is stopped. */
  readonly pid: () => number | undefined;
};

/** Returns a mode that is not started: its addresses do not respond. */
export const absentMode = (mode: ModeSettings['mode']): ModeProcess => {
  const origin = `https://${mode}.invalid`;
  return {
    urls: { api: origin, hooks: origin, lambda: origin },
    stop: async () => undefined,
    kill: async () => undefined,
    start: () => Promise.reject(new Error(`the stack was started without the ${mode} mode`)),
    pid: () => undefined,
  };
};

/** Starts a mode in a process of its own. The output of its functions goes to the log file. */
export const startMode = async (
  settings: ModeSettings,
  logFile: string,
  onEvent: (event: ModeEvent) => void,
  waitFor: WaitFor = waitAloud,
): Promise<ModeProcess> => {
  const subject = {
    what: `the ${settings.mode} mode`,
    log: logFile,
    remedy: 'free CPU or memory, and start again',
  };
  const launch = async (ports: ModeSettings['ports']) => {
    const child = await run({ ...settings, ports }, logFile);
    child.on('message', (word: ModeMessage) => {
      if (word.type === 'event') onEvent(word.event);
    });
    try {
      return { child, urls: await waitFor(subject, (wait) => awaitReady(child, settings, logFile, wait)) };
    } catch (error) {
      await kill(child);
      throw error;
    }
  };
  const { child, urls } = await launch(settings.ports);
  const ports = {
    ...settings.ports,
    api: portOf(urls.api),
    hooks: portOf(urls.hooks),
    lambda: portOf(urls.lambda),
    ...(urls.web !== undefined && { web: portOf(urls.web) }),
  };
  let running: ChildProcess | undefined = child;
  return {
    urls,
    stop: async () => {
      if (running !== undefined) await end(running, settings.timeScale);
      running = undefined;
    },
    kill: async () => {
      if (running !== undefined) await kill(running);
      running = undefined;
    },
    start: async () => {
      running ??= (await launch(ports)).child;
    },
    pid: () => running?.pid,
  };
};
