import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { Answer, Call, Procedures } from './offer.ts';

/*
 * Procedures of another process.
 * A candidate shares no heap, compiled code or event loop with its measurement or with the next candidate.
 */

/** Another process. It ends with this one. */
export type Remote<Offered extends Procedures> = AsyncDisposable & {
  readonly pid: number;
  readonly call: <Name extends keyof Offered & string>(
    procedure: Name,
    ...input: Parameters<Offered[Name]>
  ) => Promise<Awaited<ReturnType<Offered[Name]>>>;
};

type RemoteOptions = {
  /** The complete environment of the process. */
  readonly environment: NodeJS.ProcessEnv;
  /** The CPU of the process; undefined for any. */
  readonly cpu?: number | undefined;
  /** Options of Node.js. */
  readonly flags?: readonly string[] | undefined;
  /** Receives standard output and error until disposal. Without it, standard output is discarded. */
  readonly hear?: (words: string) => void;
};

/** The environment of a candidate, and its options of Node.js. */
export type Placement = Pick<RemoteOptions, 'environment' | 'flags'>;

const allowedCpus = (): readonly number[] => {
  if (process.platform !== 'linux') return [];
  const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
};

const [first, second] = allowedCpus();
const canPin = second !== undefined && spawnSync('taskset', ['-c', `${first},${second}`, 'true']).status === 0;

/** The CPU of the candidates; undefined without `taskset` or a second CPU. What they call runs on the other one. */
export const cpu = canPin ? first : undefined;
const otherCpu = canPin ? second : undefined;

/** Options of Node.js for profiles of measured processes, which they write when they end. See RESULTS.md. */
export const profileFlags = (): readonly string[] => {
  const folder = process.env['BENCH_PROFILES'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(folder)}`];
};

const answerOf = (child: ChildProcess): Promise<Answer> =>
  new Promise((resolve) => {
    const end = (code: number | null, signal: string | null) => {
      child.off('message', take);
      resolve({ reason: `it ended with ${code ?? signal}` });
    };
    const take = (answer: unknown) => {
      child.off('exit', end);
      resolve(answer as Answer);
    };
    child.once('message', take).once('exit', end);
  });

/** Starts a script of this folder that provides procedures with `offer`. It answers one call at a time. */
export const startRemote = <Offered extends Procedures>(
  script: string,
  { environment, cpu, flags: own = [], hear }: RemoteOptions,
): Remote<Offered> => {
  const flags = [...profileFlags(), ...own];
  const pinned =
    cpu === undefined
      ? { execPath: process.execPath, execArgv: flags }
      : { execPath: 'taskset', execArgv: ['-c', String(cpu), process.execPath, ...flags] };
  const child = fork(resolve(import.meta.dirname, script), {
    ...pinned,
    env: environment,
    // The function pays for writing its logs, as on Lambda, but the parent does not read them.
    stdio: hear === undefined ? ['ignore', 'ignore', 'inherit', 'ipc'] : ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const heard = [child.stdout, child.stderr].flatMap((output) => {
    if (output === null || hear === undefined) return [];
    return [once(output.setEncoding('utf8').on('data', hear), 'close')];
  });
  const ended = Promise.all([once(child, 'exit'), ...heard]);
  return {
    pid: child.pid ?? Number.NaN,
    call: async (procedure, ...[input]) => {
      const call: Call = { procedure, input };
      child.send(call);
      const { value, reason } = await answerOf(child);
      if (reason !== undefined) throw new Error(`${basename(script)}, ${procedure}: ${reason}`);
      return value as never;
    },
    [Symbol.asyncDispose]: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};

/** Starts a script on the CPU of the candidates. */
export const startBeside = <Offered extends Procedures>(script: string, placement: Placement): Remote<Offered> =>
  startRemote(script, { ...placement, cpu });

/** Starts a script on the other CPU, with the environment of this process. */
export const startAway = <Offered extends Procedures>(script: string): Remote<Offered> =>
  startRemote(script, { environment: process.env, cpu: otherCpu });
