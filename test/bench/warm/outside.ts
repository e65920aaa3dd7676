import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Way, ways } from '../../../lib/build/functions.ts';
import { deploy } from '../../../lib/local/cloudformation/deployment.ts';
import { readTemplate } from '../../../lib/local/cloudformation/template.ts';
import { functionEnvironment } from '../../../lib/local/emulators/function-spec.ts';
import { functionSpecs, sharedEnvironment } from '../../../lib/local/emulators/functions.ts';
import { createSecrets, startSecretsManager } from '../../../lib/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/local/emulators/secrets-store.ts';
import { startEngine } from '../../../lib/local/engine/engine.ts';
import { createTables } from '../../../lib/local/engine/tables.ts';
import { openClosers } from '../../../lib/local/json-file.ts';
import { offer } from '../remote.ts';
import { type FixedAnswers, fixedToken, secretId, startWorld, type World } from '../world.ts';

/*
 * What the functions of both ways reach, in one process beside that of the candidate: DynamoDB's engine, Secrets
 * Manager, a token endpoint and a Returns Service.
 */

export type Environment = Readonly<Record<string, string>>;

export type Outside = {
  /** Starts all of it and answers with the environment of each way's functions, as the template deploys them. */
  readonly start: (given: null) => Promise<Record<Way, Environment>>;
  readonly answerWith: (given: FixedAnswers) => Promise<void>;
};

const closers = openClosers();
let world: World | undefined;

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
  const engine = await held(startEngine(dataDir, 0));
  const manager = await held(startSecretsManager(secrets, 0));
  const reached = await startWorld();
  world = reached;
  closers.add(async () => reached[Symbol.asyncDispose]());
  const { serviceUrl, authUrl, secretsManager } = reached.origins;
  const parameters = {
    TokenIssuer: authUrl,
    TokenAudience: serviceUrl,
    ServiceUrl: serviceUrl,
    AuthUrl: authUrl,
    ClientSecretId: secretId,
  };
  const environmentOf = async (way: Way): Promise<Environment> => {
    const template = await readTemplate(`dist/package/${way}/cloudformation-template-update-stack.json`);
    const deployment = deploy(template, { way, parameters, sqs: noQueue });
    await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
    await createSecrets(secrets, deployment.ofType('AWS::SecretsManager::Secret'));
    const endpoints = {
      dynamodb: engine.url,
      sqs: noQueue,
      secretsManager: way === 'connected' ? secretsManager : manager.url,
      // Nothing calls it.
      s3: noQueue,
      eventBridge: noQueue,
    };
    return {
      ...functionEnvironment(endpoints),
      ...sharedEnvironment(functionSpecs(deployment)),
      FIXED_TOKEN: fixedToken,
    };
  };
  const [connected, standalone] = [await environmentOf(ways[0]), await environmentOf(ways[1])];
  return { connected, standalone };
};

const outside: Outside = {
  start,
  answerWith: async (given) => {
    if (world !== undefined) world.answers = given;
  },
};

offer(outside, closers.close);
