import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { host } from '../ports.ts';
import type { Wait, WaitFor } from '../waits.ts';

/** An engine as a local program. */
export type EngineProgram = {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Its output on stderr when it listens; absent when readiness is checked by HTTP instead. */
  readonly listening?: RegExp;
};

export type EngineProcess = {
  /** Kills it during its work, like a crash of the machine. */
  readonly kill: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Runs the engine in a shell that holds one end of a pipe. When this process ends, even by a crash, the pipe closes and
 * the shell ends the engine. The shell ends with the engine, so that a port in use is detected at once.
 */
const guard = `exec 3<&0
"$0" "$@" </dev/null 3<&- & engine=$!
{ cat <&3 >/dev/null; kill $engine; } 2>/dev/null & watch=$!
wait $engine; code=$?; kill $watch 2>/dev/null; exit $code`;

/** An engine on Java responds after about a second. */
const pollMs = 50;

/** Resolves when the port responds to HTTP, with any status. */
const answers = async (port: number, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    try {
      await (await fetch(`http://${host}:${port}`, { signal })).arrayBuffer();
      return;
    } catch {
      await sleep(pollMs);
    }
  }
};

const awaitListening = async (
  { stderr }: ChildProcessByStdio<Writable, null, Readable>,
  { name, listening }: EngineProgram,
  port: number,
  { progress, signal }: Wait,
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let said = '';
  const hear = (text: string) => {
    progress();
    said = (said + text).slice(-4_000);
    if (listening?.test(said) === true) resolve(true);
  };
  stderr.setEncoding('utf8').on('data', hear);
  stderr.once('close', () => resolve(false));
  const polling = new AbortController();
  const ended = AbortSignal.any([polling.signal, signal]);
  if (listening === undefined) void answers(port, ended).then(() => ended.aborted || resolve(true));
  const isListening = await promise;
  polling.abort();
  // Later output has no reader, and must not fill the pipe.
  stderr.off('data', hear).resume();
  if (!isListening)
    throw new Error(`${name} did not start on port ${port}: ${said.trim().slice(-2_000) || 'no answer'}`);
};

/**
 * Starts an engine and resolves when it listens on the port. The engine ends with this process, however that ends.
 *
 * @throws {Error} with the last output of an engine that ends early
 */
export const runEngine = async (program: EngineProgram, port: number, waitFor: WaitFor): Promise<EngineProcess> => {
  // A process group of its own, so that Ctrl-C does not end it before the stack does.
  const child = spawn('/bin/sh', ['-c', guard, ...program.command], {
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true,
    env: { ...program.environment },
  });
  // The engine shares the shell's stderr. It closes with the last process of the group: a JVM outlives its shell.
  const ended = once(child, 'close');
  const close = async () => {
    child.stdin.destroy();
    await ended;
  };
  const kill = async () => {
    // The shell and the engine are one process group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  try {
    await waitFor(
      {
        what: `${program.name} on port ${port}`,
        remedy: 'set RETURNS_ENGINE to another engine, and start again',
      },
      (wait) => awaitListening(child, program, port, wait),
    );
  } catch (error) {
    // A stopped process ignores every other signal.
    await kill();
    throw error;
  }
  return { kill, close };
};
