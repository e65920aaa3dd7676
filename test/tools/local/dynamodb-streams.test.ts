import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openWrites } from '../../../lib/tools/local/streams/writes.ts';
import { deployedStream, namesIn, startWorld, streamMappingIn, toDead } from './stream-world.ts';

// Failures and dead-lettered records are written to the log of their mode.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));

const arn = 'arn:aws:dynamodb:eu-central-1:000000000000:table/returns-standalone-Table/stream/2026-01-01T00:00:00.000';
const reported = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
const names = (...numbers: readonly number[]) => numbers.map((number) => `a/${number}`);
const filtered = (...patterns: readonly object[]) => ({
  FilterCriteria: { Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) },
});
/** Returns a function that fails on a batch with this record. */
const failsOn =
  (name: string, done: string[] = []) =>
  (event: DynamoDBStreamEvent) => {
    if (namesIn(event).includes(name)) throw new Error('it failed');
    done.push(...namesIn(event));
  };
const numberOf = (event: DynamoDBStreamEvent | undefined, name: string) =>
  event?.Records[namesIn(event).indexOf(name)]?.dynamodb?.SequenceNumber;

/** Starts a world whose table has the records 1 to `count` of one item collection. */
const startWith = async (count: number, properties: object = {}) => {
  const world = await startWorld(properties);
  for (let number = 1; number <= count; number += 1) await world.put('a', String(number));
  return world;
};

/** https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
describe('stream of a table that feeds a function', () => {
  /** https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html */
  it('delivers the records that match one of its filters, in order, in the event of Lambda', async () => {
    const inserted = { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'HISTORY#' }, 'META'] } } } };
    const removed = { eventName: ['REMOVE'], dynamodb: { Keys: { pk: { S: ['a'] }, sk: { S: ['META'] } } } };
    const world = await startWorld(filtered(inserted, removed));
    await world.check();
    await world.put('a', 'SNAPSHOT');
    await world.put('a', 'HISTORY#1', { bytes: new Uint8Array([1, 2]), list: [true, null, 3] });
    await world.put('a', 'HISTORY#1', { changed: true });
    for (const sk of ['META', 'META2', 'HISTORY']) await world.put('a', sk);
    for (const sk of ['HISTORY#1', 'META']) await world.remove('a', sk);
    const { events, batches } = await world.startPolling();
    await expect.poll(() => batches().flat()).toEqual(['a/HISTORY#1', 'a/META', 'a/META']);
    const [first] = events.flatMap(({ Records }) => Records);
    expect(first).toEqual({
      eventID: expect.any(String),
      eventName: 'INSERT',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-central-1',
      eventSourceARN: arn,
      dynamodb: {
        ApproximateCreationDateTime: expect.any(Number),
        Keys: { pk: { S: 'a' }, sk: { S: 'HISTORY#1' } },
        NewImage: {
          pk: { S: 'a' },
          sk: { S: 'HISTORY#1' },
          bytes: { B: 'AQI=' },
          list: { L: [{ BOOL: true }, { NULL: true }, { N: '3' }] },
        },
        SequenceNumber: expect.stringMatching(/^\d+$/),
        SizeBytes: expect.any(Number),
        StreamViewType: 'NEW_IMAGE',
      },
    });
    const seconds = first?.dynamodb?.ApproximateCreationDateTime ?? 0;
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60);
    expect(world.received[0]).toMatchObject({ type: 'records', function: 'publish', records: 3 });
  });

  it('waits for a full batch or until its window ends, and limits an event to 6 MB', async () => {
    const full = await startWith(1, { BatchSize: 2, MaximumBatchingWindowInSeconds: 300 });
    const { batches } = await full.startPolling();
    await expect.poll(() => full.received).toHaveLength(1);
    await full.put('a', '2');
    await expect.poll(batches).toEqual([names(1, 2)]);

    const large = await startWith(1, { BatchSize: 100, MaximumBatchingWindowInSeconds: 1 });
    const released = Promise.withResolvers<void>();
    const { events } = await large.startPolling(() => released.promise);
    await expect.poll(() => events).toHaveLength(1);
    for (let number = 2; number <= 19; number += 1) await large.put('a', String(number), { text: 'x'.repeat(390_000) });
    await expect.poll(() => large.received.reduce((sum, { records }) => sum + records, 0)).toBe(19);
    released.resolve();
    await expect.poll(() => events.map(({ Records }) => Records.length)).toEqual([1, 15, 3]);
    expect(JSON.stringify(events[1]).length).toBeLessThan(6 * 1024 * 1024);
  });

  /** https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html */
  it('dead-letters a batch that fails too often, and continues with the next one', async () => {
    const world = await startWith(3, { BatchSize: 2, MaximumRetryAttempts: 2, ...toDead });
    const { events, batches } = await world.startPolling(failsOn('a/1'));
    await expect.poll(batches).toEqual([names(1, 2), names(1, 2), names(1, 2), names(3)]);
    const arrival = expect.stringMatching(/^\d{4}-.*\dZ$/) as string;
    expect(await world.dead()).toEqual([
      {
        requestContext: {
          requestId: expect.any(String),
          functionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:returns-dev-publish:live',
          condition: 'RetryAttemptsExhausted',
          approximateInvokeCount: 3,
        },
        responseContext: { statusCode: 200, executedVersion: '1', functionError: 'Unhandled' },
        version: '1.0',
        timestamp: expect.any(String),
        DDBStreamBatchInfo: {
          shardId: expect.any(String),
          startSequenceNumber: numberOf(events[0], 'a/1'),
          endSequenceNumber: numberOf(events[0], 'a/2'),
          approximateArrivalOfFirstRecord: arrival,
          approximateArrivalOfLastRecord: arrival,
          batchSize: 2,
          streamArn: arn,
        },
      },
    ]);
  });

  it('dead-letters a record that is too old before its function runs', async () => {
    const world = await startWith(1, { MaximumRecordAgeInSeconds: 60, ...toDead });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    const { batches } = await world.startPolling();
    const [message] = await world.dead();
    vi.useRealTimers();
    expect(message).toMatchObject({ requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 } });
    expect(message).not.toHaveProperty('responseContext');
    expect(batches()).toEqual([]);
  });

  /** https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html */
  it('delivers the first failed record and those after it again', async () => {
    const world = await startWith(4, reported);
    let failures = 2;
    const { batches } = await world.startPolling((event) => {
      failures -= 1;
      const failed = ['a/4', 'a/3'].map((name) => ({ itemIdentifier: numberOf(event, name) }));
      return { batchItemFailures: failures < 0 ? [] : failed };
    });
    await expect.poll(batches).toEqual([names(1, 2, 3, 4), names(3, 4), names(3, 4)]);
  });

  it('delivers all again for an empty, missing or unknown identifier, and none for no failures', async () => {
    const failed = [[{ itemIdentifier: '' }], [{}], [{ itemIdentifier: '4711' }]];
    const done = [null, {}, { batchItemFailures: null }, { batchItemFailures: [] }];
    const answers = [...failed.map((batchItemFailures) => ({ batchItemFailures })), ...done];
    const world = await startWith(4, { ...reported, BatchSize: 1 });
    const { batches } = await world.startPolling(() => answers.shift());
    await expect.poll(batches).toEqual([1, 1, 1, 1, 2, 3, 4].map((number) => names(number)));
  });

  it('splits a failing batch until the bad record is alone', async () => {
    const world = await startWith(4, { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1, ...toDead });
    const done: string[] = [];
    await world.startPolling(failsOn('a/3', done));
    await expect.poll(() => done).toEqual(names(1, 2, 4));
    expect(await world.dead()).toMatchObject([{ DDBStreamBatchInfo: { batchSize: 1 } }]);
  });

  it('continues after the processed records on a restart, and delivers the others again', async () => {
    const world = await startWith(2, { BatchSize: 1, ...reported });
    const first = await world.startPolling(failsOn('a/2'));
    await expect.poll(() => first.batches().flat()).toContain('a/2');
    await first.close();
    await world.put('a', '3');
    const second = await world.startPolling();
    await expect.poll(second.batches).toEqual([names(2), names(3)]);
    await second.close();
    const third = await world.startPolling();
    await world.put('a', '4');
    await expect.poll(third.batches).toEqual([names(4)]);
  });

  it.each(['GetRecords', 'ListStreams'])('needs a role that permits %s', async (missing) => {
    const all = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'];
    const world = await startWorld(
      {},
      all.filter((name) => name !== missing),
    );
    await expect(world.check()).rejects.toThrow(
      `is not authorized to perform: dynamodb:${missing} on resource: ${arn}`,
    );
  });

  it('is read after a write of the stack, and rests between them', async () => {
    const writes = openWrites();
    const world = await startWorld();
    const startedAt = performance.now();
    const { batches } = await world.startPolling(() => null, { writes });
    for (const name of ['1', '2', '3']) {
      await world.put('a', name);
      writes.note();
      await expect.poll(() => batches().flat()).toContain(`a/${name}`);
    }
    // Two reads for each write: one with the record, and one that finds no more.
    const rests = Math.floor((performance.now() - startedAt) / 5_000);
    expect(world.reads()).toBeLessThanOrEqual(2 * 3 + 2 + rests);
  });
});

/** https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html */
describe('mapping of a stream in a template', () => {
  const rule = '/FilterCriteria/Filters/0/Pattern/eventName';
  const known = 'the local stack knows values and a prefix only';
  it.each([
    [{ TumblingWindowInSeconds: 5 }, '/TumblingWindowInSeconds: unknown to the local stack'],
    [{ StartingPosition: 'LATEST' }, '/StartingPosition: the local stack knows TRIM_HORIZON only'],
    [{ ParallelizationFactor: 2 }, '/ParallelizationFactor: the local stack knows 1 only'],
    [{ FunctionName: 'unknown' }, '/FunctionName: there is no function unknown'],
    [filtered({ eventName: [{ exists: true }] }), `${rule}/0: ${known}`],
    [filtered({ eventName: [{ prefix: 'a', suffix: 'b' }] }), `${rule}/0: ${known}`],
    [filtered({ eventName: 'INSERT' }), `${rule}: must be an object, or a list of rules`],
    [
      { DestinationConfig: { OnFailure: { Destination: 'arn:aws:sns:eu-central-1:000000000000:t' } } },
      '/DestinationConfig/OnFailure/Destination: the local stack knows its queues only',
    ],
  ])('is rejected with %j', (properties, message) => {
    expect(() => streamMappingIn(deployedStream(properties))).toThrow(`/Resources/Mapping/Properties${message}`);
  });

  it('is rejected with a destination that the role may not write to', () => {
    expect(() => streamMappingIn(deployedStream(toDead, { toQueue: 'ReceiveMessage' }))).toThrow(
      'the role of returns-dev-publish does not permit sqs:SendMessage',
    );
  });
});
