import { advance, freeze, realNow } from './virtual-time.ts';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { contextOf } from '../../context.ts';
import { offer } from '../../remote.ts';

/* A container with a virtual clock, which advances between invocations. */

type Answer = { readonly statusCode?: number };
type Handler = (event: unknown, context: Context) => Promise<Answer>;

export type Outcome = {
  readonly ok: boolean;
  /** The real duration in milliseconds. */
  readonly ms: number;
  /** The answer to the caller. */
  readonly answer: string;
};

export type Calls = {
  readonly event: string;
  readonly count: number;
  /** Virtual milliseconds before each. */
  readonly every: number;
};

export type SimulatedContainer = {
  readonly load: (input: { readonly file: string }) => Promise<void>;
  /** Invokes the handler in sequence. */
  readonly calls: (input: Calls) => Promise<readonly Outcome[]>;
  /** Invokes the handler once, before any other event of the process. */
  readonly thaw: (input: { readonly event: string; readonly after: number }) => Promise<Outcome>;
  /** Invokes the handler concurrently. */
  readonly burst: (input: Calls) => Promise<readonly Outcome[]>;
};

/** The maximum real duration of an invocation in milliseconds. */
const timeout = 10_000;

let handler: Handler | undefined;

/** Logs an error of a handler with all its properties, as Lambda's runtime client does. */
const report = (error: unknown): string => {
  const withAll = (_: string, value: unknown): unknown =>
    value instanceof Error
      ? Object.assign({ errorType: value.name, errorMessage: value.message, stack: value.stack?.split('\n') }, value)
      : value;
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const answer = JSON.stringify({ errorType: name, errorMessage: message, trace: stack?.split('\n') });
  try {
    console.error('Invoke Error', JSON.stringify(error, withAll));
  } catch {
    console.error('Invoke Error', answer);
  }
  return answer;
};

const invoke = async (event: string): Promise<Outcome> => {
  if (handler === undefined) throw new Error('nothing is loaded');
  const startedAt = realNow();
  const ended = (ok: boolean, answer: string): Outcome => ({ ok, ms: realNow() - startedAt, answer });
  const limit = new AbortController();
  const overtime = pause(timeout, undefined, { signal: limit.signal }).catch(() => undefined);
  try {
    const answer = await Promise.race([handler(JSON.parse(event), contextOf(Date.now() + timeout)), overtime]);
    return answer === undefined ? ended(false, 'timed out') : ended(answer.statusCode === 200, JSON.stringify(answer));
  } catch (error) {
    return ended(false, report(error));
  } finally {
    limit.abort();
  }
};

offer({
  load: async ({ file }) => {
    ({ handler } = (await import(pathToFileURL(resolve(file)).href)) as { readonly handler: Handler });
  },
  calls: async ({ event, count, every }) => {
    const outcomes: Outcome[] = [];
    for (let call = 0; call < count; call += 1) {
      advance(every);
      await turn();
      outcomes.push(await invoke(event));
    }
    return outcomes;
  },
  thaw: async ({ event, after }) => {
    freeze(after);
    return invoke(event);
  },
  burst: async ({ event, count, every }) => {
    advance(every);
    await turn();
    return Promise.all(Array.from({ length: count }, () => invoke(event)));
  },
} satisfies SimulatedContainer);
