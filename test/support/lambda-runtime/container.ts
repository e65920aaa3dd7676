import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { FunctionSpec } from '../../../lib/tools/local/emulators/function-spec.ts';
import { record } from '../emitted/record.ts';
import { stop } from '../stopped.ts';
import type { Polled } from './addon.ts';
import { aheadHeader } from './clock.ts';
import { writePreload } from './compiled.ts';
import type { Report, Uncaught } from './leftovers.ts';
import { eventsFd, saidFd, type Answered } from './pipes.ts';
import { startRuntimeApi, type RuntimeApi, type RuntimeError } from './runtime-api.ts';

/** The properties of a function that Lambda needs for its start. */
export type Startable = Pick<FunctionSpec, 'arn' | 'name' | 'handler' | 'timeoutMs' | 'memoryMb'>;

export type ContainerOptions = {
  readonly spec: Startable;
  /** Writes the function's code into the task root. */
  readonly code: (taskRoot: string) => Promise<void>;
  /** The function's variables, without those that Lambda itself sets. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The scope of its output.
   * @default with all output of the run
   */
  readonly scope?: string | undefined;
};

/** The end of the process, and its output about it. */
export type End = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly initError: RuntimeError | undefined;
};

/** The end of an invocation. */
export type Outcome =
  | { readonly kind: 'response'; readonly payload: unknown }
  | { readonly kind: 'error'; readonly error: RuntimeError };

export type Invoked = Report & { readonly outcome: Outcome };

/** One execution environment: aws-lambda-ric in its own process, with one function. */
export type Container = AsyncDisposable & {
  /** Resolves when the function has loaded. */
  readonly ready: Promise<Report>;
  /** Invokes one event after another. `timeoutMs` overrides the function's own. */
  readonly invoke: (event: unknown, timeoutMs?: number) => Promise<Invoked>;
  /**
   * Where no test reads it and no invocation fails by it, the disposal fails: an unhandled rejection is such an end.
   */
  readonly ended: Promise<End>;
  /** Stops every thread, as Lambda does between two events. */
  readonly freeze: () => Promise<void>;
  /** Resumes it. With `ms`, its wall clock is so much later from the next event on. */
  readonly thaw: (ms?: number) => void;
  /** Returns standard output and standard error so far. */
  readonly log: () => Promise<string>;
};

const runtime = fileURLToPath(import.meta.resolve('aws-lambda-ric'));

const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime */
const reserved = ({ handler, name, memoryMb }: Startable, taskRoot: string, { address }: RuntimeApi) => ({
  _HANDLER: handler,
  AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
  AWS_LAMBDA_FUNCTION_NAME: name,
  AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
  AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
  AWS_LAMBDA_LOG_STREAM_NAME: '2026/11/21/[$LATEST]local',
  AWS_LAMBDA_RUNTIME_API: address,
  LAMBDA_TASK_ROOT: taskRoot,
  LANG: 'en_US.UTF-8',
  TZ: ':UTC',
});

const run = async (options: ContainerOptions, folder: string, api: RuntimeApi): Promise<ChildProcess> => {
  const { spec, code, environment } = options;
  const taskRoot = join(folder, 'task');
  await mkdir(taskRoot);
  await code(taskRoot);
  const preload = await writePreload(join(folder, 'preload'));
  const log = await open(join(folder, 'log'), 'a');
  // To a file, so that no pipe is among the handles that the process holds.
  const child = spawn(
    process.execPath,
    ['--expose-gc', `--max-old-space-size=${Math.floor(spec.memoryMb * 0.9)}`, '--import', preload, runtime],
    {
      cwd: taskRoot,
      env: { ...environment, ...reserved(spec, taskRoot, api) },
      stdio: ['ignore', log.fd, log.fd, 'pipe', 'pipe'],
    },
  );
  await log.close();
  running.add(child);
  return child;
};

const traceId = (): string =>
  `Root=1-${Math.floor(Date.now() / 1000).toString(16)}-${randomBytes(12).toString('hex')};Sampled=0`;

/**
 * Returns an event of the Runtime API: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html#runtimes-api-next
 */
const polled = ({ arn }: Startable, requestId: string, event: unknown, timeoutMs: number, ahead: number): Polled => ({
  bodyJson: JSON.stringify(event),
  headers: {
    'lambda-runtime-aws-request-id': requestId,
    'lambda-runtime-deadline-ms': String(Date.now() + ahead + timeoutMs),
    'lambda-runtime-invoked-function-arn': arn,
    'lambda-runtime-trace-id': traceId(),
    [aheadHeader]: String(ahead),
  },
});

const outcomeOf = ({ kind, body }: Answered): Outcome =>
  kind === 'response'
    ? { kind, payload: JSON.parse(body) as unknown }
    : { kind, error: JSON.parse(body) as RuntimeError };

/** Starts a function in the runtime of Lambda, outside the project's folder, where a missing package is missing. */
export const startContainer = async (options: ContainerOptions): Promise<Container> => {
  const folder = await mkdtemp(join(tmpdir(), 'returns-container-'));
  const api = await startRuntimeApi();
  const child = await run(options, folder, api);
  const ended = once(child, 'close').then(([code, signal]): End => {
    running.delete(child);
    return { code: code as End['code'], signal: signal as End['signal'], initError: api.initError() };
  });
  const log = () => readFile(join(folder, 'log'), 'utf8');
  let isReported = false;
  const failure = async (): Promise<never> => {
    const end = await ended;
    throw new Error(`${options.spec.name} ended: ${JSON.stringify(end)}\n${await log()}`);
  };
  // A process that has ended reads no event. Its missing output shows the end.
  const events = (child.stdio[eventsFd] as Writable).on('error', () => undefined);
  const lines = createInterface({ input: child.stdio[saidFd] as Readable })[Symbol.asyncIterator]();
  const hear = async <Said extends object>(): Promise<Said> => {
    const { done, value } = await lines.next();
    const said = done === true ? undefined : (JSON.parse(value) as Said | Uncaught);
    return said === undefined || 'uncaught' in said ? failure() : said;
  };
  let ahead = 0;
  const report = hear<Report>();
  // A caller that waits for the end does not wait for this.
  report.catch(() => undefined);
  let last: Promise<unknown> = report;
  const invoke = async (event: unknown, timeoutMs: number): Promise<Invoked> => {
    const requestId = randomUUID();
    events.write(`${JSON.stringify(polled(options.spec, requestId, event, timeoutMs, ahead))}\n`);
    const answered = await hear<Answered>();
    if (answered.requestId !== requestId) throw new Error(`answered ${answered.requestId}, asked ${requestId}`);
    const outcome = outcomeOf(answered);
    record('outcome', JSON.stringify(outcome), options.scope);
    return { outcome, ...(await hear<Report>()) };
  };
  return {
    ready: report,
    invoke: (event, timeoutMs = options.spec.timeoutMs) => {
      const invoked = last.then(() => invoke(event, timeoutMs));
      last = invoked.catch(() => {
        isReported = true;
      });
      return invoked;
    },
    get ended() {
      isReported = true;
      return ended;
    },
    freeze: async () => {
      // A process that failed to start has no id. Id 0 would be this one’s whole group.
      if (child.pid !== undefined) await stop(child.pid);
    },
    thaw: (ms = 0) => {
      ahead += ms;
      child.kill('SIGCONT');
    },
    log,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      await api[Symbol.asyncDispose]();
      const text = await log();
      record('log', text, options.scope);
      await rm(folder, { recursive: true, force: true });
      const { done } = await lines.next();
      if (done !== true && !isReported) throw new Error(`${options.spec.name} ended by itself\n${text}`);
    },
  };
};
