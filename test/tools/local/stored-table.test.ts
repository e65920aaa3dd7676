import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readReturn } from '../../../lib/store/returns/returns.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { startStack } from '../../../lib/tools/local/stack.ts';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { api } from '../../support/api.ts';
import { withoutIndex, writeUnindexed } from '../../support/before-index.ts';
import { bundleRoot, packagedTemplate } from '../../support/bundles.ts';
import { setEnvironment } from '../../support/environment.ts';
import { lister } from '../../support/lister.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { createReturn } from '../../support/scenario.ts';
import { ampleDeadline } from '../../support/time.ts';
import { temporaryDirectory } from './support.ts';

/** Removes an index from the table of a stack, and its key from a stored return. */
const removeIndex = async (
  { engine, info }: Awaited<ReturnType<typeof startStack>>,
  returnId: string,
): Promise<void> => {
  const name = info.aws.tables['standalone.Table'] ?? '';
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
  } finally {
    client.destroy();
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: undefined });
  }
};

const options = { modes: ['standalone'], streams: false, schedules: false } as const;

// test/crash/restore.test.ts starts a stack with an existing table. test/service/schedules has what a list shows later.
describe('local stack with the data of an earlier one', () => {
  it('adds a new index, lists all returns from its first request on, and is rejected for a missing table', async () => {
    const dataDir = await temporaryDirectory();
    const earlier = await startStack({ ...options, dataDir, root: bundleRoot() });
    const { id } = await createReturn(api('standalone', earlier.info));
    await removeIndex(earlier, id);
    await earlier.close();
    const missing = startOwnStack({ ...options, existingTable: 'returns-nothing' });
    await expect(missing).rejects.toThrow('the parameter ExistingTable names no table');
    const stack = await startOwnStack({ ...options, dataDir });
    onTestFinished(stack.close);
    const { readAll } = lister(api('standalone', stack.info));
    for (const query of [{}, { status: 'requested' }, { sort: 'updatedAt' }])
      expect(await readAll({ ...query })).toEqual([id]);
  });
});
