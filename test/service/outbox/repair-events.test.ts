import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { ulid } from 'ulid';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../lib/domain/events/endpoint.ts';
import { repairEvents } from '../../../lib/service/outbox/repair-events.ts';
import { indexAttributes } from '../../../lib/store/engine/indexes.ts';
import { endpointStream, domainEventKey, returnKey, withdrawalKey } from '../../../lib/store/engine/keys.ts';
import { pack } from '../../../lib/store/engine/pack.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { put, transact } from '../../../lib/store/engine/transact.ts';
import { writeEndpoint } from '../../../lib/store/events/endpoints.ts';
import { readPublishedSequence } from '../../../lib/store/events/event-partitions.ts';
import { writeDomainEvent, writeUnlisted } from '../../../lib/store/events/outbox.ts';
import { addMacs } from '../../../lib/domain/returns/history/mac.ts';
import { writeWithdrawal } from '../../../lib/store/withdrawals/withdrawals.ts';
import { unitRing } from '../../support/history-keys.ts';
import { appendAll, firstEvents, withdrawalId } from '../../domain/withdrawals/support.ts';
import { runsEveryCase } from '../../support/samples.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { eur } from '../../support/orders.ts';
import { domainEventOf, named, returnStreamOf } from './support.ts';
import { startWorld } from './world.ts';

const world = await startWorld();

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await world.stop();
});
const { bus } = world;
beforeEach(() => bus.clear());

/** Creates a return that changed so long ago, as far as the repair reads it: its index row, and its history. */
const change = async (secondsAgo: number, entries = 2): Promise<string> => {
  const id = `ret_${ulid()}`;
  const updatedAt = new Date(Date.now() - secondsAgo * 1000).toISOString();
  const summary = {
    id,
    rmaNumber: id,
    status: 'requested' as const,
    version: entries,
    order: { platform: 'web', orderId: id },
    managedBy: 'service' as const,
    externalRefs: [],
    initiatedBy: 'customer' as const,
    quantity: 1,
    openUnits: 1,
    refundStatus: 'none' as const,
    amounts: { worth: eur(1999), refunded: eur(0), due: eur(0) },
    flags: [],
    skus: [],
    reasons: [],
    tags: [],
    requestedAt: updatedAt,
    createdAt: updatedAt,
    updatedAt,
  };
  const stream = returnStreamOf(id.slice(4));
  await transact(session, [
    put('return', returnKey(id), { version: entries, summary: pack(summary), ...indexAttributes(summary) }),
    ...Array.from({ length: entries }, (_, index) => writeDomainEvent(stream, domainEventOf(index + 1))),
  ]);
  return stream;
};

const repair = async (remaining?: number) => repairEvents({}, contextWith(remaining));
const marks = async (streams: readonly string[]) =>
  Promise.all(streams.map(async (stream) => readPublishedSequence(session, stream)));

/** The number of streams in one repair. */
const many = runsEveryCase() ? 30 : 12;

describe('repairEvents', () => {
  it('publishes events that the stream dropped, once', async () => {
    const streams = await Promise.all(Array.from({ length: many }, async (_, index) => change(300 + index)));
    const fresh = await change(5);
    expect(await repair()).toMatchObject({ published: 2 * many, failed: 0 });
    expect(await marks([...streams, fresh])).toEqual([...streams.map(() => 2), 0]);
    expect(new Set(bus.taken.map(named)).size).toBe(2 * many);
    expect(await repair()).toMatchObject({ published: 0, failed: 0 });
  });

  it('publishes all events once where two runs overlap', async () => {
    const streams = await Promise.all(Array.from({ length: many }, async () => change(200)));
    const [one, other] = await Promise.all([repair(), repair()]);
    expect(one.published + other.published).toBe(2 * many);
    expect(await marks(streams)).toEqual(streams.map(() => 2));
  });

  it('finds a row that the index shows late', async () => {
    await change(150);
    await repair();
    const late = await change(400);
    expect(await repair()).toMatchObject({ published: 2 });
    expect(await marks([late])).toEqual([2]);
  });

  it('ends in time, and the next run continues', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, async () => change(180)));
    bus.turn('hung');
    await repair(10_100).catch(() => undefined);
    bus.turn('well');
    await repair();
    expect(await marks(streams)).toEqual(streams.map(() => 2));
  });

  it('fails while the bus is down, and publishes all events once it is up', async () => {
    const stream = await change(170);
    bus.turn('down');
    await expect(repair()).rejects.toMatchObject({ name: 'EventsNotRepaired' });
    bus.turn('well');
    await repair();
    expect(await marks([stream])).toEqual([2]);
  });

  it('retries an unpublishable stream in every run, and continues with the others', async () => {
    const broken = await change(160, 1);
    const key = domainEventKey(broken, 1);
    await table.send(new PutCommand({ TableName: world.table, Item: { ...key, value: new Uint8Array([9]) } }));
    const sound = await change(160);
    await expect(repair()).rejects.toMatchObject({ name: 'EventsNotRepaired' });
    await expect(repair()).rejects.toMatchObject({ name: 'EventsNotRepaired' });
    expect(await marks([sound])).toEqual([2]);
    await table.send(new PutCommand({ TableName: world.table, Item: { ...key, value: pack(domainEventOf(1)) } }));
    await repair();
    expect(await marks([broken])).toEqual([1]);
  });

  it('publishes the events of endpoints', async () => {
    const endpoint: Endpoint = {
      id: `whk_${ulid()}`,
      url: 'https://a.example',
      eventTypes: ['*'],
      createdAt: '2026-11-21T08:00:00.000Z',
      updatedAt: '2026-11-21T08:00:00.000Z',
      version: 1,
      begins: [],
    };
    const stream = endpointStream(endpoint.id);
    await transact(session, [writeEndpoint(endpoint), writeDomainEvent(stream, domainEventOf(3))]);
    await repair();
    expect(await marks([stream])).toEqual([3]);
  });

  it('publishes the events of a withdrawal, without references to its texts', async () => {
    const { state, entries } = appendAll(undefined, firstEvents);
    await transact(session, writeWithdrawal(state, addMacs(entries, unitRing.current), undefined));
    const { pk } = withdrawalKey(withdrawalId);
    expect(await repair()).toMatchObject({ published: 2, failed: 0 });
    expect(await marks([pk])).toEqual([2]);
    const [declared, due] = bus.taken;
    expect(declared).toMatchObject({
      subject: withdrawalId,
      type: 'com.example.returns.withdrawal.declared',
      data: { sequence: 1, change: { withdrawalId, language: 'en', timeZone: 'Europe/Berlin' } },
    });
    expect(due).toMatchObject({ type: 'com.example.returns.withdrawal.receipt_due', data: { sequence: 2 } });
    expect(JSON.stringify([declared, due])).not.toMatch(/digest|actorKey|texts/);
    bus.clear();
    expect(await repair()).toMatchObject({ published: 0, failed: 0 });
  });

  it('publishes the only event of a stream that no index lists', async () => {
    const streams = [`ERASURE#job_${ulid()}`, 'SUMMARY#2026-11-21'];
    for (const stream of streams) await transact(session, writeUnlisted(stream, domainEventOf(1)));
    await repair();
    expect(await marks(streams)).toEqual([1, 1]);
    bus.clear();
    await repair();
    expect(bus.requests).toEqual([]);
  });
});
