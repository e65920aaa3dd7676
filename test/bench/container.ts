import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { contextOf } from './context.ts';
import { offer } from './remote.ts';
import { quantile, type Sample } from './statistics.ts';

/*
 * A process with one handler in it, as Lambda's containers have one: invoked with one event after another, and measured.
 */

export type HandlerAnswer = { readonly statusCode: number; readonly body: string };
type Handler = (event: unknown, context: Context) => Promise<HandlerAnswer>;

/** The events of a round: each is parsed from this JSON, with `{count}` in it replaced by what no other event has. */
export type EventText = string;

export type Round = {
  readonly event: EventText;
  readonly invocations: number;
  /** What every invocation must answer. */
  readonly status: number;
};

export type Container = {
  readonly load: (given: { readonly file: string }) => Promise<void>;
  readonly invoke: (given: { readonly event: EventText }) => Promise<HandlerAnswer>;
  readonly round: (given: Round) => Promise<Sample>;
};

/** Milliseconds that an invocation may take. */
const timeout = 10_000;
/** Invocations before a round that do not count: caches and sockets are cold since the candidate's turn before. */
const leadIn = 10;

let handler: Handler | undefined;
let count = 0;

const nextEvent = (event: EventText): unknown =>
  JSON.parse(event.replaceAll('{count}', `${process.pid}-${(count += 1)}`));

const invoke = async (event: unknown): Promise<HandlerAnswer> => {
  if (handler === undefined) throw new Error('nothing is loaded');
  return handler(event, contextOf(Date.now() + timeout));
};

/** Invokes with each event, a turn of the event loop apart, as the runtime's next poll is, and says how long each took. */
const invokeEach = async (events: readonly unknown[], status: number): Promise<number[]> => {
  const milliseconds: number[] = [];
  for (const event of events) {
    const startedAt = performance.now();
    const { statusCode, body } = await invoke(event);
    milliseconds.push(performance.now() - startedAt);
    if (statusCode !== status) throw new Error(`answered ${statusCode}: ${body}`);
    await turn();
  }
  return milliseconds;
};

offer({
  load: async ({ file }) => {
    const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly handler?: Handler };
    if (typeof module.handler !== 'function') throw new Error(`${file} exports no handler`);
    handler = module.handler;
  },
  invoke: async ({ event }) => invoke(nextEvent(event)),
  round: async ({ event, invocations, status }) => {
    const events = Array.from({ length: leadIn + invocations }, () => nextEvent(event));
    await invokeEach(events.slice(0, leadIn), status);
    const before = process.cpuUsage();
    const milliseconds = await invokeEach(events.slice(leadIn), status);
    const { user, system } = process.cpuUsage(before);
    return {
      'CPU us': (user + system) / invocations,
      'p50 us': quantile(milliseconds, 0.5) * 1000,
      'p99 us': quantile(milliseconds, 0.99) * 1000,
      'RSS MB': process.memoryUsage.rss() / 1e6,
    };
  },
} satisfies Container);
