import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Call, Connection } from './run/connection.ts';
import { exitCodes } from '../command-line/exit-codes.ts';
import type { Output } from './run/context.ts';
import { safeJson } from './output/safe-text.ts';
import { type Flags, resolveSettings, type Settings } from './profiles/settings.ts';
import type { Environment } from './profiles/profiles.ts';

/** The options that every command has. */
export type CommonOptions = Flags & {
  readonly json?: true;
  readonly verbose?: true;
  /** Seconds for a call. */
  readonly timeout?: number;
  readonly onBehalfOf?: string;
  /** Confirms what the command would ask. */
  readonly yes?: true;
};

/** A run of the command. */
export type Session = Output & { readonly env: Environment; readonly options: CommonOptions };

/** A parsed command: it runs and returns the exit code. */
export type Runner = (session: Session) => Promise<number>;

/** Ends a command with a usage error. */
export const usageError = ({ terminal }: Output, message: string): number => {
  terminal.note(`error: ${message}`);
  return exitCodes.usage;
};

/** Waits for work that takes no signal: at Ctrl-C it rejects with the reason of the signal. */
export const untilAborted = async <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> => {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const defaultTimeoutMs = 30_000;

/** Prints the access events of the client, which hold no secret, while a command runs. */
const printEvents = ({ terminal, options }: Session): { readonly [Symbol.dispose]: () => void } => {
  const onEvent = (event: unknown) => terminal.note(safeJson(event));
  if (options.verbose !== true) return { [Symbol.dispose]: () => undefined };
  subscribe('returns-client', onEvent);
  return { [Symbol.dispose]: () => unsubscribe('returns-client', onEvent) };
};

const open = async (settings: Settings, timeoutMs: number): Promise<Connection | string> => {
  const { openConnection } = await import('./run/connection.ts');
  try {
    return await openConnection(settings, timeoutMs);
  } catch (error) {
    // The client names the wrong setting, and quotes no value.
    if (error instanceof TypeError) return error.message;
    throw error;
  }
};

/** Runs a command with a connection to the service of its profile, and closes the connection. */
export const withConnection = async (session: Session, work: (call: Call) => Promise<number>): Promise<number> => {
  const { options, env, signal, terminal } = session;
  const settings = await resolveSettings(options, env, signal);
  signal.throwIfAborted();
  if (!settings.ok) return usageError(session, settings.failure);
  const { profile, serviceUrl } = settings.value;
  if (options.verbose === true) terminal.note(`${serviceUrl}${profile === undefined ? '' : ` (profile ${profile})`}`);
  using _events = printEvents(session);
  const { timeout } = options;
  const connection = await open(settings.value, timeout === undefined ? defaultTimeoutMs : timeout * 1_000);
  if (typeof connection === 'string') return usageError(session, `${connection}.`);
  try {
    return await work(connection.call);
  } finally {
    await connection.close();
  }
};
