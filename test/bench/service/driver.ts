import { randomUUID } from 'node:crypto';
import * as operations from '../../../lib/contract/operations.ts';
import { create, lives, register, type Subject } from '../../support/life.ts';
import { seeded } from '../interleave.ts';
import { invokeBuilt, type BuiltRequest } from '../invoke-built.ts';
import { offer } from '../remote.ts';
import { startMeter } from './meter.ts';
import { returnIdOf } from './seeds.ts';
import { openRecord, subjectIn, takeSteps, type Taken } from './take.ts';

/*
 * A process that invokes the built functions of the standalone mode like Lambda, one event after another.
 * It returns the duration of each.
 */

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

const pageSize = '100';
const random = seeded(1);
let meter: Awaited<ReturnType<typeof startMeter>> | undefined;

const freshOrder = () => ({ platform: 'web', orderId: randomUUID() });

/** Returns the reads of a new return and its order, and of an older return. */
const readsOf = ({ order, returnId: id }: Subject, stored: number): readonly BuiltRequest[] => [
  { operation: operations.getReturn, path: { returnId: id } },
  { operation: operations.getReturn, path: { returnId: returnIdOf(Math.floor(random() * stored)) } },
  { operation: operations.getHistory, path: { returnId: id } },
  { operation: operations.getOrder, path: { ...order } },
  { operation: operations.getReturnable, path: { ...order } },
  { operation: operations.listReturns, query: { ...order } },
];

const lead = async (times: number, stored: number): Promise<Readonly<Record<string, Taken>>> => {
  const { taken, measured } = openRecord(() => meter);
  for (const life of Array.from({ length: times }, () => lives).flat()) {
    const order = freshOrder();
    await measured(register(order, 3));
    const created = subjectIn(order, await measured(create(order, 2, randomUUID())));
    const subject = await takeSteps(created, life, measured);
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
    const { milliseconds, body } = await invokeBuilt({
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
