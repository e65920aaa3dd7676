import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/*
 * Procedures of another process.
 * A candidate shares no heap, compiled code or event loop with its measurement or with the next candidate.
 */

type Procedures = Readonly<Record<string, (input: never) => Promise<unknown>>>;

type Question = { readonly procedure: string; readonly input: unknown };
type Answer = { readonly value?: unknown; readonly reason?: string };

/** Another process. It ends with this one. */
export type Remote<Offered extends Procedures> = AsyncDisposable & {
  readonly pid: number;
  readonly call: <Name extends keyof Offered & string>(
    procedure: Name,
    input: Parameters<Offered[Name]>[0],
  ) => Promise<Awaited<ReturnType<Offered[Name]>>>;
};

export type RemoteOptions = {
  /** The complete environment of the process. */
  readonly environment: NodeJS.ProcessEnv;
  /** The CPU of the process; undefined for any. */
  readonly cpu: number | undefined;
  /** Options of Node.js. */
  readonly flags?: readonly string[] | undefined;
  /** Receives standard output and error until disposal. Without it, standard output is discarded. */
  readonly hear?: (words: string) => void;
};

const allowedCpus = (): readonly number[] => {
  if (process.platform !== 'linux') return [];
  const list = /^Cpus_allowed_list:\s*(.+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
};

/** Returns two CPUs for binding, or undefined without `taskset` or a second CPU. */
export const twoCpus = (): readonly [number, number] | undefined => {
  const [first, second] = allowedCpus();
  if (first === undefined || second === undefined) return undefined;
  return spawnSync('taskset', ['-c', `${first},${second}`, 'true']).status === 0 ? [first, second] : undefined;
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

/** Options of Node.js for profiles of measured processes, which they write when they end. See RESULTS.md. */
export const profileFlags = (): readonly string[] => {
  const folder = process.env['BENCH_PROFILES'];
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(folder)}`];
};

/** Starts a script of this folder that provides procedures with `offer`. It answers one question at a time. */
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
    call: async (procedure, input) => {
      const question: Question = { procedure, input };
      child.send(question);
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

/** Answers the parent's questions until it disconnects. Then it calls `close` and ends the process. */
export const offer = (procedures: Procedures, close: () => Promise<void> = async () => undefined): void => {
  const answer = async ({ procedure, input }: Question): Promise<Answer> => {
    try {
      return { value: await procedures[procedure]?.(input as never) };
    } catch (error) {
      return { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (question: Question) => void answer(question).then((result) => process.send?.(result)));
  // Ctrl-C reaches the whole group of processes. The parent ends this process in order.
  process.on('SIGINT', () => undefined);
  process.once('disconnect', () => void close().finally(() => process.exit(0)));
};
