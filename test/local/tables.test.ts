import {
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { type Engine, startEngine } from '../../lib/local/engine/engine.ts';
import { createTables, deleteTables } from '../../lib/local/engine/tables.ts';
import { temporaryDirectory } from './support.ts';

const table = (properties: object = {}) => ({
  logicalId: 'Table',
  local: { ref: 'returns-test-Table', attributes: {} },
  properties: {
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
    DeletionProtectionEnabled: true,
    ...properties,
  },
});

/** Runs an engine for as long as the work takes. */
const withEngine = async (
  dataDir: string,
  work: (engine: Engine, client: DynamoDBClient) => Promise<void>,
): Promise<void> => {
  const engine = await startEngine(dataDir, 0);
  const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
  try {
    await work(engine, client);
  } finally {
    client.destroy();
    await engine.close();
  }
};

describe('local tables', () => {
  test('are created once and outlive the engine', async () => {
    const dataDir = await temporaryDirectory();
    await withEngine(dataDir, async (engine, client) => {
      await createTables(engine, [table()]);
      await createTables(engine, [table()]);
      const { Table } = await client.send(new DescribeTableCommand({ TableName: 'returns-test-Table' }));
      expect(Table?.StreamSpecification).toMatchObject({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
      await client.send(
        new PutItemCommand({ TableName: 'returns-test-Table', Item: { pk: { S: 'a' }, sk: { S: 'b' } } }),
      );
    });
    await withEngine(dataDir, async (engine, client) => {
      await createTables(engine, [table()]);
      expect(await client.send(new ScanCommand({ TableName: 'returns-test-Table' }))).toMatchObject({ Count: 1 });
    });
  });

  test('are refused when they lack the template’s stream', async () => {
    await withEngine(await temporaryDirectory(), async (engine) => {
      await createTables(engine, [table({ StreamSpecification: undefined })]);
      await expect(createTables(engine, [table()])).rejects.toThrow(
        /table returns-test-Table has no stream .* start with --fresh/,
      );
    });
  });

  test('are refused when the template has changed, or has an unknown property', async () => {
    await withEngine(await temporaryDirectory(), async (engine) => {
      await createTables(engine, [table()]);
      const changed = table({
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      });
      await expect(createTables(engine, [changed])).rejects.toThrow('start with --fresh');
      await expect(createTables(engine, [table({ ReplicaSpecification: {} })])).rejects.toThrow(
        '/Resources/Table/Properties/ReplicaSpecification',
      );
    });
  });

  test('are deleted only when the template names them', async () => {
    await withEngine(await temporaryDirectory(), async (engine, client) => {
      const other = { ...table(), local: { ref: 'of-somebody-else', attributes: {} } };
      const absent = { ...table(), local: { ref: 'returns-test-Absent', attributes: {} } };
      await createTables(engine, [table(), other]);
      await deleteTables(engine, [absent, table()]);
      expect(await client.send(new ListTablesCommand({}))).toMatchObject({ TableNames: ['of-somebody-else'] });
    });
  });

  test('are refused when the port is in use', async () => {
    await withEngine(await temporaryDirectory(), async ({ url }) => {
      await expect(startEngine(await temporaryDirectory(), Number(new URL(url).port))).rejects.toThrow(
        'already in use',
      );
    });
  });
});
