import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { startStack } from '../../../lib/tools/local/stack.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readReturn } from '../../../lib/store/returns/returns.ts';
import { orderNumberKey } from '../../../lib/store/engine/keys.ts';
import { api } from '../../support/api.ts';
import { withoutIndex, writeUnindexed } from '../../support/before-index.ts';
import { setEnvironment } from '../../support/environment.ts';
import { lister } from '../../support/lister.ts';
import { createReturn } from '../../support/scenario.ts';
import { timeScale } from '../../support/slow-limits.ts';
import { ampleDeadline } from '../../support/time.ts';
import { temporaryDirectory } from './support.ts';
import { bundleRoot, packagedTemplate } from '../../support/bundles.ts';

/** Removes an index from a stored table, and its key from a stored return. */
const removeIndex = async (dataDir: string, name: string, returnId: string): Promise<void> => {
  const engine = await startEngine(dataDir, 0);
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: engine.url }));
  try {
    const table = deploy(await packagedTemplate('standalone'), { mode: 'standalone', parameters: {}, sqs: '' })
      .ofType('AWS::DynamoDB::Table')
      .find(({ local }) => local.ref === name);
    if (table === undefined) throw new Error(`the template has no ${name}`);
    expect(await createTables(engine, [withoutIndex(table)])).toBe(true);
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: engine.url, TABLE_NAME: name });
    using session = openSession(ampleDeadline());
    const state = await readReturn(session, returnId);
    if (state === undefined) throw new Error(`there is no ${returnId}`);
    for (const { action } of writeUnindexed(state))
      await client.send(new PutCommand({ TableName: name, Item: action.Put?.Item }));
    const Key = orderNumberKey(state.order.number ?? '', state.order);
    await client.send(new DeleteCommand({ TableName: name, Key }));
  } finally {
    client.destroy();
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: undefined });
    await engine.close();
  }
};

describe('local stack with a new index', () => {
  test('adds the index and lists all returns from its first request on', async () => {
    const dataDir = await temporaryDirectory();
    const settings = { dataDir, root: bundleRoot(), streams: false, schedules: false, timeScale };
    const before = await startStack({ ...settings, modes: ['standalone'] });
    const { id } = await createReturn(api('standalone', before.info));
    const name = before.info.aws.tables['standalone.Table'] ?? '';
    await before.close();
    await removeIndex(dataDir, name, id);

    const after = await startStack({ ...settings, modes: ['standalone'] });
    try {
      const { list, readAll } = lister(api('standalone', after.info));
      expect((await list({ open: 'true' })).body.items).toMatchObject([
        { returnId: id, amounts: { worth: { amount: 1000 } }, nextStep: { action: 'approve', by: 'staff' }, flags: [] },
      ]);
      for (const query of [{}, { status: 'requested' }, { sort: 'updatedAt' }, { orderNumber: '1001' }])
        expect(await readAll({ ...query })).toEqual([id]);
    } finally {
      await after.close();
    }
  });
});
