import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { deploy } from '../../../lib/local/cloudformation/deployment.ts';
import { accountId, readTemplate } from '../../../lib/local/cloudformation/template.ts';
import { clientSettings, functionEnvironment } from '../../../lib/local/emulators/function-spec.ts';
import { functionSpecs, sharedEnvironment } from '../../../lib/local/emulators/functions.ts';
import { createQueues, startQueues } from '../../../lib/local/emulators/queues.ts';
import { createSecrets, startSecretsManager } from '../../../lib/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/local/emulators/secrets-store.ts';
import { startEngine } from '../../../lib/local/engine/engine.ts';
import { createTables } from '../../../lib/local/engine/tables.ts';
import { openClosers } from '../../../lib/local/json-file.ts';
import { addSources } from '../../platforms/platform-secret.ts';
import { offer } from '../remote.ts';
import type { ShopEntry } from './sender.ts';

/* The dependencies of the receivers: DynamoDB's engine, SQS and Secrets Manager, as in the standalone template. */

export type Environment = Readonly<Record<string, string>>;

export type Outside = {
  /** Starts the dependencies with that shop in the secret, and returns the environment of all. */
  readonly start: (input: ShopEntry) => Promise<Environment>;
};

const closers = openClosers();

const held = async <Part extends { readonly close: () => Promise<void> }>(part: Promise<Part>): Promise<Part> => {
  const started = await part;
  closers.add(started.close);
  return started;
};

const nowhere = 'http://127.0.0.1:9';
const mode = 'standalone';

/** The queue of the alternative's whole bodies. */
const createAlternativeQueue = async (endpoint: string): Promise<string> => {
  const client = new SQSClient({ ...clientSettings, endpoint });
  await client.send(new CreateQueueCommand({ QueueName: 'bodies' }));
  client.destroy();
  return `${endpoint}/${accountId}/bodies`;
};

const start = async ({ domain, entry }: ShopEntry): Promise<Environment> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-bench-'));
  closers.add(() => rm(dataDir, { recursive: true, force: true }));
  const secrets = await openSecrets(join(dataDir, 'secrets.json'));
  const engine = await held(startEngine(dataDir, 0));
  const queues = await held(startQueues(dataDir, 0));
  const manager = await held(startSecretsManager(secrets, 0));
  const parameters = { TokenIssuer: nowhere, TokenAudience: nowhere };
  const template = await readTemplate(`dist/package/${mode}/cloudformation-template-update-stack.json`);
  const deployment = deploy(template, { mode, parameters, sqs: queues.url });
  await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
  await createQueues(queues.url, deployment.ofType('AWS::SQS::Queue'));
  await createSecrets(secrets, deployment.ofType('AWS::SecretsManager::Secret'));
  await addSources(secrets, 'shopify', { [domain]: entry });
  return {
    ...functionEnvironment({
      dynamodb: engine.url,
      sqs: queues.url,
      secretsManager: manager.url,
      s3: nowhere,
      eventBridge: nowhere,
    }),
    ...sharedEnvironment(functionSpecs(deployment)),
    ALTERNATIVE_QUEUE_URL: await createAlternativeQueue(queues.url),
    ALTERNATIVE_SECRET: entry.webhookSecrets[0] ?? '',
  };
};

offer({ start } satisfies Outside, closers.close);
