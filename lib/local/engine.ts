import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { freePort, host } from './ports.ts';

/** DynamoDB as the stack reaches it. */
export type Engine = {
  readonly url: string;
  /** The engine's own database file; absent when the engine is somebody else's. */
  readonly file?: string;
  /** Ends it in the middle of whatever it does, as a machine that dies would; absent as the file is. */
  readonly kill?: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** It takes some 15 ms; on a machine with other things to do, seconds. */
const startDeadline = 15_000;

/**
 * Runs the engine under a shell that holds our end of a pipe: when it closes, however we died, the engine is ended.
 * The shell ends with the engine, so that a port in use is seen at once.
 */
const guard = `exec 3<&0
"$0" "$@" </dev/null 3<&- & engine=$!
{ cat <&3 >/dev/null; kill $engine; } 2>/dev/null & watch=$!
wait $engine; code=$?; kill $watch 2>/dev/null; exit $code`;

const binary = (): string | undefined => {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')), 'dynoxide');
  } catch {
    return undefined;
  }
};

/** The engine says when it listens, and ends where its port is taken. */
const awaitListening = async (
  { stderr }: ChildProcessByStdio<Writable, null, Readable>,
  port: number,
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let said = '';
  const hear = (text: string) => {
    said += text;
    if (/^Dynoxide listening on .*\n/m.test(said)) resolve(true);
  };
  const tooLate = setTimeout(() => resolve(false), startDeadline);
  stderr.setEncoding('utf8').on('data', hear);
  stderr.once('close', () => resolve(false));
  const isListening = await promise;
  clearTimeout(tooLate);
  // What it says from now on nobody reads, and must not fill the pipe.
  stderr.off('data', hear).resume();
  if (!isListening)
    throw new Error(`dynoxide did not start on port ${port}: ${said.trim().slice(-2_000) || 'no answer'}`);
};

const run = async (program: string, port: number, file: string): Promise<Engine> => {
  // A group of its own, so that Ctrl-C ends it in our order and not at once.
  const child = spawn(
    '/bin/sh',
    ['-c', guard, program, 'serve', '--host', host, '--port', String(port), '--db-path', file],
    {
      stdio: ['pipe', 'ignore', 'pipe'],
      detached: true,
      env: { PATH: process.env['PATH'] },
    },
  );
  const ended = once(child, 'exit');
  const close = async () => {
    child.stdin.destroy();
    await ended;
  };
  const kill = async () => {
    // The shell and the engine are one group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  try {
    await awaitListening(child, port);
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `http://${host}:${port}`, file, kill, close };
};

/**
 * Starts the DynamoDB engine on a file of the data directory. Where there is no engine for the platform, the endpoint
 * named by AWS_ENDPOINT_URL_DYNAMODB serves.
 */
export const startEngine = async (dataDir: string, port: number): Promise<Engine> => {
  const program = binary();
  if (program !== undefined)
    return run(program, port === 0 ? await freePort() : port, join(dataDir, 'dynamodb.sqlite'));
  const url = process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  if (url === undefined || url === '') {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(
      `there is no DynamoDB engine for ${platform}: start one and set AWS_ENDPOINT_URL_DYNAMODB to its address`,
    );
  }
  return { url, close: () => Promise.resolve() };
};
