import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as listing from '../../../lib/service/operations/events.ts';
import { domainEventKey, eventRowKey } from '../../../lib/store/engine/keys.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import {
  appendEvents,
  eventPartitionCount,
  eventPartitionOf,
  readEndOffset,
  readEndOffsets,
  readEventPartition,
  readPublishedSequence,
} from '../../../lib/store/events/event-partitions.ts';
import { writeDomainEvent } from '../../../lib/store/events/outbox.ts';
import { ampleDeadline } from '../../support/time.ts';
import { domainEventOf, named, returnStreamOf, readerCall } from './support.ts';
import { walker } from './walker.ts';
import { startWorld } from './world.ts';

const world = await startWorld();

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await world.stop();
});

const day = 24 * 3600 * 1000;
const now = Date.now();

/** Returns a stream in this partition. */
const streamIn = (log: number): string => {
  for (;;) {
    const stream = returnStreamOf();
    if (eventPartitionOf(stream) === log) return stream;
  }
};

/** Creates so many events in a stream, and appends them to its partition. */
const appendTo = async (stream: string, count: number, { at = now, data = {} } = {}) => {
  const before = await readPublishedSequence(session, stream);
  const sequences = Array.from({ length: count }, (_, index) => before + index + 1);
  await transact(
    session,
    sequences.map((sequence) => writeDomainEvent(stream, domainEventOf(sequence, data))),
  );
  const log = eventPartitionOf(stream);
  const logged = sequences.map((sequence) => ({ stream, sequence, type: 'return.updated' }));
  expect(
    await appendEvents(session, log, await readEndOffset(session, log), [{ stream, before, logged }], at),
  ).toMatchObject({
    written: true,
  });
  return sequences.map((sequence) => `${stream.slice('RETURN#'.length)}/${sequence}`);
};

describe('event partition', () => {
  it('accepts one of two appends at the same offset', async () => {
    const stream = streamIn(1);
    const unpublished = [{ stream, before: 0, logged: [{ stream, sequence: 1, type: 'return.updated' }] }];
    const outcomes = await Promise.all([
      appendEvents(session, 1, 0, unpublished, now),
      appendEvents(session, 1, 0, unpublished, now),
    ]);
    expect(outcomes.filter(({ written }) => written)).toHaveLength(1);
    expect(await appendEvents(session, 1, 1, unpublished, now)).toEqual({ written: false, failed: [stream], busy: [] });
    expect(await readEndOffset(session, 1)).toBe(1);
  });

  it('is read in pieces of any size, for any content of its rows', async () => {
    const stream = streamIn(2);
    const sizes = [1, 3, 2, 5, 1];
    for (const size of sizes) await appendTo(stream, size);
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.integer({ min: 1, max: 14 }), async (after, limit) => {
        const { found, gap } = await readEventPartition(session, 2, after, limit, now, 12);
        expect(gap).toBe(false);
        const wanted = Array.from({ length: 12 - after }, (_, index) => after + index + 1);
        expect(found.map(({ position }) => position)).toEqual(wanted.slice(0, found.length));
        expect(found.map(({ sequence }) => sequence)).toEqual(wanted.slice(0, found.length));
        // At least one row each, and never more than the limit.
        expect(found.length).toBeGreaterThanOrEqual(Math.min(limit, wanted.length, 1));
        expect(found.length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 25 },
    );
  });

  it('has a gap after expired rows, and starts with the stored ones', async () => {
    const stream = streamIn(3);
    await appendTo(stream, 2, { at: now - 33 * day });
    await appendTo(stream, 2, { at: now - 31 * day });
    expect(await readEventPartition(session, 3, 1, 10, now)).toMatchObject({ gap: true });
    const { found, gap } = await readEventPartition(session, 3, 0, 10, now);
    expect([gap, found.map(({ position }) => position)]).toEqual([false, [3, 4]]);
    expect(await readEventPartition(session, 3, 4, 10, now)).toEqual({ found: [], gap: false });
    // Where all rows have expired, no row and no offset remain.
    expect(await readEventPartition(session, 3, 0, 10, now + 10 * day)).toEqual({ found: [], gap: false });
    expect(await readEventPartition(session, 3, 2, 10, now + 10 * day, 4)).toEqual({ found: [], gap: true });
  });

  /** Removes a row from its partition. */
  const takeRow = async (log: number, position: number) =>
    (await table.send(new DeleteCommand({ ...at(log, position), ReturnValues: 'ALL_OLD' }))).Attributes;
  const at = (log: number, position: number) => ({ TableName: world.table, Key: eventRowKey(log, position) });
  const putRow = async (row: Record<string, unknown> | undefined) =>
    table.send(new PutCommand({ TableName: world.table, Item: row }));

  it('never skips a row that is not visible yet', async () => {
    const stream = streamIn(4);
    for (const size of [2, 2, 2]) await appendTo(stream, size);
    const row = await takeRow(4, 4);
    const { found, gap } = await readEventPartition(session, 4, 0, 10, now);
    expect([gap, found.map(({ position }) => position)]).toEqual([false, [1, 2]]);
    const next = readEventPartition(session, 4, 2, 10, now);
    await putRow(row);
    expect((await next).found.map(({ position }) => position)).toEqual([3, 4, 5, 6]);
  });

  it('waits for a row that is missing for a long time, and skips it once it can no longer appear', async () => {
    const stream = streamIn(5);
    for (const size of [2, 2, 2]) await appendTo(stream, size);
    const rows = [await takeRow(5, 2), await takeRow(5, 4)];
    expect(await readEventPartition(session, 5, 0, 10, now, 6)).toEqual({ found: [], gap: false });
    expect(await readEventPartition(session, 5, 2, 10, now, 6)).toEqual({ found: [], gap: false });
    const { found, gap } = await readEventPartition(session, 5, 2, 10, now + 61_000, 6);
    expect([gap, found.map(({ position }) => position)]).toEqual([true, [5, 6]]);
    await Promise.all(rows.map(putRow));
  });
});

describe('listEvents', () => {
  let written: string[] = [];
  beforeAll(async () => {
    const streams = Array.from({ length: 30 }, (_, index) => streamIn(10 + (index % 25)));
    for (const stream of streams) written.push(...(await appendTo(stream, 3)));
    written = written.toSorted();
  });

  const readAll = async (limit: number) => {
    const reader = walker(listing, () => limit);
    await reader.finish();
    return reader.events.map(named);
  };

  it('returns each event once in a walk, for any content of its pages', async () => {
    for (const limit of [4, 200]) {
      const names = await readAll(limit);
      expect(names.filter((name) => written.includes(name)).toSorted()).toEqual(written);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('reads every partition in turn', async () => {
    const [busy, quiet] = [streamIn(40), streamIn(39)];
    const reader = walker(listing, () => 10);
    await reader.finish();
    await appendTo(busy, 60);
    const [late] = await appendTo(quiet, 1);
    const before = reader.events.length;
    for (const _ of [1, 2, 3]) await reader.step();
    expect(reader.events.slice(before).map(named)).toContain(late);
  });

  it('starts at the end on request, and continues from there', async () => {
    const reader = walker(listing);
    await reader.step('now');
    expect(reader.events).toEqual([]);
    const appended = await appendTo(streamIn(12), 2);
    await reader.finish();
    expect(reader.events.map(named)).toEqual(appended);
  });

  it('returns the same cursor where nothing has happened, and a new one once a day', async () => {
    const reader = walker(listing);
    await reader.finish();
    const cursor = reader.cursor();
    expect(await reader.step()).toBe(false);
    vi.useFakeTimers({ now: now + 2 * day, toFake: ['Date'] });
    try {
      expect(await reader.step()).toBe(true);
      expect(reader.cursor()).not.toBe(cursor);
    } finally {
      vi.useRealTimers();
    }
  });

  const list = async (cursor: string, call = readerCall()) => listing.listEvents({ cursor }, call);
  const expired = { ok: false, failure: { code: 'cursor_expired', errors: [{ path: '/cursor' }] } };

  it('rejects a cursor older than 30 days', async () => {
    const reader = walker(listing);
    await reader.step('now');
    const cursor = reader.cursor() ?? '';
    expect(await list(cursor)).toMatchObject({ ok: true });
    vi.useFakeTimers({ now: now + 31 * day, toFake: ['Date'] });
    try {
      expect(await list(cursor)).toMatchObject(expired);
    } finally {
      vi.useRealTimers();
    }
  });

  it('rejects a cursor before the stored events', async () => {
    const stream = streamIn(50);
    await appendTo(stream, 1);
    const reader = walker(listing);
    await reader.finish();
    await appendTo(stream, 1, { at: now - 33 * day });
    await appendTo(stream, 1);
    expect(await list(reader.cursor() ?? '')).toMatchObject(expired);
  });

  it('rejects a cursor of another client', async () => {
    const reader = walker(listing);
    await reader.step('now');
    const other = { ...readerCall(), caller: { clientId: 'other', scopes: [] } };
    expect(await list(reader.cursor() ?? '', other)).toMatchObject({ ok: false, failure: { code: 'invalid_cursor' } });
  });

  it('skips erased events', async () => {
    const reader = walker(listing);
    await reader.step('now');
    const stream = streamIn(13);
    const appended = await appendTo(stream, 3);
    await table.send(new DeleteCommand({ TableName: world.table, Key: domainEventKey(stream, 2) }));
    await reader.finish();
    expect(reader.events.map(named)).toEqual([appended[0], appended[2]]);
  });

  it('limits the size of a response, also with large events', async () => {
    const reader = walker(listing);
    await reader.step('now');
    const appended = await appendTo(streamIn(14), 5, { data: { tags: ['x'.repeat(1_500_000)] } });
    const pages: number[] = [];
    for (let more = true; more;) {
      const before = reader.events.length;
      more = await reader.step();
      pages.push(reader.events.length - before);
    }
    expect(pages).toEqual([2, 2, 1, 0]);
    expect(reader.events.map(named)).toEqual(appended);
  });

  it('reads the end offset of every partition', async () => {
    expect(await readEndOffsets(session)).toHaveLength(eventPartitionCount);
  });
});
