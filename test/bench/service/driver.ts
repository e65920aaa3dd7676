import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Context } from 'aws-lambda';
import * as operations from '../../../lib/contract/operations.ts';
import { create, lives, register, steps, type Request, type Subject } from '../../support/life.ts';
import { ours } from '../candidates.ts';
import type { HandlerAnswer } from '../container.ts';
import { contextOf } from '../context.ts';
import { seeded } from '../interleave.ts';
import { offer } from '../remote.ts';
import { eventOf, type RequestOf } from '../requests.ts';
import { startMeter, type Metered } from './meter.ts';
import { returnIdOf } from './seeds.ts';

/*
 * A process that invokes the built functions of the standalone mode like Lambda, one event after another.
 * It returns the duration of each.
 */

/** The invocations of one operation: milliseconds of each, and the engine's consumption when metered. */
export type Taken = { readonly milliseconds: number[]; readonly metered: Metered[] };

export type Driver = {
  /** Meters the consumption of every later call of the engine. It must be the first call. */
  readonly meter: (input: { readonly engine: string }) => Promise<void>;
  /**
   * Takes this number of returns through each life, with reads, and returns the results by operation.
   * `stored` is the number of existing returns.
   */
  readonly lead: (input: {
    readonly times: number;
    readonly stored: number;
  }) => Promise<Readonly<Record<string, Taken>>>;
  /** Reads a list from its first page to its last and returns the milliseconds of each. */
  readonly walk: (input: {
    readonly operation: 'listReturns' | 'getHistory';
    readonly returnId?: string;
  }) => Promise<number[]>;
};

type Handler = (event: unknown, context: Context) => Promise<HandlerAnswer>;

const timeout = 10_000;
const pageSize = '100';
const random = seeded(1);
let meter: Awaited<ReturnType<typeof startMeter>> | undefined;
const handlers = new Map<string, Promise<Handler>>();

const load = async (operation: string): Promise<Handler> => {
  const module = (await import(pathToFileURL(resolve(ours('standalone', operation).file)).href)) as {
    readonly handler: Handler;
  };
  return module.handler;
};

const handlerOf = (operation: string): Promise<Handler> => {
  const known = handlers.get(operation) ?? load(operation);
  handlers.set(operation, known);
  return known;
};

type Invoked = { readonly milliseconds: number; readonly body: Record<string, unknown> };

const invoke = async (request: Pick<Request, 'operation'> & RequestOf): Promise<Invoked> => {
  const { operation } = request;
  const handler = await handlerOf(operation.name);
  const event: unknown = JSON.parse(eventOf(operation, request).replaceAll('{count}', randomUUID()));
  // The runtime's next poll is a turn of the event loop later.
  await turn();
  const startedAt = performance.now();
  const { statusCode, body } = await handler(event, contextOf(Date.now() + timeout));
  const milliseconds = performance.now() - startedAt;
  if (statusCode >= 300) throw new Error(`${operation.name} answered ${statusCode}: ${body}`);
  return { milliseconds, body: JSON.parse(body) as Invoked['body'] };
};

const freshOrder = () => ({ platform: 'web', orderId: randomUUID() });

const newSubject = (order: Subject['order'], body: Invoked['body']): Subject => ({
  ...(body as unknown as Omit<Subject, 'order'>),
  order,
});

/** Returns the reads of a new return and its order, and of an older return. */
const readsOf = (
  { order, returnId: id }: Subject,
  stored: number,
): readonly (Pick<Request, 'operation'> & RequestOf)[] => [
  { operation: operations.getReturn, path: { returnId: id } },
  { operation: operations.getReturn, path: { returnId: returnIdOf(Math.floor(random() * stored)) } },
  { operation: operations.getHistory, path: { returnId: id } },
  { operation: operations.getOrder, path: { ...order } },
  { operation: operations.getReturnable, path: { ...order } },
  { operation: operations.listReturns, query: { ...order } },
];

const lead = async (times: number, stored: number): Promise<Readonly<Record<string, Taken>>> => {
  const taken: Record<string, Taken> = {};
  const measured = async (request: Pick<Request, 'operation'> & RequestOf): Promise<Invoked['body']> => {
    const { milliseconds, body } = await invoke(request);
    const of = (taken[request.operation.name] ??= { milliseconds: [], metered: [] });
    of.milliseconds.push(milliseconds);
    if (meter !== undefined) of.metered.push(meter.take());
    return body;
  };
  for (const life of Array.from({ length: times }, () => lives).flat()) {
    const order = freshOrder();
    await measured(register(order, 3));
    let subject = newSubject(order, await measured(create(order, 2, randomUUID())));
    for (const step of life) {
      const body = await measured(steps[step](subject, randomUUID()));
      if ('rmaNumber' in body) subject = newSubject(order, body);
    }
    for (const request of readsOf(subject, stored)) await measured(request);
  }
  return taken;
};

const lists = { listReturns: operations.listReturns, getHistory: operations.getHistory };

const walk = async (operation: keyof typeof lists, returnId?: string): Promise<number[]> => {
  const pages: number[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: pageSize, ...(cursor !== null && { cursor }) };
    const { milliseconds, body } = await invoke({
      operation: lists[operation],
      query,
      ...(returnId !== undefined && { path: { returnId } }),
    });
    pages.push(milliseconds);
    cursor = (body['nextCursor'] as string | undefined) ?? null;
  } while (cursor !== null);
  return pages;
};

offer(
  {
    meter: async ({ engine }) => {
      meter = await startMeter(engine);
      process.env['AWS_ENDPOINT_URL_DYNAMODB'] = meter.origin;
    },
    lead: async ({ times, stored }) => lead(times, stored),
    walk: async ({ operation, returnId }) => walk(operation, returnId),
  } satisfies Driver,
  async () => meter?.close(),
);
