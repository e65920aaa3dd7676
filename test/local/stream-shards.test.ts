import type { DynamoDBStreamEvent } from 'aws-lambda';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import { functionSpecs } from '../../lib/local/emulators/functions.ts';
import { streamMappingsOf } from '../../lib/local/streams/mapping.ts';
import { checkStreamMapping, startStreamPoller } from '../../lib/local/streams/poller.ts';
import { startServer } from '../support/http-server.ts';
import { streamTemplate } from './stream-world.ts';
import { temporaryDirectory } from './support.ts';

/** A busy machine is slow. */

type Shard = { readonly parent?: string; isOpen: boolean; readonly records: string[] };

/** Starts a DynamoDB Streams for a reader of several shards. An iterator is the shard's id and an index in it. */
const startStreams = async (shards: Readonly<Record<string, Shard>>, stream: { first: number } = { first: 0 }) => {
  const streamArn = 'arn:aws:dynamodb:ddblocal:000000000000:table/t/stream/2026';
  const answers: Readonly<Record<string, (input: Readonly<Record<string, string>>) => object>> = {
    ListStreams: () => ({
      Streams: [
        { StreamArn: streamArn, StreamLabel: '2026' },
        { StreamArn: 'of a table that was deleted', StreamLabel: '2025' },
      ],
    }),
    DescribeStream: ({ StreamArn, ExclusiveStartShardId }) => {
      expect(StreamArn).toBe(streamArn);
      // One shard a page, the youngest first.
      const ids = Object.keys(shards).toReversed();
      const at = ExclusiveStartShardId === undefined ? 0 : ids.indexOf(ExclusiveStartShardId) + 1;
      const [id = ''] = ids.slice(at);
      const ended = shards[id]?.isOpen === false ? { EndingSequenceNumber: '9' } : {};
      return {
        StreamDescription: {
          Shards: [{ ShardId: id, ParentShardId: shards[id]?.parent, SequenceNumberRange: ended }],
          ...(at < ids.length - 1 && { LastEvaluatedShardId: id }),
        },
      };
    },
    GetShardIterator: ({ ShardId = '', ShardIteratorType, SequenceNumber = '' }) => {
      if (ShardIteratorType === 'TRIM_HORIZON') return { ShardIterator: `${ShardId} 0` };
      const { records = [] } = shards[ShardId] ?? {};
      if (ShardIteratorType === 'LATEST') return { ShardIterator: `${ShardId} ${records.length}` };
      if (Number(SequenceNumber) < stream.first) return { __type: 'x#TrimmedDataAccessException' };
      return { ShardIterator: `${ShardId} ${records.indexOf(SequenceNumber) + 1}` };
    },
    GetRecords: ({ ShardIterator = '' }) => {
      const [id = '', at] = ShardIterator.split(' ');
      const { records = [], isOpen = false } = shards[id] ?? {};
      return {
        Records: records
          .slice(Number(at))
          .filter((number) => Number(number) >= stream.first)
          .map((SequenceNumber) => ({
            eventName: 'INSERT',
            dynamodb: { SequenceNumber, Keys: { pk: { S: 'a' }, sk: { S: SequenceNumber } } },
          })),
        ...(isOpen && { NextShardIterator: `${id} ${records.length}` }),
      };
    },
  };
  let reads = 0;
  const server = await startServer(({ headers, body }) => {
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    if (operation === 'GetRecords') reads += 1;
    const answer = answers[operation]?.(JSON.parse(body) as Readonly<Record<string, string>>) ?? {};
    return { status: '__type' in answer ? 400 : 200, body: JSON.stringify(answer) };
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { endpoint: server.origin, reads: () => reads };
};

const mappingOf = (properties: object = {}) => {
  const deployment = deploy(streamTemplate(properties), { mode: 'standalone', parameters: {}, sqs: '' });
  const [mapping] = streamMappingsOf(deployment, functionSpecs(deployment));
  if (mapping === undefined) throw new Error('no mapping');
  return mapping;
};

const poll = async (endpoint: string, folder: string, properties: object = {}) => {
  const numbers: string[] = [];
  const poller = await startStreamPoller({
    endpoints: { dynamodb: endpoint, sqs: endpoint },
    mapping: mappingOf(properties),
    folder,
    pollMs: 5,
    invoke: async (_, event) => {
      const { Records } = event as DynamoDBStreamEvent;
      numbers.push(...Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? ''));
      return null;
    },
  });
  onTestFinished(poller.close);
  return { numbers, close: poller.close };
};

describe('stream shards', () => {
  test('are read one after another, parents first, also after a restart', async () => {
    const second: Shard = { parent: 'first', isOpen: true, records: ['3'] };
    const shards: Record<string, Shard> = { first: { isOpen: false, records: ['1', '2'] }, second };
    const { endpoint } = await startStreams(shards);
    const folder = await temporaryDirectory();
    const before = await poll(endpoint, folder);
    await expect.poll(() => before.numbers).toEqual(['1', '2', '3']);
    second.records.push('4');
    await expect.poll(() => before.numbers).toEqual(['1', '2', '3', '4']);
    // The engine closes the shard. Its child appears a moment later.
    second.isOpen = false;
    const third: Shard = { parent: 'second', isOpen: true, records: ['5'] };
    shards['third'] = third;
    await expect.poll(() => before.numbers).toEqual(['1', '2', '3', '4', '5']);
    await before.close();
    third.isOpen = false;
    shards['fourth'] = { parent: 'third', isOpen: true, records: ['6'] };
    const after = await poll(endpoint, folder);
    await expect.poll(() => after.numbers).toEqual(['6']);
  });

  test('start at the open shard for a mapping at the latest record', async () => {
    const second: Shard = { parent: 'first', isOpen: true, records: ['2'] };
    const shards: Record<string, Shard> = { first: { isOpen: false, records: ['1'] }, second };
    const { endpoint, reads } = await startStreams(shards);
    const { numbers } = await poll(endpoint, await temporaryDirectory(), { StartingPosition: 'LATEST' });
    await expect.poll(reads).toBeGreaterThan(0);
    second.isOpen = false;
    shards['third'] = { parent: 'second', isOpen: true, records: ['3'] };
    await expect.poll(() => numbers).toEqual(['3']);
  });

  test('continue with the oldest remaining record when the stream has trimmed the next one, or its shard', async () => {
    const first: Shard = { isOpen: true, records: ['1', '2', '3', '4'] };
    const shards: Record<string, Shard> = { first };
    const stream = { first: 0 };
    const { endpoint } = await startStreams(shards, stream);
    const folder = await temporaryDirectory();
    const before = await poll(endpoint, folder);
    await expect.poll(() => before.numbers).toHaveLength(4);
    await before.close();
    first.records.push('5', '6', '7');
    stream.first = 6;
    const trimmed = await poll(endpoint, folder);
    await expect.poll(() => trimmed.numbers).toEqual(['6', '7']);
    await trimmed.close();
    delete shards['first'];
    shards['second'] = { parent: 'first', isOpen: true, records: ['8'] };
    const afterDeletion = await poll(endpoint, folder);
    await expect.poll(() => afterDeletion.numbers).toEqual(['8']);
  });

  test('are refused where records go to two shards at once', async () => {
    const { endpoint } = await startStreams({ one: { isOpen: true, records: [] }, two: { isOpen: true, records: [] } });
    await expect(checkStreamMapping(endpoint, mappingOf())).rejects.toThrow(
      'a stream has 2 open shards: the local stack reads one at a time',
    );
  });
});
