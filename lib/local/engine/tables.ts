import { DatabaseSync } from 'node:sqlite';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  type TimeToLiveSpecification,
  UpdateTimeToLiveCommand,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { Deployed } from '../cloudformation/deployment.ts';
import { clientSettings } from '../emulators/function-spec.ts';
import type { Engine } from './engine.ts';

/** Properties with the same name and shape in CloudFormation and CreateTable. */
const shared = [
  'AttributeDefinitions',
  'KeySchema',
  'BillingMode',
  'ProvisionedThroughput',
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
];
/** Properties that a local engine does not need. */
const ignored = ['PointInTimeRecoverySpecification', 'SSESpecification', 'DeletionProtectionEnabled', 'Tags'];

type Properties = Omit<CreateTableCommandInput, 'StreamSpecification'> & {
  readonly StreamSpecification?: {
    readonly StreamViewType: 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES' | 'KEYS_ONLY';
  };
  readonly TimeToLiveSpecification?: TimeToLiveSpecification;
};

const inputOf = ({ logicalId, local, properties }: Deployed): CreateTableCommandInput => {
  const known = new Set([...shared, ...ignored, 'StreamSpecification', 'TimeToLiveSpecification']);
  const unknown = Object.keys(properties).find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Error(`/Resources/${logicalId}/Properties/${unknown}: unknown to the local stack`);
  const { StreamSpecification } = properties as Properties;
  return {
    ...(Object.fromEntries(Object.entries(properties).filter(([name]) => shared.includes(name))) as Properties),
    TableName: local.ref,
    ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
  } as CreateTableCommandInput;
};

type Shape = Pick<CreateTableCommandInput, 'KeySchema' | 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes'>;

const keysOf = ({ KeySchema }: Pick<Shape, 'KeySchema'>): string =>
  (KeySchema ?? []).map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).join();

const shapeOf = (table: Shape): string => {
  const indexes = [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])];
  const named = indexes.map((index) => `${index.IndexName}: ${keysOf(index)}`);
  return [keysOf(table), ...named.toSorted((a, b) => a.localeCompare(b))].join('; ');
};

const createTable = async (client: DynamoDBClient, table: Deployed): Promise<void> => {
  const input = inputOf(table);
  const { TimeToLiveSpecification } = table.properties as Properties;
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table.local.ref }));
    const same = shapeOf((Table ?? {}) as CreateTableCommandInput) === shapeOf(input);
    if (!same)
      throw new Error(`table ${table.local.ref} has other keys or indexes than the template: start with --fresh`, {
        cause: error,
      });
    // The engine cannot add a stream to an existing table.
    const wanted = input.StreamSpecification?.StreamViewType;
    if (wanted !== undefined && Table?.StreamSpecification?.StreamViewType !== wanted)
      throw new Error(`table ${table.local.ref} has no stream as the template's: start with --fresh`, { cause: error });
    return;
  }
  if (TimeToLiveSpecification !== undefined) {
    await client.send(new UpdateTimeToLiveCommand({ TableName: table.local.ref, TimeToLiveSpecification }));
  }
};

/** dynoxide 1.2.1 scans all stream records at each write to a table with a stream. This index makes it a lookup. */
const indexStreams = (file: string): void => {
  const database = new DatabaseSync(file);
  try {
    database.exec('CREATE INDEX IF NOT EXISTS ix ON _stream_records(table_name, CAST(sequence_number AS INTEGER))');
  } finally {
    database.close();
  }
};

/** The time limit of a table's deletion, in seconds: local engines delete at once. */
const deletionDeadline = 60;

/** Deletes the tables of the template, and no other table of the engine. */
export const deleteTables = async (engine: Engine, tables: readonly Deployed[]): Promise<void> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
  try {
    for (const { local } of tables) {
      const table = { TableName: local.ref };
      try {
        await client.send(new DeleteTableCommand(table));
      } catch (error) {
        if (error instanceof ResourceNotFoundException) continue;
        throw error;
      }
      await waitUntilTableNotExists({ client, maxWaitTime: deletionDeadline, minDelay: 1 }, table);
    }
  } finally {
    client.destroy();
  }
};

/** Creates the missing tables of the template, with the properties that CloudFormation would use. */
export const createTables = async (engine: Engine, tables: readonly Deployed[]): Promise<void> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
  try {
    for (const table of tables) await createTable(client, table);
  } finally {
    client.destroy();
  }
  const streams = tables.some(({ properties }) => 'StreamSpecification' in properties);
  if (streams && engine.file !== undefined) indexStreams(engine.file);
};
