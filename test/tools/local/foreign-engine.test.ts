import { DynamoDBClient, ListTablesCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { startStack } from '../../../lib/tools/local/stack.ts';
import { temporaryDirectory } from './support.ts';

describe('engine on another endpoint', () => {
  test('empties only the template’s tables on a fresh start', async () => {
    const engine = await startEngine(await temporaryDirectory(), 0);
    const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
    onTestFinished(async () => {
      client.destroy();
      await engine.close();
    });
    const [name, other] = ['returns-standalone-Table', 'of-another-program'];
    const properties = {
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    };
    await createTables(engine, [{ logicalId: 'Other', local: { ref: other, attributes: {} }, properties }]);
    const Item = { pk: { S: 'a' }, sk: { S: 'b' } };
    await client.send(new PutItemCommand({ TableName: other, Item }));
    const dataDir = await temporaryDirectory();
    const start = async (fresh: boolean) => {
      const choice = { kind: 'endpoint', url: engine.url } as const;
      const stack = await startStack({ dataDir, fresh, engine: choice, modes: [] });
      expect(stack.engine).toMatchObject({ url: engine.url, isForeign: true });
      await stack.close();
    };
    const count = async (TableName: string) => (await client.send(new ScanCommand({ TableName }))).Count;
    await start(false);
    await client.send(new PutItemCommand({ TableName: name, Item }));
    await start(false);
    expect(await count(name)).toBe(1);
    await start(true);
    expect(await count(name)).toBe(0);
    expect(await count(other)).toBe(1);
    const { TableNames } = await client.send(new ListTablesCommand({}));
    expect(TableNames).toEqual(expect.arrayContaining([name, other]));
  });
});
