import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { publishTableRecords } from '../../../lib/service/outbox/publish-events.ts';
import { domainEventKey } from '../../../lib/store/engine/keys.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import {
  eventPartitionOf,
  markPublished,
  readEndOffset,
  readEventPartition,
  readPublishedSequence,
} from '../../../lib/store/events/event-partitions.ts';
import { writeDomainEvent } from '../../../lib/store/events/outbox.ts';
import { ampleDeadline, contextWith } from '../../support/time.ts';
import { domainEventOf, named, returnStreamOf, streamOf } from './support.ts';
import { startWorld } from './world.ts';
import { inSoak } from '../../support/samples.ts';

const world = await startWorld();

const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const session = openSession(ampleDeadline());
afterAll(async () => {
  session[Symbol.dispose]();
  await world.stop();
});
const { bus } = world;
beforeEach(() => bus.clear());

/** Creates so many events in a stream, from a sequence on. */
const happen = async (stream: string, count: number, { from = 1, data = {}, step = 1 } = {}) => {
  const sequences = Array.from({ length: count }, (_, index) => from + index * step);
  await transact(
    session,
    sequences.map((sequence) => writeDomainEvent(stream, domainEventOf(sequence, data))),
  );
  return sequences.map((sequence) => ({ stream, sequence }));
};

const publish = async (records: Parameters<typeof streamOf>[0], remaining?: number) =>
  (await publishTableRecords(streamOf(records), contextWith(remaining))).batchItemFailures;

/** Returns the sequences of a stream in its partition. */
const logged = async (stream: string): Promise<number[]> => {
  const log = eventPartitionOf(stream);
  const { found } = await readEventPartition(session, log, 0, 5_000, Date.now(), await readEndOffset(session, log));
  return found.filter((one) => one.stream === stream).map(({ sequence }) => sequence);
};

describe('publishEvents', () => {
  it('publishes an event and then appends it, once for any number of repeats', async () => {
    const stream = returnStreamOf();
    const [first, second] = await happen(stream, 2);
    if (first === undefined || second === undefined) throw new Error('nothing happened');
    expect(await publish([second, first, second])).toEqual([]);
    expect(await publish([first])).toEqual([]);
    expect(await logged(stream)).toEqual([1, 2]);
    expect(bus.taken.map(named)).toEqual([`${stream.slice(7)}/1`, `${stream.slice(7)}/2`]);
    const [[entry] = []] = bus.requests;
    expect(entry).toMatchObject({
      EventBusName: 'unit',
      Source: 'urn:returns:unit',
      DetailType: 'com.example.returns.return.updated',
      Time: 1_770_000_000.001,
    });
    expect(bus.taken[0]).toMatchObject({ specversion: '1.0', sequence: '0000000001', partitionkey: stream.slice(7) });
  });

  it('publishes nothing of an import, and all that follows it', async () => {
    const stream = returnStreamOf();
    const imported = { ...domainEventOf(1), type: 'return.imported' };
    await transact(session, [writeDomainEvent(stream, imported), markPublished(stream, 1)]);
    expect(await publish([{ stream, sequence: 1 }])).toEqual([]);
    await happen(stream, 1, { from: 2 });
    expect(await publish([{ stream, sequence: 2 }])).toEqual([]);
    expect(await logged(stream)).toEqual([2]);
    expect(bus.taken.map(named)).toEqual([`${stream.slice(7)}/2`]);
  });

  it('sends no import to the bus when it reads the event before its mark', async () => {
    const stream = returnStreamOf();
    await transact(session, [writeDomainEvent(stream, { ...domainEventOf(1), type: 'return.imported' })]);
    expect(await publish([{ stream, sequence: 1 }])).toEqual([]);
    expect(bus.taken).toEqual([]);
  });

  it('fills a gap from the history', async () => {
    const stream = returnStreamOf();
    const records = await happen(stream, 5);
    expect(await publish(records.slice(4))).toEqual([]);
    expect(await logged(stream)).toEqual([1, 2, 3, 4, 5]);
  });

  it.each(inSoak('publishes a long history in pieces, and many streams in several rows'))('%s', async () => {
    const long = returnStreamOf();
    const records = await happen(long, 90);
    await happen(long, 90, { from: 91 });
    const streams = Array.from({ length: 110 }, () => returnStreamOf());
    const others = (await Promise.all(streams.map(async (stream) => happen(stream, 1)))).flat();
    expect(await publish([...records.slice(0, 1), ...others])).toEqual([]);
    expect(await logged(long)).toHaveLength(180);
    expect(await Promise.all(streams.map(async (stream) => readPublishedSequence(session, stream)))).toEqual(
      streams.map(() => 1),
    );
  });

  it('publishes the events of an endpoint, whose sequences only grow', async () => {
    const stream = `ENDPOINT#${returnStreamOf().slice(7)}`;
    const records = await happen(stream, 3, { from: 10, step: 10 });
    expect(await publish(records)).toEqual([]);
    expect(await logged(stream)).toEqual([10, 20, 30]);
  });

  it('stops at a missing entry, and blocks no other stream', async () => {
    const [broken, sound] = [returnStreamOf(), returnStreamOf()];
    const [, second = { stream: broken, sequence: 2 }, third = second] = await happen(broken, 3);
    await table.send(new DeleteCommand({ TableName: world.table, Key: domainEventKey(broken, 2) }));
    const records = [...(await happen(sound, 1)), third, second, ...(await happen(returnStreamOf(), 1))];
    expect(await publish(records)).toEqual([{ itemIdentifier: '1001' }]);
    expect([await logged(broken), await logged(sound)]).toEqual([[], [1]]);
    await transact(session, [writeDomainEvent(broken, domainEventOf(2))]);
    expect(await publish([third])).toEqual([]);
    expect(await logged(broken)).toEqual([1, 2, 3]);
  });

  it('stops at a policy event that is not visible yet', async () => {
    const stream = `POLICY#${returnStreamOf().slice(7)}`;
    const [first = { stream, sequence: 1 }] = await happen(stream, 3);
    // A transaction makes its items visible one by one.
    await table.send(new DeleteCommand({ TableName: world.table, Key: domainEventKey(stream, 2) }));
    expect(await publish([first])).toEqual([{ itemIdentifier: '1000' }]);
    await transact(session, [writeDomainEvent(stream, domainEventOf(2))]);
    expect(await publish([first])).toEqual([]);
    expect(await logged(stream)).toEqual([1, 2, 3]);
  });

  it('skips an unreadable stream, and returns its first record', async () => {
    const [poisoned, sound] = [returnStreamOf(), returnStreamOf()];
    await table.send(
      new PutCommand({ TableName: world.table, Item: { ...domainEventKey(poisoned, 1), value: new Uint8Array([9]) } }),
    );
    const records = [...(await happen(sound, 1)), { stream: poisoned, sequence: 1 }];
    expect(await publish(records)).toEqual([{ itemIdentifier: '1001' }]);
    expect(await logged(sound)).toEqual([1]);
  });

  it('sends entries again that the busy bus rejected, and appends only the accepted ones', async () => {
    const [busy, rejected] = [returnStreamOf(), returnStreamOf()];
    const records = [...(await happen(busy, 2)), ...(await happen(rejected, 2))];
    bus.decide(({ subject, data }, tries) => {
      if (subject === rejected.slice(7) && data.sequence === 2) return 'MalformedDetail';
      return subject === busy.slice(7) && tries < 3 ? 'ThrottlingException' : undefined;
    });
    expect(await publish(records)).toEqual([{ itemIdentifier: '1002' }]);
    expect([await logged(busy), await logged(rejected)]).toEqual([[1, 2], []]);
    bus.clear();
    expect(await publish(records)).toEqual([]);
    expect(bus.taken.map(named)).toEqual([`${rejected.slice(7)}/1`, `${rejected.slice(7)}/2`]);
    expect(await logged(rejected)).toEqual([1, 2]);
  });

  it.each(['down', 'refusing'] as const)('appends nothing while the bus is %s', async (mood) => {
    const stream = returnStreamOf();
    const records = await happen(stream, 1);
    bus.turn(mood);
    expect(await publish(records)).toEqual([{ itemIdentifier: '1000' }]);
    bus.turn('well');
    expect(await logged(stream)).toEqual([]);
    expect(await publish(records)).toEqual([]);
    expect(await logged(stream)).toEqual([1]);
  });

  it('stops before the time of the function is over', async () => {
    const stream = returnStreamOf();
    const records = await happen(stream, 1);
    bus.turn('hung');
    expect(await publish(records, 3_200)).toEqual([{ itemIdentifier: '1000' }]);
  });

  it('sends ten events in a request, and less than 256 KB', async () => {
    const stream = returnStreamOf();
    await happen(stream, 25);
    const large = returnStreamOf();
    await happen(large, 4, { data: { tags: ['x'.repeat(90_000)] } });
    expect(
      await publish([
        { stream, sequence: 1 },
        { stream: large, sequence: 1 },
      ]),
    ).toEqual([]);
    const sizes = bus.requests.map((entries) => entries.reduce((sum, { Detail }) => sum + Detail.length, 0));
    expect(Math.max(...bus.requests.map((entries) => entries.length))).toBe(10);
    expect(Math.max(...sizes)).toBeLessThan(256 * 1024);
    expect(bus.taken).toHaveLength(29);
  });

  it('sends an event that is too large for the bus without its change, and marks it so', async () => {
    const stream = returnStreamOf();
    await happen(stream, 1, { data: { tags: ['ü'.repeat(130_000)] } });
    expect(await publish([{ stream, sequence: 1 }])).toEqual([]);
    expect(bus.taken).toMatchObject([{ dataomitted: true, data: { sequence: 1, to: 'requested' } }]);
    expect(bus.taken[0]?.data).not.toHaveProperty('change');
    expect(await logged(stream)).toEqual([1]);
  });

  it('skips a deleted stream', async () => {
    expect(await publish([{ stream: returnStreamOf(), sequence: 1 }])).toEqual([]);
    expect(bus.requests).toEqual([]);
  });
});
