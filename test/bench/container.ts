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
 * The events of a round. Each is parsed from this JSON, with a unique value for `{count}`. The fields of the next loaded
 * subject replace `{subject.<name>}`.
 */
export type EventText = string;

/** What only one event can use, such as a return in a status: texts by name. */
export type Subject = Readonly<Record<string, string>>;

export type Round = {
  readonly event: EventText;
  readonly invocations: number;
  /** The expected status of every invocation. */
  readonly status: number;
};

export type Container = {
  /** Loads a handler. Each event that names a subject uses up one of them. */
  readonly load: (input: { readonly file: string; readonly subjects?: readonly Subject[] }) => Promise<void>;
  readonly invoke: (input: { readonly event: EventText }) => Promise<HandlerAnswer>;
  readonly round: (input: Round) => Promise<Sample>;
};

/** The maximum duration of an invocation in milliseconds. */
const timeout = 10_000;
/** A runtime has one event at a time. Hundreds of prepared events would use memory that no function needs. */
const batch = 10;

let handler: Handler | undefined;
let count = 0;
let subjects: Iterator<Subject> = [][Symbol.iterator]();

const nextSubject = (): Subject => {
  const { value, done } = subjects.next();
  if (done === true) throw new Error('no subject is left');
  return value;
};

const nextEvent = (event: EventText): unknown => {
  const counted = event.replaceAll('{count}', `${process.pid}-${(count += 1)}`);
  if (!counted.includes('{subject.')) return JSON.parse(counted);
  const named = Object.entries(nextSubject());
  return JSON.parse(named.reduce((text, [name, value]) => text.replaceAll(`{subject.${name}}`, value), counted));
};

const invoke = async (event: unknown): Promise<HandlerAnswer> => {
  if (handler === undefined) throw new Error('nothing is loaded');
  return handler(event, contextOf(Date.now() + timeout));
};

/** Durations, and the CPU time in microseconds of the process and of its main thread. */
type Measured = { readonly milliseconds: readonly number[]; readonly cpu: number; readonly thread: number };

/**
 * Invokes the handler repeatedly and returns the durations and the total CPU time.
 * One turn of the event loop separates two invocations, as in the runtime's poll. The events exist before.
 */
const invokeEach = async ({ event, status }: Round, count: number): Promise<Measured> => {
  const events = Array.from({ length: count }, () => nextEvent(event));
  const milliseconds: number[] = [];
  const before = process.cpuUsage();
  const threadBefore = process.threadCpuUsage();
  for (const next of events) {
    const startedAt = performance.now();
    const { statusCode, body } = await invoke(next);
    milliseconds.push(performance.now() - startedAt);
    if (statusCode !== status) throw new Error(`answered ${statusCode}: ${body}`);
    await turn();
  }
  const { user, system } = process.cpuUsage(before);
  const thread = process.threadCpuUsage(threadBefore);
  return { milliseconds, cpu: user + system, thread: thread.user + thread.system };
};

/** Invokes in batches, so that the events use little memory. */
const invokeAll = async (round: Round): Promise<Measured> => {
  const milliseconds: number[] = [];
  let [cpu, thread] = [0, 0];
  while (milliseconds.length < round.invocations) {
    const few = await invokeEach(round, Math.min(batch, round.invocations - milliseconds.length));
    milliseconds.push(...few.milliseconds);
    cpu += few.cpu;
    thread += few.thread;
  }
  return { milliseconds, cpu, thread };
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
    const { milliseconds, cpu, thread } = await invokeAll(round);
    return {
      'CPU us': cpu / round.invocations,
      'thread us': thread / round.invocations,
      'p50 us': quantile(milliseconds, 0.5) * 1000,
      'p99 us': quantile(milliseconds, 0.99) * 1000,
      'RSS MB': process.memoryUsage.rss() / 1e6,
    };
  },
} satisfies Container);
