import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/*
 * Procedures of another process: what is measured shares neither heap, nor compiled code, nor event loop with what
 * measures it, or with the next candidate.
 */

type Procedures = Readonly<Record<string, (given: never) => Promise<unknown>>>;

type Question = { readonly procedure: string; readonly given: unknown };
type Answer = { readonly value?: unknown; readonly reason?: string };

/** Another process. It ends with this one. */
export type Remote<Offered extends Procedures> = AsyncDisposable & {
  readonly pid: number;
  readonly call: <Name extends keyof Offered & string>(
    procedure: Name,
    given: Parameters<Offered[Name]>[0],
  ) => Promise<Awaited<ReturnType<Offered[Name]>>>;
};

export type RemoteOptions = {
  /** Its whole environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** The CPU to stay on; undefined for any. */
  readonly cpu: number | undefined;
  /** Hears what it writes to standard output and error, until it is disposed of; otherwise nobody reads the former. */
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

/** Two CPUs that processes can be bound to, or none where the system has no `taskset` or no second one. */
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

/** Starts a script that offers procedures by `offer`; its path is from this folder. One question is asked at a time. */
export const startRemote = <Offered extends Procedures>(
  script: string,
  { environment, cpu, hear }: RemoteOptions,
): Remote<Offered> => {
  const pinned =
    cpu === undefined
      ? { execPath: process.execPath, execArgv: [] }
      : { execPath: 'taskset', execArgv: ['-c', String(cpu), process.execPath] };
  const child = fork(resolve(import.meta.dirname, script), {
    ...pinned,
    env: environment,
    // What a function logs costs it the writing, as it would on Lambda, and nobody the reading.
    stdio: hear === undefined ? ['ignore', 'ignore', 'inherit', 'ipc'] : ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const heard = [child.stdout, child.stderr].flatMap((output) => {
    if (output === null || hear === undefined) return [];
    return [once(output.setEncoding('utf8').on('data', hear), 'close')];
  });
  const ended = Promise.all([once(child, 'exit'), ...heard]);
  return {
    pid: child.pid ?? Number.NaN,
    call: async (procedure, given) => {
      const question: Question = { procedure, given };
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

/** Answers the parent's questions until it goes; then `close` is called and the process ends. */
export const offer = (procedures: Procedures, close: () => Promise<void> = async () => undefined): void => {
  const answer = async ({ procedure, given }: Question): Promise<Answer> => {
    try {
      return { value: await procedures[procedure]?.(given as never) };
    } catch (error) {
      return { reason: error instanceof Error ? (error.stack ?? error.message) : String(error) };
    }
  };
  process.on('message', (question: Question) => void answer(question).then((given) => process.send?.(given)));
  // Ctrl-C reaches the whole group of processes; the parent ends us in its order.
  process.on('SIGINT', () => undefined);
  process.once('disconnect', () => void close().finally(() => process.exit(0)));
};
