import { describe, expect, test } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import { functionSpecs } from '../../lib/local/emulators/functions.ts';
import { mappingsOf } from '../../lib/local/emulators/queue-poller.ts';
import { streamMappingsOf } from '../../lib/local/streams/mapping.ts';
import { streamTemplate, toDead } from './stream-world.ts';

const deployed = (properties: object) =>
  deploy(streamTemplate(properties), { mode: 'standalone', parameters: {}, sqs: 'http://sqs' });

const mappings = (properties: object) => {
  const deployment = deployed(properties);
  return streamMappingsOf(deployment, functionSpecs(deployment));
};

const filtered = (...patterns: readonly object[]) => ({
  FilterCriteria: { Filters: patterns.map((pattern) => ({ Pattern: JSON.stringify(pattern) })) },
});

describe('stream mapping', () => {
  test('is read as osls writes it, and left out of the mappings of queues', () => {
    const properties = {
      BatchSize: 50,
      BisectBatchOnFunctionError: true,
      MaximumBatchingWindowInSeconds: 2,
      MaximumRecordAgeInSeconds: -1,
      MaximumRetryAttempts: 5,
      ParallelizationFactor: 4,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ...toDead,
    };
    expect(mappings(properties)).toEqual([
      {
        id: 'Mapping',
        tableName: 'returns-standalone-Table',
        streamArn: expect.stringContaining('table/returns-standalone-Table/stream/'),
        function: expect.objectContaining({ key: 'publish' }),
        startingPosition: 'TRIM_HORIZON',
        batchSize: 50,
        windowMs: 2_000,
        parallelization: 4,
        reportsFailures: true,
        bisects: true,
        maxRetries: 5,
        destination: 'http://sqs/000000000000/returns-standalone-Dead',
        wants: expect.any(Function),
      },
    ]);
    const deployment = deployed(properties);
    expect(mappingsOf(deployment, functionSpecs(deployment))).toEqual([]);
  });

  test('is skipped when it is not enabled', () => {
    expect(mappings({ Enabled: false })).toEqual([]);
  });

  test.each([
    [{ sk: { S: ['SNAPSHOT'] } }, ['SNAPSHOT'], ['HISTORY#1', '']],
    [{ sk: { S: [{ prefix: 'HISTORY#' }, 'META'] } }, ['HISTORY#1', 'HISTORY#', 'META'], ['HISTORY', 'META2']],
    [{ pk: { S: ['a'] }, sk: { S: ['b'] } }, ['b'], ['c']],
  ])('selects records that match %j', (Keys, wanted, others) => {
    const [mapping] = mappings(filtered({ eventName: ['INSERT'], dynamodb: { Keys } }));
    const record = (sk: string, eventName = 'INSERT') => ({
      eventName,
      dynamodb: { Keys: { pk: { S: 'a' }, sk: { S: sk } } },
    });
    expect(wanted.filter((sk) => mapping?.wants(record(sk)) !== true)).toEqual([]);
    expect(others.filter((sk) => mapping?.wants(record(sk)))).toEqual([]);
    expect(mapping?.wants(record(wanted[0] ?? '', 'MODIFY'))).toBe(false);
  });

  test('selects records that match one of several patterns', () => {
    const [mapping] = mappings(filtered({ eventName: ['INSERT'] }, { eventName: ['REMOVE'] }));
    expect(['INSERT', 'MODIFY', 'REMOVE'].map((eventName) => mapping?.wants({ eventName }))).toEqual([
      true,
      false,
      true,
    ]);
  });

  const known = 'the local stack knows values and a prefix only';

  test.each([
    [{ TumblingWindowInSeconds: 5 }, '/TumblingWindowInSeconds: unknown to the local stack'],
    [{ StartingPosition: 'AT_TIMESTAMP' }, '/StartingPosition: the local stack knows TRIM_HORIZON and LATEST only'],
    [{ FunctionName: 'nobody' }, '/FunctionName: there is no function nobody'],
    [filtered({ eventName: [{ exists: true }] }), `/FilterCriteria/Filters/0/Pattern/eventName/0: ${known}`],
    [
      filtered({ eventName: [{ prefix: 'a', suffix: 'b' }] }),
      `/FilterCriteria/Filters/0/Pattern/eventName/0: ${known}`,
    ],
    [
      filtered({ eventName: 'INSERT' }),
      '/FilterCriteria/Filters/0/Pattern/eventName: must be an object, or a list of rules',
    ],
    [
      { DestinationConfig: { OnFailure: { Destination: 'arn:aws:sns:eu-central-1:000000000000:t' } } },
      '/DestinationConfig/OnFailure/Destination: the local stack knows its queues only',
    ],
  ])('is refused with unknown properties', (properties, message) => {
    expect(() => mappings(properties)).toThrow(`/Resources/Mapping/Properties${message}`);
  });

  test('is refused with a destination that the role may not write to', () => {
    const template = streamTemplate(toDead);
    template.Resources.Role.Properties.Policies[0]?.PolicyDocument.Statement.pop();
    const deployment = deploy(template, { mode: 'standalone', parameters: {}, sqs: '' });
    expect(() => streamMappingsOf(deployment, functionSpecs(deployment))).toThrow(
      'the role of returns-dev-publish does not permit sqs:SendMessage',
    );
  });
});
