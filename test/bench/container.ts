import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import { contextOf } from './context.ts';
import { offer } from './remote.ts';
import { leadIn } from './settings.ts';
import { quantile, type Sample } from './statistics.ts';

/* A process with one handler, like a container of Lambda. It invokes the handler with one event after another. */

export type HandlerAnswer = { readonly statusCode: number; readonly body: string };
type Handler = (event: unknown, context: Context) => Promise<HandlerAnswer>;

/**
 * The events of a round. Each is parsed from this JSON, with a unique value for `{count}`, and with the next of the
 * loaded subjects for `{subject}`.
 */
export type EventText = string;

export type Round = {
  readonly event: EventText;
  readonly invocations: number;
  /** The expected status of every invocation. */
  readonly status: number;
};

export type Container = {
  /** Loads a handler. `subjects` are texts, such as ids, of which each event uses up one. */
  readonly load: (input: { readonly file: string; readonly subjects?: readonly string[] }) => Promise<void>;
  readonly invoke: (input: { readonly event: EventText }) => Promise<HandlerAnswer>;
  readonly round: (input: Round) => Promise<Sample>;
};

/** The maximum duration of an invocation in milliseconds. */
const timeout = 10_000;
/** A runtime has one event at a time. Hundreds of prepared events would use memory that no function needs. */
const batch = 10;

let handler: Handler | undefined;
let count = 0;
let subjects: Iterator<string> = [][Symbol.iterator]();

const nextSubject = (): string => {
  const { value, done } = subjects.next();
  if (done === true) throw new Error('no subject is left');
  return value;
};

const nextEvent = (event: EventText): unknown => {
  const counted = event.replaceAll('{count}', `${process.pid}-${(count += 1)}`);
  return JSON.parse(counted.includes('{subject}') ? counted.replaceAll('{subject}', nextSubject()) : counted);
};

const invoke = async (event: unknown): Promise<HandlerAnswer> => {
  if (handler === undefined) throw new Error('nothing is loaded');
  return handler(event, contextOf(Date.now() + timeout));
};

type Measured = { readonly milliseconds: readonly number[]; readonly cpu: number };

/**
 * Invokes the handler repeatedly and returns the durations and the total CPU time in microseconds.
 * One turn of the event loop separates two invocations, as in the runtime's poll. The events exist before.
 */
const invokeEach = async ({ event, status }: Round, count: number): Promise<Measured> => {
  const events = Array.from({ length: count }, () => nextEvent(event));
  const milliseconds: number[] = [];
  const before = process.cpuUsage();
  for (const next of events) {
    const startedAt = performance.now();
    const { statusCode, body } = await invoke(next);
    milliseconds.push(performance.now() - startedAt);
    if (statusCode !== status) throw new Error(`answered ${statusCode}: ${body}`);
    await turn();
  }
  const { user, system } = process.cpuUsage(before);
  return { milliseconds, cpu: user + system };
};

/** Invokes in batches, so that the events use little memory. */
const invokeAll = async (round: Round): Promise<Measured> => {
  const milliseconds: number[] = [];
  let cpu = 0;
  while (milliseconds.length < round.invocations) {
    const few = await invokeEach(round, Math.min(batch, round.invocations - milliseconds.length));
    milliseconds.push(...few.milliseconds);
    cpu += few.cpu;
  }
  return { milliseconds, cpu };
};

offer({
  load: async ({ file, subjects: given = [] }) => {
    const module = (await import(pathToFileURL(resolve(file)).href)) as { readonly handler?: Handler };
    if (typeof module.handler !== 'function') throw new Error(`${file} exports no handler`);
    handler = module.handler;
    subjects = given[Symbol.iterator]();
  },
  invoke: async ({ event }) => invoke(nextEvent(event)),
  round: async (round) => {
    await invokeEach(round, leadIn);
    const { milliseconds, cpu } = await invokeAll(round);
    return {
      'CPU us': cpu / round.invocations,
      'p50 us': quantile(milliseconds, 0.5) * 1000,
      'p99 us': quantile(milliseconds, 0.99) * 1000,
      'RSS MB': process.memoryUsage.rss() / 1e6,
    };
  },
} satisfies Container);
