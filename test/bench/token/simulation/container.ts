import { advance, freeze, realNow } from './virtual-time.ts';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { inspect } from 'node:util';
import { contextOf, loadHandler, timeout, type Handler } from '../../invoke.ts';
import { offer } from '../../offer.ts';

/* A container with a virtual clock, which advances between invocations. */

export type Outcome = {
  readonly ok: boolean;
  /** The real duration in milliseconds. */
  readonly ms: number;
  /** The answer to the caller. */
  readonly answer: string;
};

/** `every` is virtual milliseconds before each call. */
type Calls = { readonly event: string; readonly count: number; readonly every: number };

let handler: Handler | undefined;

/** Logs an error of a handler with all its properties, as Lambda's runtime client does, and returns the answer. */
const report = (error: unknown): string => {
  console.error('Invoke Error', inspect(error, { depth: null }));
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return JSON.stringify({ errorType: name, errorMessage: message, trace: stack?.split('\n') });
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

const container = {
  load: async (file: string) => {
    handler = await loadHandler(file);
  },
  /** Invokes the handler in sequence. */
  calls: async ({ event, count, every }: Calls) => {
    const outcomes: Outcome[] = [];
    for (let call = 0; call < count; call += 1) {
      advance(every);
      await turn();
      outcomes.push(await invoke(event));
    }
    return outcomes;
  },
  /** Invokes the handler once, before any other event of the process. */
  thaw: async ({ event, after }: { readonly event: string; readonly after: number }) => {
    freeze(after);
    return invoke(event);
  },
  /** Invokes the handler concurrently. */
  burst: async ({ event, count, every }: Calls) => {
    advance(every);
    await turn();
    return Promise.all(Array.from({ length: count }, () => invoke(event)));
  },
};

export type SimulatedContainer = typeof container;

offer(container);
