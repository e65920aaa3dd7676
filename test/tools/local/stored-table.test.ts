import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSession } from '../../../lib/store/engine/session.ts';
import { readReturn } from '../../../lib/store/returns/returns.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { copyOnline, restoreAs, turnOnStream } from '../../drill/engine-copy.ts';
import { api } from '../../support/api.ts';
import { withoutIndex, writeUnindexed } from '../../support/before-index.ts';
import { packagedTemplate } from '../../support/bundles.ts';
import { setEnvironment } from '../../support/environment.ts';
import { lister } from '../../support/lister.ts';
import { startOwnStack } from '../../support/own-stack.ts';
import { createReturn } from '../../support/scenario.ts';
import { ampleDeadline } from '../../support/time.ts';
import { temporaryDirectory } from './support.ts';

const existing = 'returns-existing-table';

/** Copies the table of a stack with one return to a new data directory, where it has the name `to`. */
const copied = async (to?: string) => {
  const dataDir = await temporaryDirectory();
  const file = join(dataDir, 'dynamodb.sqlite');
  const stack = await startOwnStack({ modes: ['standalone'] });
  try {
    const { id } = await createReturn(api('standalone', stack.info));
    const name = stack.info.aws.tables['standalone.Table'] ?? '';
    await copyOnline(stack.engine.file ?? '', file);
    if (to !== undefined) restoreAs(file, name, to);
    return { dataDir, file, id, name };
  } finally {
    await stack.close();
  }
};

const start = async (dataDir: string, existingTable?: string) => {
  const stack = await startOwnStack({ modes: ['standalone'], dataDir, ...(existingTable && { existingTable }) });
  onTestFinished(stack.close);
  return { ...stack, service: api('standalone', stack.info) };
};

describe('local stack with an existing table', () => {
  it('serves the returns of the table under the roles of the functions, and makes no table of its own', async () => {
    const { dataDir, file, id } = await copied(existing);
    turnOnStream(file, existing, new Date());
    const { info, service } = await start(dataDir, existing);
    expect(info.aws.tables['standalone.Table']).toBe(existing);
    expect(await service.get(`/returns/${id}`)).toMatchObject({ status: 200, body: { returnId: id } });
    expect((await service.get(`/returns?limit=10`)).body.items).toMatchObject([{ returnId: id }]);
  });

  it('is rejected for a table without a stream, or for no table', async () => {
    const { dataDir } = await copied(existing);
    await expect(start(dataDir, existing)).rejects.toThrow(`table ${existing} has no stream`);
    await expect(start(dataDir, 'returns-nothing')).rejects.toThrow('the parameter ExistingTable names no table');
  });
});

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
  } finally {
    client.destroy();
    setEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: undefined });
    await engine.close();
  }
};

describe('local stack with a new index', () => {
  // test/service/schedules/reindex-returns.test.ts has what a list shows afterwards.
  it('adds the index and lists all returns from its first request on', async () => {
    const { dataDir, id, name } = await copied();
    await removeIndex(dataDir, name, id);
    const { service } = await start(dataDir);
    const { readAll } = lister(service);
    for (const query of [{}, { status: 'requested' }, { sort: 'updatedAt' }])
      expect(await readAll({ ...query })).toEqual([id]);
  });
});
