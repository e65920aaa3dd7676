import { setTimeout as pause } from 'node:timers/promises';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import type { Output } from '../../lib/contract/contract.ts';
import { canRepeat } from '../crash/survive.ts';
import { functionName, lambdaClient } from '../support/lambda.ts';
import type { Files } from './files.ts';
import type { Caller, ChaosRequest, ShopLoad } from './load.ts';
import type { ModeName } from './plan.ts';
import { seenEvent, type SeenEvent } from './receiver.ts';
import type { World } from './world.ts';

/* After the faults: callers and the shop repeat what has no answer, and the schedules run until all work is done. */

/** The longest time until everything has its effect. Retries of deliveries wait up to two minutes after a long run. */
const drainMs = 600_000;
const roundMs = 2_000;

/** The schedules that finish work of dead workers. Deployed, they run every one to ten minutes. */
const repairs: readonly (readonly [ModeName, string])[] = [
  ['connected', 'sweepInbox'],
  ['standalone', 'sweepInbox'],
  ['standalone', 'repairEvents'],
  ['standalone', 'wakeEndpoints'],
];

/** Runs a schedule once, and returns the name of its error. */
export const runSchedule = async ({ info }: World, mode: ModeName, name: string): Promise<string | undefined> => {
  const client = lambdaClient(mode, info);
  try {
    const Payload = JSON.stringify({ time: new Date().toISOString() });
    const { FunctionError } = await client.send(new InvokeCommand({ FunctionName: functionName(name), Payload }));
    return FunctionError === undefined ? undefined : `${mode}.${name} failed`;
  } catch (error) {
    return `${mode}.${name}: ${error instanceof Error ? error.name : 'no answer'}`;
  } finally {
    client.destroy();
  }
};

/** Reads every domain event from the oldest on. */
export const readEvents = async ({ services }: Caller): Promise<readonly SeenEvent[]> => {
  const events: SeenEvent[] = [];
  let cursor: string | undefined;
  for (;;) {
    const query = cursor === undefined ? 'start=oldest' : `cursor=${encodeURIComponent(cursor)}`;
    const { body } = await services.standalone.get(`/events?limit=100&${query}`);
    const { items, nextCursor } = body as unknown as Output<'listEvents'>;
    events.push(...items.flatMap((item) => seenEvent(item) ?? []));
    if (nextCursor === cursor) return events;
    cursor = nextCursor;
  }
};

const deliveriesOf = async ({ services }: Caller, mode: ModeName, status: string) =>
  (
    (await services[mode].get(`/inbox/deliveries?status=${status}&limit=50`))
      .body as unknown as Output<'listInboxDeliveries'>
  ).items;

/** Disables and enables an endpoint, which sends all waiting events at once: its retries may wait for hours. */
const hurry = async ({ services: { standalone } }: Caller, endpointId: string): Promise<void> => {
  const path = `/webhook-endpoints/${endpointId}`;
  for (const enabled of [false, true]) {
    const { headers } = await standalone.get(path);
    await standalone.patch(path, { enabled }, { headers: { 'if-match': headers.get('etag') ?? '' } });
  }
};

const missingIn = (wanted: readonly SeenEvent[], seen: readonly SeenEvent[]): number => {
  const ids = new Set(seen.map(({ id }) => id));
  return wanted.filter(({ id }) => !ids.has(id)).length;
};

/** Returns what is not done yet, in words; empty when all is done. */
const openWork = async (world: World, caller: Caller, files: Files): Promise<readonly string[]> => {
  const waiting = await Promise.all(
    (['connected', 'standalone'] as const).map((mode) => deliveriesOf(caller, mode, 'received')),
  );
  const exporting = await files.running();
  const events = await readEvents(caller);
  const late = [world.bus, ...world.receivers.map((receiver) => receiver.events)].map((seen) =>
    missingIn(events, seen),
  );
  return [
    ...(waiting.flat().length > 0 ? [`${waiting.flat().length} deliveries wait`] : []),
    ...(exporting > 0 ? [`${exporting} exports run`] : []),
    ...['the bus', 'the receiver', 'the other receiver'].flatMap((name, index) =>
      late[index] === 0 ? [] : [`${late[index]} events have not reached ${name}`],
    ),
  ];
};

export type Draining = {
  readonly world: World;
  readonly caller: Caller;
  readonly sent: readonly ChaosRequest[];
  readonly shop: ShopLoad;
  readonly files: Files;
  readonly endpoints: readonly string[];
  readonly say: (text: string) => void;
};

/**
 * Repeats every request with an unknown result, sends the rest of the shop's deliveries, and runs the schedules until
 * nothing is open.
 *
 * @returns what is still open at the end of the time
 */
export const drain = async ({
  world,
  caller,
  sent,
  shop,
  files,
  endpoints,
  say,
}: Draining): Promise<readonly string[]> => {
  // A repeated PATCH would meet the version of its own first run, and its answer would deny a stored change.
  const unknown = sent.filter((request) => request.answer === undefined && canRepeat(request));
  for (const request of unknown) await caller.repeat(request, 10);
  await shop.send(new AbortController().signal, 300);
  for (const endpointId of endpoints) await hurry(caller, endpointId);
  const deadline = Date.now() + drainMs;
  let before = '';
  for (;;) {
    for (const [mode, name] of repairs) await runSchedule(world, mode, name);
    const open = await openWork(world, caller, files);
    if (open.length === 0 || Date.now() > deadline) return open;
    if (open.join('; ') !== before) say(`draining: ${open.join('; ')}`);
    before = open.join('; ');
    await pause(roundMs);
  }
};

/** Returns the deliveries of a mode that ended without success, by their reason. */
export const endedBadly = async (caller: Caller, mode: ModeName, status: 'failed' | 'parked') =>
  (await deliveriesOf(caller, mode, status)).map(({ deliveryKey, reason, lastError }) => ({
    deliveryKey,
    reason: reason ?? lastError ?? 'unknown',
  }));
