import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import { functionSpecs } from '../../lib/local/emulators/functions.ts';
import { processBatch } from '../../lib/local/streams/batch.ts';
import { openRecordQueues } from '../../lib/local/streams/record-queues.ts';
import { streamMappingsOf } from '../../lib/local/streams/mapping.ts';
import { streamTemplate } from './stream-world.ts';
import { runs } from '../support/samples.ts';

// Failures are written to the log of their mode.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));

const record = (item: string, number: number, text = ''): DynamoDBRecord => ({
  dynamodb: { Keys: { pk: { S: item } }, SequenceNumber: String(number), NewImage: { text: { S: text } } },
});
const numberOf = ({ dynamodb }: DynamoDBRecord) => Number(dynamodb?.SequenceNumber);

const signal = new AbortController().signal;

const gathered = async (
  options: { readonly batchSize: number; readonly windowMs: number },
  push: (add: (one: DynamoDBRecord) => void) => unknown,
) => {
  const batches: number[][] = [];
  const recordQueues = openRecordQueues({
    parallelization: 1,
    ...options,
    signal,
    work: async (batch) => void batches.push(batch.map(numberOf)),
  });
  await push(recordQueues.push);
  await recordQueues.idle();
  return batches;
};

describe('stream record queues', () => {
  test('limit an event to the size of Lambda, except for one larger record', async () => {
    const sizes = [2_500_000, 3_000_000, 1_000_000, 7_000_000, 1];
    const batches = await gathered({ batchSize: 10, windowMs: 0 }, (push) =>
      sizes.forEach((size, index) => push(record('a', index, 'x'.repeat(size)))),
    );
    expect(batches).toEqual([[0, 1], [2], [3], [4]]);
  });

  test('wait for more records until the window ends or a batch is full', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const batches = gathered({ batchSize: 3, windowMs: 1_000 }, async (push) => {
      push(record('a', 1));
      await vi.advanceTimersByTimeAsync(999);
      push(record('a', 2));
      await vi.advanceTimersByTimeAsync(1);
      [3, 4, 5, 6].forEach((number) => push(record('a', number)));
      await vi.advanceTimersByTimeAsync(0);
      push(record('a', 7));
      await vi.advanceTimersByTimeAsync(1_000);
    });
    expect(await batches).toEqual([
      [1, 2],
      [3, 4, 5],
      [6, 7],
    ]);
  });

  /** Processes a batch of so many records by a function with these responses, which succeeds in the end. */
  const worked = async (
    count: number,
    properties: object,
    script: readonly ((numbers: readonly number[]) => unknown)[],
  ) => {
    const deployment = deploy(streamTemplate({ FunctionResponseTypes: ['ReportBatchItemFailures'], ...properties }), {
      mode: 'standalone',
      parameters: {},
      sqs: '',
    });
    const [mapping] = streamMappingsOf(deployment, functionSpecs(deployment));
    if (mapping === undefined) throw new Error('no mapping');
    const answers = [...script];
    const done: number[] = [];
    const batches: (readonly number[])[] = [];
    await processBatch(
      Array.from({ length: count }, (_, index) => record('a', index)),
      {
        sqs: '',
        mapping,
        shardOf: () => '',
        signal,
        retryMs: 0,
        onDone: (records) => void done.push(...records.map(numberOf)),
        invoke: async (_, event) => {
          const numbers = (event as DynamoDBStreamEvent).Records.map(numberOf);
          batches.push(numbers);
          return answers.shift()?.(numbers);
        },
      },
    );
    return { done, batches };
  };

  test.each([
    ['an empty identifier', [{ itemIdentifier: '' }]],
    ['no identifier', [{}]],
    ['a known record and an unknown one', [{ itemIdentifier: '1' }, { itemIdentifier: '4711' }]],
  ])('treat a function that reports %s as failed', async (_, batchItemFailures) => {
    const { batches } = await worked(2, {}, [() => ({ batchItemFailures })]);
    expect(batches).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  test.each([[null], [{}], [{ batchItemFailures: null }], [{ batchItemFailures: [] }]])(
    'treat a function that answers %j as successful',
    async (answer) => {
      expect(await worked(2, {}, [() => answer])).toEqual({ done: [0, 1], batches: [[0, 1]] });
    },
  );

  test('process each record once, in order, for any sequence of failures', async () => {
    const steps = fc.oneof(fc.constant('throws' as const), fc.nat({ max: 7 }));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        fc.array(steps),
        async (count, bisects, script) => {
          const processed: number[] = [];
          const answers = script.map((step) => (numbers: readonly number[]) => {
            if (step === 'throws') throw new Error('it failed');
            // A function reports an unknown record where it has processed nothing.
            const failed = numbers[step];
            processed.push(...(failed === undefined ? [] : numbers.slice(0, step)));
            return { batchItemFailures: [{ itemIdentifier: failed === undefined ? 'none' : String(failed) }] };
          });
          const { done, batches } = await worked(count, { BisectBatchOnFunctionError: bisects }, answers);
          expect(done).toEqual(Array.from({ length: count }, (_, index) => index));
          // Records that the script did not process were processed by the later responses.
          const rest = batches.slice(script.length).flat();
          expect([...processed, ...rest]).toEqual(done);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
