import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OperationName } from '../../lib/contract/contract.ts';
import type { Operation } from '../../lib/contract/operation.ts';
import * as operations from '../../lib/contract/operations.ts';
import { create, lives, register, steps, type StepName, type Subject } from '../support/life.ts';
import { seeded } from '../support/seeded.ts';
import { ours } from './candidates.ts';
import { contextOf, loadHandler, timeout } from './invoke.ts';
import { policyItems } from './list/policies.ts';
import { offer } from './offer.ts';
import { eventOf, type RequestOf } from './requests.ts';
import { itemsOf } from './service/items.ts';
import { startMeter, type Metered } from '../support/meter.ts';
import { openPublisher } from './service/published.ts';
import { longHistoryOf, returnIdOf, returnsOfOrder, seedOf, type Seed } from './service/seeds.ts';
import { writeAll } from './write-all.ts';

/*
 * A process that invokes the built functions of the standalone mode like Lambda, one event after another. It also fills
 * their table without commands, to save the time of the commands. The environment is that of the functions.
 */

/** The invocations of one operation: milliseconds of each, and the engine's consumption when metered. */
export type Taken = { readonly milliseconds: number[]; readonly metered: Metered[] };

/** The invocations of each operation. */
export type ByOperation = Readonly<Record<string, Taken>>;

/** A request to a built function, by the name of its operation. */
export type NamedRequest = RequestOf & { readonly operation: OperationName };

/** The number of lines and of entries of a requested return. */
export type Size = { readonly lines: number; readonly entries: number };

type BuiltRequest = RequestOf & { readonly operation: Operation };
type Body = Record<string, unknown>;

/** Invokes a built function in this process, like Lambda, and returns its duration and its body. */
const invokeBuilt = async (request: BuiltRequest): Promise<{ readonly milliseconds: number; readonly body: Body }> => {
  const { operation } = request;
  const handler = await loadHandler(ours('standalone', operation.name).file);
  const event: unknown = JSON.parse(eventOf(operation, request).replaceAll('{count}', randomUUID()));
  // The runtime's next poll is a turn of the event loop later.
  await turn();
  const startedAt = performance.now();
  const { statusCode, body } = await handler(event, contextOf(Date.now() + timeout));
  const milliseconds = performance.now() - startedAt;
  if (statusCode >= 300) throw new Error(`${operation.name} answered ${statusCode}: ${body}`);
  return { milliseconds, body: JSON.parse(body) as Body };
};

const random = seeded(1);
let meter: Awaited<ReturnType<typeof startMeter>> | undefined;

/** Invokes built functions, and records the duration and the consumption of each by operation. */
const openRecord = () => {
  const taken: Record<string, Taken> = {};
  const measured = async (request: BuiltRequest): Promise<Body> => {
    const { milliseconds, body } = await invokeBuilt(request);
    const of = (taken[request.operation.name] ??= { milliseconds: [], metered: [] });
    of.milliseconds.push(milliseconds);
    if (meter !== undefined) of.metered.push(meter.take());
    return body;
  };
  return { taken, measured };
};

type Measured = ReturnType<typeof openRecord>['measured'];

/** Returns the subject of further commands, from a response with a return. */
const subjectIn = (order: Subject['order'], body: Body): Subject => ({
  ...(body as unknown as Omit<Subject, 'order'>),
  order,
});

/** Takes a return through commands, and returns its last state. */
const takeSteps = async (first: Subject, life: readonly StepName[], measured: Measured): Promise<Subject> => {
  let subject = first;
  for (const step of life) {
    const body = await measured(steps[step](subject, randomUUID()));
    if ('rmaNumber' in body) subject = subjectIn(first.order, body);
  }
  return subject;
};

/** Returns the reads of a new return and its order, and of an older return. */
const readsOf = ({ order, returnId: id }: Subject, stored: number): readonly BuiltRequest[] => [
  { operation: operations.getReturn, path: { returnId: id } },
  { operation: operations.getReturn, path: { returnId: returnIdOf(Math.floor(random() * stored)) } },
  { operation: operations.getHistory, path: { returnId: id } },
  { operation: operations.getOrder, path: { ...order } },
  { operation: operations.getReturnable, path: { ...order } },
  { operation: operations.listReturns, query: { ...order } },
];

/** Requests a return of two units of each line of an order of its own, which has three lines of three units. */
const request = async (invoke: Measured): Promise<Subject> => {
  const order = { platform: 'web', orderId: randomUUID() };
  await invoke(register(order, 3));
  return subjectIn(order, await invoke(create(order, 2, randomUUID())));
};

const operationOf = new Map<string, Operation>(Object.values(operations).map((one) => [one.name, one]));

const bodyOf: Measured = async (asked) => (await invokeBuilt(asked)).body;

const table = process.env['TABLE_NAME'] ?? '';
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

function* itemsOfAll(returns: number, entries: number) {
  const publisher = openPublisher();
  const orders = Math.ceil(returns / returnsOfOrder);
  for (let number = 0; number <= orders; number += 1) {
    const seed = number < orders ? seedOf(number) : longHistoryOf(orders, entries);
    yield* itemsOf(seed);
    yield* publisher.publish(seed.returns);
  }
  yield* publisher.ends();
}

/** Numbers of orders that no stock has. Their times are before today. */
let number = 1_100_000 / returnsOfOrder;

const subjectOf = ({ order, returns }: Seed): Subject => {
  const [grown] = returns;
  if (grown === undefined) throw new Error('a seed has no return');
  const { id, version, lines } = grown.state;
  const { platform, orderId } = order;
  const lineIds = lines.map((line) => ({ lineId: line.id, orderLineId: line.orderLineId }));
  return { order: { platform, orderId }, returnId: id, version, lines: lineIds };
};

/** Stores a requested return without commands: a history of hundreds of entries takes hundreds of commands. */
const store = async ({ lines, entries }: Size): Promise<Subject> => {
  const seed = longHistoryOf((number += 1), entries, lines);
  await writeAll(client, table, itemsOf(seed).values());
  return subjectOf(seed);
};

const driver = {
  /** Meters the consumption of every later call of the engine. It must be the first call. */
  meter: async (engine: string) => {
    meter = await startMeter(engine);
    process.env['AWS_ENDPOINT_URL_DYNAMODB'] = meter.origin;
  },
  /** Writes this number of returns, and one with a history of this length. Returns the number of items. */
  seed: async ({ returns, entries }: { readonly returns: number; readonly entries: number }) =>
    writeAll(client, table, itemsOfAll(returns, entries)),
  /** Stores this number of policies. The stock has none, because every decision would read them. */
  storePolicies: async (count: number) => writeAll(client, table, policyItems(count).values()),
  /** Writes items of JSON into another table, and returns their number. */
  put: async ({ items, into }: { readonly items: readonly object[]; readonly into: string }) =>
    writeAll(client, into, items.values()),
  /** Invokes a function, and returns its body. */
  invoke: async ({ operation: name, ...asked }: NamedRequest) => {
    const operation = operationOf.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    return bodyOf({ operation, ...asked });
  },
  /** Requests this number of returns. */
  request: async (count: number) => {
    const subjects: Subject[] = [];
    while (subjects.length < count) subjects.push(await request(bodyOf));
    return subjects;
  },
  /**
   * Takes this number of returns through each life, with reads, and returns the results by operation.
   * `stored` is the number of existing returns.
   */
  live: async ({ times, stored }: { readonly times: number; readonly stored: number }): Promise<ByOperation> => {
    const { taken, measured } = openRecord();
    for (const life of Array.from({ length: times }, () => lives).flat()) {
      const subject = await takeSteps(await request(measured), life, measured);
      for (const read of readsOf(subject, stored)) await measured(read);
    }
    return taken;
  },
  /** Takes this number of small and of large returns through each life, in turns. */
  compare: async ({ times, small, large }: { readonly times: number; readonly small: Size; readonly large: Size }) => {
    const records = { small: openRecord(), large: openRecord() };
    const turns = [
      { size: small, record: records.small },
      { size: large, record: records.large },
    ];
    for (let time = 0; time < times; time += 1)
      for (const life of lives)
        for (const { size, record } of time % 2 === 0 ? turns : turns.toReversed())
          await takeSteps(await store(size), life, record.measured);
    return { small: records.small.taken as ByOperation, large: records.large.taken as ByOperation };
  },
};

export type Driver = typeof driver;

offer(driver, async () => meter?.close());
