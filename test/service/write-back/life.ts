import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, vi } from 'vitest';
import type { Backend } from '../../../lib/contract/port.ts';
import type { Result } from '../../../lib/contract/result.ts';
import type { OrderRef } from '../../../lib/domain/returns/model/order.ts';
import type { Intent } from '../../../lib/domain/write-back/intent.ts';
import { writeBack } from '../../../lib/service/write-back/write-back.ts';
import { runDelivery } from '../../../lib/shops/inbox/run-delivery.ts';
import { platformEffects } from '../../../lib/shops/platforms/effects.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import type { InboxRow } from '../../../lib/store/inbox/inbox-row.ts';
import { takeWriteBackLease } from '../../../lib/store/write-back/lease.ts';
import { backendCall } from '../../support/backend-call.ts';
import { ampleDeadline } from '../../support/time.ts';
import type { OwnReturn } from './acts.ts';
import { watchEffects } from './effects-through.ts';
import { type Kill, killed } from './kill.ts';
import { openWorker } from './worker.ts';
import type { Report, ShopWorld } from './worlds/world.ts';

const start = Date.parse('2026-11-29T12:00:00.000Z');

/** Returns the body of a reply, which is no failure. */
export const valueOf = <Body>(result: Result<{ readonly body: Body }>): Body => {
  if (result.ok) return result.value.body;
  throw new Error(`${result.failure.code} ${result.failure.detail ?? ''}`);
};

/** The order of a life, and what is done with it. */
export const openLife = (backend: Backend, world: ShopWorld) => {
  const { effects, wrong } = watchEffects(platformEffects);
  const worker = openWorker(backend, effects);
  const { orderId, lines } = world.sell();
  const order: OrderRef = { platform: world.platform, orderId };
  const returnIds: string[] = [];
  let time = start;

  const later = (minutes: number): void => {
    time += minutes * 60_000;
    vi.setSystemTime(time);
    world.pass?.();
  };
  /** Lets a millisecond pass: a person decides once in it. */
  const tick = (): void => void vi.setSystemTime((time += 1));
  const intents = async (): Promise<readonly Intent[]> => worker.intents(order);
  const read = async (returnId: string): Promise<OwnReturn> =>
    valueOf(await backend.getReturn({ returnId }, backendCall()));
  const returns = async (): Promise<readonly OwnReturn[]> => {
    const listed = valueOf(await backend.listReturns({ ...order, limit: 200 }, backendCall()));
    return Promise.all(listed.items.map(async ({ returnId }) => read(returnId)));
  };

  /** Runs a worker that lives. One that finds another at work leaves the order to it. */
  const run = async (): Promise<void> => expect(await worker.run(order)).toEqual({ batchItemFailures: [] });

  const rowOf = ({ topic, body }: Report): InboxRow => ({
    platform: world.platform,
    source: world.source,
    topic,
    deliveryId: randomUUID(),
    body: gzipSync(JSON.stringify(body)),
    bodyHash: '0',
    receivedAt: new Date().toISOString(),
    traceId: '0'.repeat(32),
    status: 'received',
    attempts: 1,
    expiresAt: 0,
  });
  const parked: string[] = [];
  const deliver = async (row: InboxRow) => {
    const isAsking = (await intents()).some(({ status }) => status === 'sent');
    const outcome = await runDelivery(backend, world.translator, row, `key/${row.deliveryId}`, Date.now() + 30_000);
    if (isAsking) expect(outcome.status, 'a report was booked beside a request without an answer').not.toBe('done');
    if (outcome.status === 'parked') parked.push(`${row.topic} ${outcome.reason}`);
    return outcome;
  };
  const rowsFrom = (from: number): readonly InboxRow[] => {
    const all = world.reports(orderId);
    const first = from % all.length;
    return [...all.slice(first), ...all.slice(0, first)].map(rowOf);
  };
  const delayed: InboxRow[] = [];
  /** Keeps back what the shop reports now: it comes behind the next report. */
  const delay = (from: number): void => void delayed.unshift(...rowsFrom(from));
  /** Delivers what the shop reports now, from one of its reports on. */
  const report = async (from = 0) => {
    const outcomes = [];
    for (const row of [...rowsFrom(from), ...delayed.splice(0)]) outcomes.push(await deliver(row));
    return outcomes;
  };
  /** Delivers it as often as needed, while the worker runs. */
  const reportAll = async (from = 0): Promise<void> => {
    let rows = rowsFrom(from);
    for (let round = 0; rows.length > 0; round += 1) {
      expect(round).toBeLessThan(20);
      const late: InboxRow[] = [];
      for (const row of rows) if ((await deliver(row)).status === 'retry') late.push(row);
      rows = late;
      if (rows.length > 0) later(100);
      await run();
    }
  };

  const runKilled = async (kill: Kill): Promise<void> => {
    const mortal = killed(backend, effects, kill);
    await worker.run(order, writeBack(mortal.backend, mortal.effects));
    if (!mortal.isDead()) return;
    // Its lease stays until the time of the function is over.
    using session = openSession(ampleDeadline());
    await takeWriteBackLease(session, order, { owner: 'dead', until: Date.now() + 60_000, now: Date.now() });
  };

  return {
    order,
    lines,
    returnIds,
    later,
    tick,
    intents,
    read,
    returns,
    report,
    delay,
    reportAll,
    run,
    runKilled,
    /** What no worker may ask of a shop, and did. */
    wrong,
    /** The deliveries that are left to people. */
    parked: parked as readonly string[],
    /** The returns that a person has completed. */
    completed: new Set<string>(),
  };
};

export type Life = ReturnType<typeof openLife>;
