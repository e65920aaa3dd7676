import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { host } from '../ports.ts';

/** An engine as a program of this machine. */
export type EngineProgram = {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What it prints on stderr once it listens; absent where it prints nothing and is asked by HTTP instead. */
  readonly listening?: RegExp;
  readonly startDeadlineMs: number;
  /** Ends at once what the program runs outside of its process group, such as a container. */
  readonly killOutside?: () => Promise<void>;
};

export type EngineProcess = {
  /** Ends it in the middle of whatever it does, as a machine that dies would. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Runs the engine under a shell that holds our end of a pipe: when it closes, however we died, the engine is ended.
 * The shell ends with the engine, so that a port in use is seen at once.
 */
const guard = `exec 3<&0
"$0" "$@" </dev/null 3<&- & engine=$!
{ cat <&3 >/dev/null; kill $engine; } 2>/dev/null & watch=$!
wait $engine; code=$?; kill $watch 2>/dev/null; exit $code`;

/** An engine on Java answers its first request after about a second. */
const askEveryMs = 50;

/** Resolves when something answers HTTP on the port, with whatever status. */
const answers = async (port: number, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await (await fetch(`http://${host}:${port}`, { signal })).arrayBuffer();
      return;
    } catch {
      await sleep(askEveryMs);
    }
  }
};

const awaitListening = async (
  { stderr }: ChildProcessByStdio<Writable, null, Readable>,
  { name, listening, startDeadlineMs }: EngineProgram,
  port: number,
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let said = '';
  const hear = (text: string) => {
    said = (said + text).slice(-4_000);
    if (listening?.test(said) === true) resolve(true);
  };
  const tooLate = setTimeout(() => resolve(false), startDeadlineMs);
  stderr.setEncoding('utf8').on('data', hear);
  stderr.once('close', () => resolve(false));
  const asking = new AbortController();
  if (listening === undefined) void answers(port, asking.signal).then(() => asking.signal.aborted || resolve(true));
  const isListening = await promise;
  clearTimeout(tooLate);
  asking.abort();
  // What it says from now on nobody reads, and must not fill the pipe.
  stderr.off('data', hear).resume();
  if (!isListening)
    throw new Error(`${name} did not start on port ${port}: ${said.trim().slice(-2_000) || 'no answer'}`);
};

/**
 * Starts an engine and resolves once it listens on the port. The engine ends with this process, however that ends.
 *
 * @throws {Error} with the last words of an engine that ends early or takes too long
 */
export const runEngine = async (program: EngineProgram, port: number): Promise<EngineProcess> => {
  // A group of its own, so that Ctrl-C ends it in our order and not at once.
  const child = spawn('/bin/sh', ['-c', guard, ...program.command], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    env: { ...program.environment },
  });
  // Its stderr, which the engine shares, is closed when the last process of the group is gone: a JVM outlives its shell.
  const ended = once(child, 'close');
  const close = async () => {
    child.stdin.destroy();
    await ended;
  };
  const kill = async () => {
    await program.killOutside?.();
    // The shell and the engine are one group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  try {
    await awaitListening(child, program, port);
  } catch (error) {
    await close();
    throw error;
  }
  return { kill, close };
};
