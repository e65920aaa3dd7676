import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  ResourceNotFoundException,
  type TimeToLiveSpecification,
  UpdateTableCommand,
  type UpdateTableCommandInput,
  UpdateTimeToLiveCommand,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import type { Deployed } from '../../template/cloudformation/deployment.ts';
import { clientSettings } from '../emulators/function-spec.ts';
import { type Subject, type Wait, waitAloud, type WaitFor } from '../waits.ts';
import type { Engine } from './engine.ts';
import { assertKnownProperties } from '../known-properties.ts';

/** Properties with the same name and shape in CloudFormation and CreateTable. */
const shared = ['AttributeDefinitions', 'KeySchema', 'BillingMode', 'GlobalSecondaryIndexes'];
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
  assertKnownProperties(properties, known, `/Resources/${logicalId}/Properties`);
  const { StreamSpecification } = properties as Properties;
  return {
    ...(Object.fromEntries(Object.entries(properties).filter(([name]) => shared.includes(name))) as Properties),
    TableName: local.ref,
    ...(StreamSpecification && { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } }),
  } as CreateTableCommandInput;
};

type Shape = Pick<CreateTableCommandInput, 'KeySchema' | 'GlobalSecondaryIndexes'>;
type Index = NonNullable<Shape['GlobalSecondaryIndexes']>[number];
type IndexChange = NonNullable<UpdateTableCommandInput['GlobalSecondaryIndexUpdates']>[number];

const keysOf = ({ KeySchema }: Pick<Shape, 'KeySchema'>): string =>
  (KeySchema ?? []).map(({ AttributeName, KeyType }) => `${AttributeName} ${KeyType}`).join();

/** Waits until no index is being created or deleted. */
const waitForIndexes = async (
  client: DynamoDBClient,
  name: string | undefined,
  { progress, signal }: Wait,
): Promise<void> => {
  for (;;) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    const indexes = Table?.GlobalSecondaryIndexes ?? [];
    if (indexes.every(({ IndexStatus = 'ACTIVE' }) => IndexStatus === 'ACTIVE')) return progress();
    await pause(100, undefined, { signal });
  }
};

const describeIndex = ({ KeySchema, Projection }: Index): string =>
  [
    keysOf({ KeySchema: KeySchema ?? [] }),
    Projection?.ProjectionType,
    ...(Projection?.NonKeyAttributes ?? []).toSorted(),
  ].join();

/**
 * Replaces the indexes of a table that differ from the template. A new index holds the items of the table at once.
 *
 * @returns whether an index changed
 */
const updateIndexes = async (
  client: DynamoDBClient,
  table: Shape,
  wanted: CreateTableCommandInput,
  wait: Wait,
): Promise<boolean> => {
  const { TableName, AttributeDefinitions } = wanted;
  const before = new Map((table.GlobalSecondaryIndexes ?? []).map((index) => [index.IndexName, describeIndex(index)]));
  const after = wanted.GlobalSecondaryIndexes ?? [];
  const changed = after.filter((index) => before.get(index.IndexName) !== describeIndex(index));
  const unchanged = new Set(after.filter((index) => !changed.includes(index)).map(({ IndexName }) => IndexName));
  const removed = [...before.keys()].filter((name) => !unchanged.has(name));
  const changes: IndexChange[] = [
    ...removed.map((IndexName) => ({ Delete: { IndexName } })),
    ...changed.map(({ IndexName, KeySchema, Projection }) => ({ Create: { IndexName, KeySchema, Projection } })),
  ];
  // An engine accepts one change at a time.
  for (const change of changes) {
    const update = { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [change] };
    await client.send(new UpdateTableCommand(update));
    await waitForIndexes(client, TableName, wait);
  }
  return changes.length > 0;
};

/** Creates a table, or adapts the indexes of an existing one; returns whether an index changed. */
const createTable = async (client: DynamoDBClient, table: Deployed, wait: Wait): Promise<boolean> => {
  const input = inputOf(table);
  const { TimeToLiveSpecification } = table.properties as Properties;
  try {
    await client.send(new CreateTableCommand(input));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    const { Table } = await client.send(new DescribeTableCommand({ TableName: table.local.ref }));
    const existing = (Table ?? {}) as Shape;
    if (keysOf(existing) !== keysOf(input))
      throw new Error(`table ${table.local.ref} has other keys than the template: start with --fresh`, {
        cause: error,
      });
    // The engine cannot add a stream to an existing table.
    const wanted = input.StreamSpecification?.StreamViewType;
    if (wanted !== undefined && Table?.StreamSpecification?.StreamViewType !== wanted)
      throw new Error(`table ${table.local.ref} has no stream as the template's: start with --fresh`, { cause: error });
    return updateIndexes(client, existing, input, wait);
  }
  if (TimeToLiveSpecification !== undefined) {
    await client.send(new UpdateTimeToLiveCommand({ TableName: table.local.ref, TimeToLiveSpecification }));
  }
  return false;
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

/** The subject of a wait for an engine that changes tables. */
const tablesOf = ({ url }: Engine): Subject => ({
  what: `the tables of the DynamoDB engine at ${url}`,
  remedy: 'restart the engine if it is your own, and start again',
});

const deleteEach = async (engine: Engine, tables: readonly Deployed[], { progress, signal }: Wait): Promise<void> => {
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
      await waitUntilTableNotExists(
        { client, maxWaitTime: Number.POSITIVE_INFINITY, minDelay: 1, abortSignal: signal },
        table,
      );
      progress();
    }
  } finally {
    client.destroy();
  }
};

/** Deletes the tables of the template, and no other table of the engine. */
export const deleteTables = (engine: Engine, tables: readonly Deployed[], waitFor = waitAloud): Promise<void> =>
  waitFor(tablesOf(engine), (wait) => deleteEach(engine, tables, wait));

const createEach = async (engine: Engine, tables: readonly Deployed[], wait: Wait): Promise<boolean> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
  let changed = false;
  try {
    for (const table of tables) {
      changed = (await createTable(client, table, wait)) || changed;
      wait.progress();
    }
  } finally {
    client.destroy();
  }
  const streams = tables.some(({ properties }) => 'StreamSpecification' in properties);
  if (streams && engine.file !== undefined) indexStreams(engine.file);
  return changed;
};

/**
 * Creates the missing tables of the template, with the properties that CloudFormation would use, and adapts the indexes
 * of the others.
 *
 * @returns whether an index of an existing table changed
 */
export const createTables = (engine: Engine, tables: readonly Deployed[], waitFor = waitAloud): Promise<boolean> =>
  waitFor(tablesOf(engine), (wait) => createEach(engine, tables, wait));

/**
 * Checks an existing table that a stack adopts, and adapts its indexes.
 *
 * @returns whether an index changed
 * @throws {Error} when there is no such table, or it has other keys or another stream than the template
 */
export const adoptTables = async (engine: Engine, tables: readonly Deployed[], waitFor?: WaitFor): Promise<boolean> => {
  const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
  try {
    for (const { local } of tables) await client.send(new DescribeTableCommand({ TableName: local.ref }));
  } catch (error) {
    if (error instanceof ResourceNotFoundException)
      throw new Error('the parameter ExistingTable names no table: restore it first', { cause: error });
    throw error;
  } finally {
    client.destroy();
  }
  return tables.length > 0 && createTables(engine, tables, waitFor);
};
