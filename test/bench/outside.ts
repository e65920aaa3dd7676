import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ways, type Way } from '../../lib/build/functions.ts';
import { functionEnvironment } from '../../lib/local/aws.ts';
import { openClosers } from '../../lib/local/closers.ts';
import { deploy } from '../../lib/local/deployment.ts';
import { startEngine } from '../../lib/local/engine.ts';
import { functionSpecs, sharedEnvironment } from '../../lib/local/functions.ts';
import { createSecrets, startSecretsManager } from '../../lib/local/secrets-manager.ts';
import { openSecrets } from '../../lib/local/secrets-store.ts';
import { createTables } from '../../lib/local/tables.ts';
import { readTemplate } from '../../lib/local/template.ts';
import { offer } from './remote.ts';
import { credentials, startService, startTokenEndpoint, type FixedAnswers } from './service.ts';

/*
 * What the functions reach, in one process beside that of the candidate: DynamoDB's engine, Secrets Manager, a token
 * endpoint and a Returns Service.
 */

export type Environment = Readonly<Record<string, string>>;

export type Outside = {
  /** Starts all of it and answers with the environment of each way's functions, as the template deploys them. */
  readonly start: (given: null) => Promise<Record<Way, Environment>>;
  readonly answerWith: (given: FixedAnswers) => Promise<void>;
};

const closers = openClosers();
let answers: FixedAnswers = { getReturn: '{}', createReturn: '{}' };

/** No candidate sends to a queue. */
const noQueue = 'http://127.0.0.1:9';

const held = async <Part extends { readonly close: () => Promise<void> }>(part: Promise<Part>): Promise<Part> => {
  const started = await part;
  closers.add(started.close);
  return started;
};

const start = async (): Promise<Record<Way, Environment>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'returns-bench-'));
  closers.add(() => rm(dataDir, { recursive: true, force: true }));
  const secrets = await openSecrets(join(dataDir, 'secrets.json'));
  await secrets.create('returns/client', { secretString: JSON.stringify(credentials) });
  const engine = await held(startEngine(dataDir, 0));
  const manager = await held(startSecretsManager(secrets, 0));
  const identity = await held(startTokenEndpoint());
  const service = await held(startService(() => answers));
  const parameters = {
    TokenIssuer: identity.origin,
    TokenAudience: service.origin,
    ShopifySecretId: 'returns/shopify',
    ServiceUrl: service.origin,
    AuthUrl: identity.origin,
    ClientSecretId: 'returns/client',
  };
  const environmentOf = async (way: Way): Promise<Environment> => {
    const template = await readTemplate(`dist/package/${way}/cloudformation-template-update-stack.json`);
    const deployment = deploy(template, { way, parameters, sqs: noQueue });
    await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
    await createSecrets(secrets, deployment.ofType('AWS::SecretsManager::Secret'));
    const endpoints = { dynamodb: engine.url, sqs: noQueue, secretsManager: manager.url };
    return { ...functionEnvironment(endpoints), ...sharedEnvironment(functionSpecs(deployment)) };
  };
  const [connected, standalone] = [await environmentOf(ways[0]), await environmentOf(ways[1])];
  return { connected, standalone };
};

const outside: Outside = {
  start,
  answerWith: async (given) => {
    answers = given;
  },
};

offer(outside, closers.close);
