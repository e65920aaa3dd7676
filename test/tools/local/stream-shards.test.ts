import { describe, expect, it, onTestFinished } from 'vitest';
import { checkStreamMapping } from '../../../lib/tools/local/streams/poller.ts';
import { startServer } from '../../support/http-server.ts';
import { deployedStream, namesIn, startPoller, streamMappingIn } from './stream-world.ts';
import { temporaryDirectory } from './support.ts';

type Shard = { readonly parent?: string; isOpen: boolean; readonly records: string[] };
type Input = Readonly<Record<string, string>>;

const StreamArn = 'arn:aws:dynamodb:ddblocal:000000000000:table/t/stream/2026';

/**
 * Starts a DynamoDB Streams with several shards, as DynamoDB Local has after four hours. An iterator is the id of a
 * shard and an index in it. Records before `stream.first` are trimmed.
 */
const startStreams = async (shards: Record<string, Shard>, stream: { first: number } = { first: 0 }) => {
  const answers: Readonly<Record<string, (input: Input) => object>> = {
    ListStreams: () => ({
      Streams: [
        { StreamArn, StreamLabel: '2026' },
        { StreamArn: 'of a table that was deleted', StreamLabel: '2025' },
      ],
    }),
    DescribeStream: (input) => {
      expect(input['StreamArn']).toBe(StreamArn);
      // One shard a page, the youngest first.
      const ids = Object.keys(shards).toReversed();
      const [id = '', ...others] = ids.slice(ids.indexOf(input['ExclusiveStartShardId'] ?? '') + 1);
      const SequenceNumberRange = shards[id]?.isOpen === false ? { EndingSequenceNumber: '9' } : {};
      const Shards = [{ ShardId: id, ParentShardId: shards[id]?.parent, SequenceNumberRange }];
      return { StreamDescription: { Shards, ...(others.length > 0 && { LastEvaluatedShardId: id }) } };
    },
    GetShardIterator: ({ ShardId = '', ShardIteratorType, SequenceNumber = '' }) => {
      if (ShardIteratorType === 'TRIM_HORIZON') return { ShardIterator: `${ShardId} 0` };
      if (Number(SequenceNumber) < stream.first) return { __type: 'x#TrimmedDataAccessException' };
      return { ShardIterator: `${ShardId} ${(shards[ShardId]?.records ?? []).indexOf(SequenceNumber) + 1}` };
    },
    GetRecords: ({ ShardIterator = '' }) => {
      const [id = '', at] = ShardIterator.split(' ');
      const { records = [], isOpen = false } = shards[id] ?? {};
      const rest = records.slice(Number(at)).filter((number) => Number(number) >= stream.first);
      return {
        Records: rest.map((SequenceNumber) => ({
          eventName: 'INSERT',
          dynamodb: { SequenceNumber, Keys: { pk: { S: 'a' }, sk: { S: SequenceNumber } } },
        })),
        ...(isOpen && { NextShardIterator: `${id} ${records.length}` }),
      };
    },
  };
  const server = await startServer(({ headers, body }) => {
    const operation = String(headers['x-amz-target']).split('.')[1] ?? '';
    const answer = answers[operation]?.(JSON.parse(body) as Input) ?? {};
    return { status: '__type' in answer ? 400 : 200, body: JSON.stringify(answer) };
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server.origin;
};

const mapping = streamMappingIn(deployedStream());

const poll = async (endpoint: string, folder: string) => {
  const endpoints = { dynamodb: endpoint, sqs: endpoint };
  const { close, events } = await startPoller({ endpoints, mapping, folder }, () => null);
  return { close, numbers: () => events.flatMap(namesIn).map((name) => name.replace('a/', '')) };
};

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html */
describe('shards of a stream', () => {
  const open = (records: string[], parent?: string): Shard => ({ isOpen: true, records, ...(parent && { parent }) });

  it('are read one after another, parents first, also after a restart', async () => {
    const [second, third] = [open(['3'], 'first'), open(['5'], 'second')];
    const shards: Record<string, Shard> = { first: { isOpen: false, records: ['1', '2'] }, second };
    const endpoint = await startStreams(shards);
    const folder = await temporaryDirectory();
    const before = await poll(endpoint, folder);
    await expect.poll(before.numbers).toEqual(['1', '2', '3']);
    second.records.push('4');
    await expect.poll(before.numbers).toEqual(['1', '2', '3', '4']);
    // The engine closes the shard. Its child appears a moment later.
    second.isOpen = false;
    shards['third'] = third;
    await expect.poll(before.numbers).toEqual(['1', '2', '3', '4', '5']);
    await before.close();
    third.isOpen = false;
    shards['fourth'] = open(['6'], 'third');
    await expect.poll((await poll(endpoint, folder)).numbers).toEqual(['6']);
  });

  it('continue with the oldest remaining record where the stream trimmed the next one, or its shard', async () => {
    const shards: Record<string, Shard> = { first: open(['1', '2', '3', '4']) };
    const stream = { first: 0 };
    const endpoint = await startStreams(shards, stream);
    const folder = await temporaryDirectory();
    const before = await poll(endpoint, folder);
    await expect.poll(before.numbers).toHaveLength(4);
    await before.close();
    shards['first']?.records.push('5', '6', '7');
    stream.first = 6;
    const trimmed = await poll(endpoint, folder);
    await expect.poll(trimmed.numbers).toEqual(['6', '7']);
    await trimmed.close();
    delete shards['first'];
    shards['second'] = open(['8'], 'first');
    await expect.poll((await poll(endpoint, folder)).numbers).toEqual(['8']);
  });

  it('are rejected where two are open at once', async () => {
    const endpoint = await startStreams({ one: open([]), two: open([]) });
    await expect(checkStreamMapping(endpoint, mapping)).rejects.toThrow(
      'a stream has 2 open shards: the local stack reads one at a time',
    );
  });
});
