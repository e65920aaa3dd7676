import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { namesIn, startWorld, toDead } from './stream-world.ts';

// Failures and dead-lettered records are written to the log of their mode.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));

const arn = 'arn:aws:dynamodb:eu-central-1:000000000000:table/returns-standalone-Table/stream/2026-01-01T00:00:00.000';
const reported = { FunctionResponseTypes: ['ReportBatchItemFailures'] };
const fail = () => Promise.reject(new Error('it failed'));
const names = (...numbers: readonly number[]) => numbers.map((number) => `a/${number}`);

const sequenceNumberOf = ({ Records }: DynamoDBStreamEvent, name: string) =>
  Records.find((_, index) => namesIn({ Records })[index] === name)?.dynamodb?.SequenceNumber;

describe('stream poller', () => {
  test('delivers the selected records in order, as Lambda does', async () => {
    const pattern = { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: 'HISTORY#' }] } } } };
    const world = await startWorld({ FilterCriteria: { Filters: [{ Pattern: JSON.stringify(pattern) }] } });
    await world.check();
    await world.put('a', 'SNAPSHOT');
    await world.put('a', 'HISTORY#1', { bytes: new Uint8Array([1, 2]), list: [true, null, 3] });
    await world.put('a', 'HISTORY#1', { changed: true });
    await world.put('a', 'HISTORY#2');
    await world.remove('a', 'HISTORY#2');
    const { events, batches } = await world.startPolling(() => null);
    await expect.poll(() => batches().flat()).toEqual(['a/HISTORY#1', 'a/HISTORY#2']);
    expect(events[0]?.Records[0]).toEqual({
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
    expect(
      Math.abs((events[0]?.Records[0]?.dynamodb?.ApproximateCreationDateTime ?? 0) - Date.now() / 1000),
    ).toBeLessThan(60);
    expect(world.received[0]).toMatchObject({
      type: 'records',
      table: 'returns-standalone-Table',
      function: 'publish',
      records: 2,
    });
  });

  test('invokes a function of a file, and reports it as invoked by a stream', async () => {
    const world = await startWorld();
    await world.put('a', '1');
    const invoked = await world.startFilePolling('export const handler = async ({ Records }) => Records.length;');
    await expect.poll(() => invoked).toEqual([expect.objectContaining({ function: 'publish', trigger: 'stream' })]);
    expect(invoked[0]).not.toHaveProperty('error');
  });

  test('dead-letters a batch that fails too often with Lambda’s error, and continues with the next one', async () => {
    const world = await startWorld({ BatchSize: 2, MaximumRetryAttempts: 2, ...toDead });
    for (const sk of ['1', '2', '3']) await world.put('a', sk);
    const { events, batches } = await world.startPolling((event) => (namesIn(event).includes('a/1') ? fail() : null));
    await expect.poll(batches).toEqual([names(1, 2), names(1, 2), names(1, 2), names(3)]);
    const [first] = events;
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
          startSequenceNumber: first && sequenceNumberOf(first, 'a/1'),
          endSequenceNumber: first && sequenceNumberOf(first, 'a/2'),
          approximateArrivalOfFirstRecord: expect.stringMatching(/^\d{4}-.*\dZ$/),
          approximateArrivalOfLastRecord: expect.stringMatching(/^\d{4}-.*\dZ$/),
          batchSize: 2,
          streamArn: arn,
        },
      },
    ]);
  });

  test('dead-letters a record that is too old before its function runs', async () => {
    const world = await startWorld({ MaximumRecordAgeInSeconds: 60, ...toDead });
    await world.put('a', '1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
    const { batches } = await world.startPolling(() => null);
    const [message] = await world.dead();
    vi.useRealTimers();
    expect(message).toMatchObject({ requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 } });
    expect(message).not.toHaveProperty('responseContext');
    expect(batches()).toEqual([]);
  });

  test('delivers a failed record and those after it again', async () => {
    const world = await startWorld(reported);
    for (const sk of ['1', '2', '3', '4']) await world.put('a', sk);
    let failures = 2;
    const { batches } = await world.startPolling((event) => {
      failures -= 1;
      const failed = ['a/4', 'a/3'].map((name) => ({ itemIdentifier: sequenceNumberOf(event, name) }));
      return { batchItemFailures: failures < 0 ? [] : failed };
    });
    await expect.poll(batches).toEqual([names(1, 2, 3, 4), names(3, 4), names(3, 4)]);
  });

  test('splits a failing batch until the bad record is alone', async () => {
    const world = await startWorld({ BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1, ...toDead });
    for (const sk of ['1', '2', '3', '4']) await world.put('a', sk);
    const done: string[] = [];
    await world.startPolling((event) => (namesIn(event).includes('a/3') ? fail() : void done.push(...namesIn(event))));
    await expect.poll(() => done).toEqual(names(1, 2, 4));
    expect((await world.dead()).map(({ DDBStreamBatchInfo }) => DDBStreamBatchInfo)).toEqual([
      expect.objectContaining({ batchSize: 1 }),
    ]);
  });

  test('blocks only the stream of a failing record, and keeps the order of each item', async () => {
    const world = await startWorld({ BatchSize: 1, ParallelizationFactor: 4 });
    const done: string[] = [];
    await world.put('a', 'stuck');
    for (const text of ['1', '2', '3']) {
      for (let item = 0; item < 12; item += 1) await world.put('b', String(item), { text });
    }
    await world.startPolling(({ Records }) => {
      const { Keys, NewImage } = Records[0]?.dynamodb ?? {};
      if (Keys?.['pk']?.S === 'a') return fail();
      return void done.push(`${Keys?.['sk']?.S}:${NewImage?.['text']?.S}`);
    });
    // The other records of the blocked stream wait.
    await expect.poll(() => done.length).toBeGreaterThanOrEqual(18);
    const items = Map.groupBy(done, (name) => name.split(':')[0]);
    for (const [item, texts] of items)
      expect(texts).toEqual(['1', '2', '3'].slice(0, texts.length).map((text) => `${item}:${text}`));
  });

  test('continues after the processed records on a restart, and delivers the others again', async () => {
    const world = await startWorld({ BatchSize: 1, ...reported });
    for (const sk of ['1', '2']) await world.put('a', sk);
    const first = await world.startPolling((event) => (namesIn(event).includes('a/2') ? fail() : null));
    await expect.poll(() => first.batches().flat()).toContain('a/2');
    await first.close();
    await world.put('a', '3');
    const second = await world.startPolling(() => null);
    await expect.poll(second.batches).toEqual([names(2), names(3)]);
    await second.close();
    const third = await world.startPolling(() => null);
    await world.put('a', '4');
    await expect.poll(third.batches).toEqual([names(4)]);
  });

  test('starts at new records with the position LATEST', async () => {
    const world = await startWorld({ StartingPosition: 'LATEST' });
    await world.put('a', 'old');
    const { batches } = await world.startPolling(() => null);
    // Its first read sets the position, which the test cannot observe: so it puts several records.
    let count = 0;
    await expect
      .poll(async () => {
        await world.put('a', String((count += 1)));
        return batches().flat().length;
      })
      .toBeGreaterThan(0);
    expect(batches().flat()).not.toContain('a/old');
  });

  test.each(['GetRecords', 'ListStreams'])(
    'does not feed a function whose role does not permit %s',
    async (missing) => {
      const all = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'];
      const world = await startWorld(
        {},
        all.filter((name) => name !== missing),
      );
      await expect(world.check()).rejects.toThrow(
        `is not authorized to perform: dynamodb:${missing} on resource: ${arn}`,
      );
    },
  );
});
