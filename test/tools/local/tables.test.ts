import {
  DescribeTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { type Engine, startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables, deleteTables } from '../../../lib/tools/local/engine/tables.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
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

  test('are rejected when they lack the template’s stream', async () => {
    await withEngine(await temporaryDirectory(), async (engine) => {
      await createTables(engine, [table({ StreamSpecification: undefined })]);
      await expect(createTables(engine, [table()])).rejects.toThrow(
        /table returns-test-Table has no stream .* start with --fresh/,
      );
    });
  });

  test('are rejected when the template has changed, or has an unknown property', async () => {
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
      const other = { ...table(), local: { ref: 'of-another-program', attributes: {} } };
      const absent = { ...table(), local: { ref: 'returns-test-Absent', attributes: {} } };
      await createTables(engine, [table(), other]);
      await deleteTables(engine, [absent, table()]);
      expect(await client.send(new ListTablesCommand({}))).toMatchObject({ TableNames: ['of-another-program'] });
    });
  });

  test('are rejected when the port is in use', async () => {
    const port = await freePort();
    const engine = await startEngine(await temporaryDirectory(), port);
    onTestFinished(engine.close);
    await expect(startEngine(await temporaryDirectory(), port)).rejects.toThrow('already in use');
  });
});

type Projection = { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };

const keysOnly: Projection = { ProjectionType: 'KEYS_ONLY' };
const including = (...names: readonly string[]): Projection => ({ ProjectionType: 'INCLUDE', NonKeyAttributes: names });

/** Returns an index by an attribute, sorted by the sort key of the table or by another attribute. */
const index = (hash: string, projection: Projection, range = 'sk') => ({
  IndexName: `by-${hash}`,
  KeySchema: [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ],
  Projection: projection,
});

const indexed = (...indexes: readonly ReturnType<typeof index>[]) => {
  const names = ['pk', 'sk', ...indexes.flatMap(({ KeySchema }) => KeySchema.map((key) => key.AttributeName))];
  return table({
    AttributeDefinitions: [...new Set(names)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
  });
};

/** Stores an item with all attributes that the indexes use. */
const putOne = async (client: DynamoDBClient) =>
  client.send(
    new PutItemCommand({
      TableName: 'returns-test-Table',
      Item: Object.fromEntries(['pk', 'sk', 'a', 'b', 'c', 'text', 'more'].map((name) => [name, { S: name }])),
    }),
  );

/** Returns the names of the attributes that an index shows of the item, sorted; undefined without the index. */
const shownIn = async (client: DynamoDBClient, hash: string): Promise<readonly string[] | undefined> => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: 'returns-test-Table' }));
  if (!Table?.GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === `by-${hash}`)) return undefined;
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: 'returns-test-Table',
      IndexName: `by-${hash}`,
      KeyConditionExpression: '#hash = :hash',
      ExpressionAttributeNames: { '#hash': hash },
      ExpressionAttributeValues: { ':hash': { S: hash } },
    }),
  );
  return Items.flatMap((item) => Object.keys(item)).toSorted();
};

describe('indexes of an existing local table', () => {
  test.each<
    readonly [change: string, after: ReturnType<typeof indexed>, a: string[] | undefined, b: string[] | undefined]
  >([
    ['is added', indexed(index('a', keysOnly), index('b', keysOnly)), ['a', 'pk', 'sk'], ['b', 'pk', 'sk']],
    ['is removed', indexed(), undefined, undefined],
    ['is replaced', indexed(index('b', including('text'))), undefined, ['b', 'pk', 'sk', 'text']],
    [
      'projects attributes',
      indexed(index('a', including('text', 'more'))),
      ['a', 'more', 'pk', 'sk', 'text'],
      undefined,
    ],
    ['is sorted by another attribute', indexed(index('a', keysOnly, 'c')), ['a', 'c', 'pk', 'sk'], undefined],
  ])('are adapted with their items when one %s', async (_, after, a, b) => {
    await withEngine(await temporaryDirectory(), async (engine, client) => {
      expect(await createTables(engine, [indexed(index('a', keysOnly))])).toBe(false);
      await putOne(client);
      expect(await createTables(engine, [after])).toBe(true);
      expect([await shownIn(client, 'a'), await shownIn(client, 'b')]).toEqual([a, b]);
      expect(await createTables(engine, [after])).toBe(false);
    });
  });

  test('are adapted when several change at once, and the others stay', async () => {
    await withEngine(await temporaryDirectory(), async (engine, client) => {
      const stays = index('c', including('text'));
      await createTables(engine, [indexed(index('a', keysOnly), index('b', keysOnly), stays)]);
      await putOne(client);
      const after = indexed(stays, index('a', including('text')), index('text', keysOnly));
      expect(await createTables(engine, [after])).toBe(true);
      expect(await shownIn(client, 'a')).toEqual(['a', 'pk', 'sk', 'text']);
      expect(await shownIn(client, 'b')).toBeUndefined();
      expect(await shownIn(client, 'c')).toEqual(['c', 'pk', 'sk', 'text']);
      expect(await shownIn(client, 'text')).toEqual(['pk', 'sk', 'text']);
    });
  });

  test('are unchanged in another order of indexes and attributes', async () => {
    await withEngine(await temporaryDirectory(), async (engine) => {
      const [first, second] = [index('a', including('text', 'more')), index('b', keysOnly)];
      await createTables(engine, [indexed(first, second)]);
      expect(await createTables(engine, [indexed(second, index('a', including('more', 'text')))])).toBe(false);
    });
  });

  test('report a change of any of several tables', async () => {
    await withEngine(await temporaryDirectory(), async (engine) => {
      const other = { ...table(), local: { ref: 'returns-test-Other', attributes: {} } };
      await createTables(engine, [indexed(), other]);
      expect(await createTables(engine, [indexed(index('a', keysOnly)), other])).toBe(true);
      expect(await createTables(engine, [other, indexed(index('a', keysOnly))])).toBe(false);
    });
  });
});
