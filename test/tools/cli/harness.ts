import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { record } from '../../support/emitted/record.ts';
import { startServer, type Answer, type Respond } from '../../support/http-server.ts';
import { timerScaleVariable } from '../../support/lambda-runtime/clock.ts';
import { timeScale } from '../../support/slow-limits.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { startTokenEndpoint } from '../../support/token-endpoint.ts';
import { compileCache } from '../../support/bundles.ts';
import { stackDataDir } from '../../support/stack.ts';

/* Runs the command of the client package as a user does: a process, its arguments, its environment and its output. */

export type Outcome = { readonly code: number | null; readonly out: string; readonly error: string };

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** The content of stdin. */
  readonly input?: string;
  readonly cwd?: string;
  /** The command. @default the one of the whole contract */
  readonly command?: string;
  /** Receives the running process. */
  readonly onStart?: (child: ChildProcess) => void;
};

const slow = import.meta.resolve('../../support/slow-timers.ts');

/** Runs the built command without other variables of this process. */
export const returns = async (args: readonly string[], options: RunOptions = {}): Promise<Outcome> => {
  const { env = {}, input, cwd, command = 'dist/client/cli/returns.js', onStart } = options;
  const child = spawn(process.execPath, ['--import', slow, resolve(command), ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      NODE_COMPILE_CACHE: compileCache(),
      [timerScaleVariable]: String(timeScale),
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A command that does not read its input may end first.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  onStart?.(child);
  const closed = once(child, 'close');
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await closed) as [number | null];
  record('output', `${out}\n${error}`);
  return { code, out, error };
};

/** The variables that select a mode of a stack. */
export const onStack = (mode: Mode, dataDir: string = stackDataDir()): Readonly<Record<string, string>> => ({
  RETURNS_PROFILE: mode === 'connected' ? 'local' : 'local-standalone',
  RETURNS_STACK: join(dataDir, 'stack.json'),
});

/** Creates a folder that is removed at the end of the scope. */
export const temporaryFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'returns-cli-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
};

const secret = 'marker-cli-secret-5f0e1c';

/** Starts a service that answers so, and its token endpoint; `env` is the access of a command to them. */
export const fakeService = async (respond: Respond) => {
  const idp = await startTokenEndpoint([secret]);
  const service = await startServer(respond);
  return {
    idp,
    service,
    secret,
    env: {
      RETURNS_URL: service.origin,
      RETURNS_AUTH_URL: idp.server.origin,
      RETURNS_CLIENT_ID: 'shop',
      RETURNS_CLIENT_SECRET: secret,
    },
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
};

/** A response of a service with a JSON body. */
export const json = (status: number, body: unknown): Answer => ({
  status,
  headers: status < 400 ? {} : { 'content-type': 'application/problem+json' },
  body: JSON.stringify(body),
});
