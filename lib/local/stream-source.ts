import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
  type _Record as EngineRecord,
} from '@aws-sdk/client-dynamodb-streams';
import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import { clientSettings } from './aws.ts';
import type { StreamMapping } from './stream-mapping.ts';
import { region } from './template.ts';

/** Where the engine keeps a stream. */
export type Shard = { readonly streamArn: string; readonly shardId: string };

/** From where to read: a record's sequence number, behind which to begin, or an end of the stream. */
export type Position = { readonly after: string } | StreamMapping['startingPosition'];

/** Lambda writes bytes in base64, as the wire does, and not as the SDK. */
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

/** Reads a stream as Lambda does: under the role of the function that it feeds. */
export const openStream = (endpoint: string, mapping: StreamMapping) => {
  const client = new DynamoDBStreamsClient({
    ...clientSettings,
    endpoint,
    credentials: { ...clientSettings.credentials, accessKeyId: mapping.function.name },
  });

  /** @throws where the table has no stream, or one of several shards, whose order the local stack does not know */
  const locate = async (): Promise<Shard> => {
    const { Streams = [] } = await client.send(new ListStreamsCommand({ TableName: mapping.tableName }));
    const streamArn = Streams.at(-1)?.StreamArn;
    if (streamArn === undefined) throw new Error(`table ${mapping.tableName} has no stream: start with --fresh`);
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn: streamArn }));
    const [shard, ...more] = StreamDescription?.Shards ?? [];
    if (shard?.ShardId === undefined || more.length > 0)
      throw new Error(`the stream of ${mapping.tableName} has ${more.length} shards more than the local stack reads`);
    return { streamArn, shardId: shard.ShardId };
  };

  const iteratorAt = async ({ streamArn, shardId }: Shard, position: Position): Promise<string | undefined> => {
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

  return { locate, iteratorAt, read, close: () => client.destroy() };
};

export type Stream = ReturnType<typeof openStream>;
