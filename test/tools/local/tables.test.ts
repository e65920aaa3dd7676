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
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables, deleteTables } from '../../../lib/tools/local/engine/tables.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { attributes, keyOf, tableWith } from './resources.ts';
import { temporaryDirectory } from './support.ts';

const TableName = 'returns-test-Table';
const table = (properties: object = {}, ref = TableName) => ({
  logicalId: 'Table',
  local: { ref, attributes: {} },
  properties: tableWith({ DeletionProtectionEnabled: true, ...properties }),
});

/** Starts an engine for the rest of the test. */
const start = async (dataDir?: string) => {
  const engine = await startEngine(dataDir ?? (await temporaryDirectory()), 0);
  const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
  const close = async () => {
    client.destroy();
    await engine.close();
  };
  onTestFinished(close);
  /** Stores an item with these attributes, each with its own name. */
  const put = async (...names: readonly string[]) => {
    const Item = Object.fromEntries(names.map((attribute) => [attribute, { S: attribute }]));
    await client.send(new PutItemCommand({ TableName, Item }));
  };
  const count = async () => (await client.send(new ScanCommand({ TableName }))).Count;
  const names = async () => (await client.send(new ListTablesCommand({}))).TableNames;
  return { engine, client, close, put, count, names };
};

describe('local tables', () => {
  test('are created once and outlive the engine', async () => {
    const dataDir = await temporaryDirectory();
    const { engine, client, close, put } = await start(dataDir);
    for (let times = 0; times < 2; times += 1) await createTables(engine, [table()]);
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    expect(Table?.StreamSpecification).toMatchObject({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
    await put('pk', 'sk');
    await close();
    const later = await start(dataDir);
    await createTables(later.engine, [table()]);
    expect(await later.count()).toBe(1);
  });

  test.each([
    ['lacks the stream of the template', { StreamSpecification: undefined }, {}, /no stream .* start with --fresh/],
    ['has other keys', {}, { KeySchema: keyOf('pk'), AttributeDefinitions: attributes('pk') }, /start with --fresh/],
    ['has an unknown property', {}, { ReplicaSpecification: {} }, /Table\/Properties\/ReplicaSpecification/],
  ])('are rejected when one %s', async (_, before, after, message) => {
    const { engine } = await start();
    await createTables(engine, [table(before)]);
    await expect(createTables(engine, [table(after)])).rejects.toThrow(message);
  });

  test('are deleted only when the template names them', async () => {
    const { engine, names } = await start();
    await createTables(engine, [table(), table({}, 'of-another-program')]);
    await deleteTables(engine, [table({}, 'returns-test-Absent'), table()]);
    expect(await names()).toEqual(['of-another-program']);
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
const index = (hash: string, Projection: Projection = keysOnly, range = 'sk') => ({
  IndexName: `by-${hash}`,
  KeySchema: keyOf(hash, range),
  Projection,
});

const indexed = (...indexes: readonly ReturnType<typeof index>[]) => {
  const names = ['pk', 'sk', ...indexes.flatMap(({ KeySchema }) => KeySchema.map((key) => key.AttributeName))];
  return table({
    AttributeDefinitions: attributes(...new Set(names)),
    ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
  });
};

/** Returns the attributes that each index shows of the item, sorted. */
const shownIn = async (client: DynamoDBClient) => {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const shown = (Table?.GlobalSecondaryIndexes ?? []).map(async ({ IndexName = '' }) => {
    const hash = IndexName.replace('by-', '');
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName,
        IndexName,
        KeyConditionExpression: '#hash = :hash',
        ExpressionAttributeNames: { '#hash': hash },
        ExpressionAttributeValues: { ':hash': { S: hash } },
      }),
    );
    return [
      hash,
      Items.flatMap((item) => Object.keys(item))
        .toSorted()
        .join(),
    ] as const;
  });
  return Object.fromEntries(await Promise.all(shown));
};

describe('indexes of an existing local table', () => {
  const [a, b, c] = [index('a'), index('b'), index('c', including('text', 'more'))];
  test.each<[string, (typeof a)[], (typeof a)[], Readonly<Record<string, string>>]>([
    ['is added', [a], [a, b], { a: 'a,pk,sk', b: 'b,pk,sk' }],
    ['is removed', [a], [], {}],
    ['is replaced', [a], [index('b', including('text'))], { b: 'b,pk,sk,text' }],
    ['projects attributes', [a], [index('a', including('text', 'more'))], { a: 'a,more,pk,sk,text' }],
    ['is sorted by another attribute', [a], [index('a', keysOnly, 'c')], { a: 'a,c,pk,sk' }],
    [
      'is added, one removed and one changed at once',
      [a, b, c],
      [c, index('a', including('text')), index('text')],
      { a: 'a,pk,sk,text', c: 'c,more,pk,sk,text', text: 'pk,sk,text' },
    ],
  ])('are adapted with their items when one %s', async (_, before, after, shown) => {
    const { engine, client, put } = await start();
    expect(await createTables(engine, [indexed(...before)])).toBe(false);
    await put('pk', 'sk', 'a', 'b', 'c', 'text', 'more');
    expect(await createTables(engine, [indexed(...after)])).toBe(true);
    expect(await shownIn(client)).toEqual(shown);
    expect(await createTables(engine, [indexed(...after)])).toBe(false);
  });

  test('are unchanged in another order of indexes, attributes and tables', async () => {
    const { engine } = await start();
    const other = table({}, 'returns-test-Other');
    await createTables(engine, [indexed(c, b), other]);
    const reordered = indexed(b, index('c', including('more', 'text')));
    expect(await createTables(engine, [other, reordered])).toBe(false);
    expect(await createTables(engine, [indexed(b), other])).toBe(true);
  });
});
