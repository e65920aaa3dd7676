import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  type _Record as EngineRecord,
  type Shard as EngineShard,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { region } from '../../template/cloudformation/template.ts';
import { clientSettings } from '../emulators/function-spec.ts';
import type { StreamMapping } from './mapping.ts';

/** A position in a shard: after the sequence number of a record, or an end of the shard. */
export type Position = { readonly after: string } | 'TRIM_HORIZON' | 'LATEST';

/** Lambda writes bytes in base64, as the API does, unlike the SDK. */
const wire = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(wire);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, wire(item)]));
};

const itemOf = (item: object): Record<string, AttributeValue> => wire(item) as Record<string, AttributeValue>;

/** https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html */
const recordOf = (
  { dynamodb = {}, eventName, ...record }: EngineRecord,
  { streamArn }: StreamMapping,
): DynamoDBRecord => {
  const { ApproximateCreationDateTime, Keys, NewImage, OldImage, ...others } = dynamodb;
  return {
    ...record,
    ...(eventName && { eventName }),
    awsRegion: region,
    dynamodb: {
      ...others,
      ApproximateCreationDateTime: Math.floor((ApproximateCreationDateTime?.getTime() ?? 0) / 1000),
      ...(Keys && { Keys: itemOf(Keys) }),
      ...(NewImage && { NewImage: itemOf(NewImage) }),
      ...(OldImage && { OldImage: itemOf(OldImage) }),
    },
    eventSourceARN: streamArn,
  };
};

/**
 * Returns the ids of shards in the order in which they were written: a parent before its child.
 *
 * @throws {Error} when several shards are open, whose order the local stack cannot determine
 */
const orderOf = (shards: readonly EngineShard[]): readonly string[] => {
  const open = shards.filter(({ SequenceNumberRange }) => SequenceNumberRange?.EndingSequenceNumber === undefined);
  if (open.length > 1) throw new Error(`a stream has ${open.length} open shards: the local stack reads one at a time`);
  const ids = new Set(shards.map(({ ShardId }) => ShardId));
  const children = Map.groupBy(shards, ({ ParentShardId }) => (ids.has(ParentShardId) ? ParentShardId : undefined));
  const ordered: string[] = [];
  const reach = [...(children.get(undefined) ?? [])];
  for (const { ShardId = '' } of reach) {
    ordered.push(ShardId);
    reach.push(...(children.get(ShardId) ?? []));
  }
  return ordered;
};

/** Opens a stream like Lambda: with the role of the function that it feeds. */
export const openStream = (endpoint: string, mapping: StreamMapping) => {
  const client = new DynamoDBStreamsClient({
    ...clientSettings,
    endpoint,
    credentials: { ...clientSettings.credentials, accessKeyId: mapping.function.name },
  });

  /**
   * Returns the ARN of the table's stream. It selects the latest, because an engine may list those of a deleted table.
   *
   * @throws {Error} when the table has no stream
   */
  const locate = async (): Promise<string> => {
    const { Streams = [] } = await client.send(new ListStreamsCommand({ TableName: mapping.tableName }));
    const [latest] = Streams.toSorted((a, b) => (b.StreamLabel ?? '').localeCompare(a.StreamLabel ?? ''));
    if (latest?.StreamArn === undefined)
      throw new Error(`table ${mapping.tableName} has no stream: start with --fresh`);
    return latest.StreamArn;
  };

  /**
   * Returns the ids of the stream's shards, oldest first. An engine closes a shard from time to time, and opens its
   * child.
   */
  const shardsOf = async (streamArn: string): Promise<readonly string[]> => {
    const shards: EngineShard[] = [];
    let last: string | undefined;
    do {
      const { StreamDescription } = await client.send(
        new DescribeStreamCommand({ StreamArn: streamArn, ...(last !== undefined && { ExclusiveStartShardId: last }) }),
      );
      shards.push(...(StreamDescription?.Shards ?? []));
      last = StreamDescription?.LastEvaluatedShardId;
    } while (last !== undefined);
    return orderOf(shards);
  };

  const iteratorAt = async (streamArn: string, shardId: string, position: Position): Promise<string | undefined> => {
    const from =
      typeof position === 'string'
        ? { ShardIteratorType: position }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: position.after };
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shardId, ...from }),
    );
    return ShardIterator;
  };

  const read = async (iterator: string, limit: number) => {
    const { Records = [], NextShardIterator } = await client.send(
      new GetRecordsCommand({ ShardIterator: iterator, Limit: limit }),
    );
    return { records: Records.map((record) => recordOf(record, mapping)), next: NextShardIterator };
  };

  return { locate, shardsOf, iteratorAt, read, close: () => client.destroy() };
};

export type Stream = ReturnType<typeof openStream>;
