import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { startStack } from '../../../lib/tools/local/stack.ts';
import { tableWith } from './resources.ts';
import { temporaryDirectory } from './support.ts';

describe('engine on another endpoint', () => {
  test('empties only the template’s tables on a fresh start', async () => {
    const engine = await startEngine(await temporaryDirectory(), 0);
    onTestFinished(engine.close);
    const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
    onTestFinished(() => client.destroy());
    const [name, other] = ['returns-standalone-Table', 'of-another-program'];
    await createTables(engine, [
      { logicalId: 'Other', local: { ref: other, attributes: {} }, properties: tableWith() },
    ]);
    const put = async (TableName: string) =>
      client.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' }, sk: { S: 'b' } } }));
    const counts = async () =>
      Promise.all([name, other].map(async (TableName) => (await client.send(new ScanCommand({ TableName }))).Count));
    await put(other);
    const dataDir = await temporaryDirectory();
    const start = async (fresh: boolean) => {
      const choice = { kind: 'endpoint', url: engine.url } as const;
      const stack = await startStack({ dataDir, fresh, engine: choice, modes: [] });
      expect(stack.engine).toMatchObject({ url: engine.url, isForeign: true });
      await stack.close();
    };
    await start(false);
    await put(name);
    await start(false);
    expect(await counts()).toEqual([1, 1]);
    await start(true);
    expect(await counts()).toEqual([0, 1]);
  });
});
