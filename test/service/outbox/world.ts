import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { setEnvironment } from '../../support/environment.ts';
import { slowLimits } from '../../support/slow-limits.ts';
import { createHistoryKeys, unitKeysId } from '../../support/history-keys.ts';
import { startEventBridge } from './event-bridge.ts';
import { packagedTemplate } from '../../support/bundles.ts';

/** Starts its own table, a bus and the secret that signs cursors, and sets the environment to them. */
export const startWorld = async () => {
  // The client of the bus ends an attempt after a few seconds.
  slowLimits();
  const dataDir = await mkdtemp(join(tmpdir(), 'outbox-'));
  const closers = openClosers();
  closers.add(() => rm(dataDir, { recursive: true, force: true }));
  const engine = await startEngine(dataDir, 0);
  closers.add(engine.close);
  const tables = deploy(await packagedTemplate('standalone'), { mode: 'outbox', parameters: {}, sqs: '' }).ofType(
    'AWS::DynamoDB::Table',
  );
  await createTables(engine, tables);
  const bus = await startEventBridge();
  closers.add(bus.stop);
  const secrets = await openSecrets(join(dataDir, 'secrets.json'));
  await secrets.create('signing', { secretString: 'the-key' });
  await createHistoryKeys(secrets);
  const manager = await startSecretsManager(secrets, 0);
  closers.add(manager.close);
  setEnvironment({
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: manager.url,
    TABLE_NAME: tables[0]?.local.ref,
    // There are no endpoints: no subscription is notified.
    OUTBOX_QUEUE_URL: 'https://queue.invalid/outbox',
    SIGNING_SECRET_ID: 'signing',
    EVENT_BUS_NAME: 'unit',
    EVENT_SOURCE: 'urn:returns:unit',
    EVENT_TYPE_PREFIX: 'com.example.returns',
    HISTORY_KEYS_ID: unitKeysId,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.origin,
  });
  return { bus, engine: engine.url, table: tables[0]?.local.ref ?? '', stop: closers.close };
};
