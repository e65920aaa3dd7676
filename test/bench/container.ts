import { setImmediate as turn } from 'node:timers/promises';
import { contextOf, loadHandler, timeout, type Handler, type HandlerAnswer } from './invoke.ts';
import { offer } from './offer.ts';
import { leadIn } from './settings.ts';
import { quantile, type Sample } from './statistics.ts';

/* A process with one handler, like a container of Lambda. It invokes the handler with one event after another. */

/**
 * The events of a round. Each is parsed from this JSON, with a unique value for `{count}`. The fields of the next loaded
 * subject replace `{subject.<name>}`.
 */
export type EventText = string;

/** What only one event can use, such as a return in a status: texts by name. */
export type Subject = Readonly<Record<string, string>>;

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

/**
 * Invokes the handler repeatedly and returns the durations, and the CPU time in microseconds of the process and of its
 * main thread. One turn of the event loop separates two invocations, as in the runtime's poll. The events exist before.
 */
const invokeEach = async (event: EventText, count: number) => {
  const events = Array.from({ length: count }, () => nextEvent(event));
  const milliseconds: number[] = [];
  const before = process.cpuUsage();
  const threadBefore = process.threadCpuUsage();
  for (const next of events) {
    const startedAt = performance.now();
    const { statusCode, body } = await invoke(next);
    milliseconds.push(performance.now() - startedAt);
    if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${body}`);
    await turn();
  }
  const { user, system } = process.cpuUsage(before);
  const thread = process.threadCpuUsage(threadBefore);
  return { milliseconds, cpu: user + system, thread: thread.user + thread.system };
};

const container = {
  /** Loads a handler. Each event that names a subject uses up one of them. */
  load: async ({ file, subjects: given = [] }: { readonly file: string; readonly subjects?: readonly Subject[] }) => {
    handler = await loadHandler(file);
    subjects = given[Symbol.iterator]();
  },
  invoke: async (event: EventText) => invoke(nextEvent(event)),
  /** Invokes in batches, so that the events use little memory. */
  round: async ({ event, invocations }: { readonly event: EventText; readonly invocations: number }) => {
    await invokeEach(event, leadIn);
    const milliseconds: number[] = [];
    let [cpu, thread] = [0, 0];
    while (milliseconds.length < invocations) {
      const few = await invokeEach(event, Math.min(batch, invocations - milliseconds.length));
      milliseconds.push(...few.milliseconds);
      cpu += few.cpu;
      thread += few.thread;
    }
    return {
      'CPU us': cpu / invocations,
      'thread us': thread / invocations,
      'p50 us': quantile(milliseconds, 0.5) * 1000,
      'p99 us': quantile(milliseconds, 0.99) * 1000,
      'RSS MB': process.memoryUsage.rss() / 1e6,
    } satisfies Sample;
  },
};

export type Container = typeof container;

offer(container);
