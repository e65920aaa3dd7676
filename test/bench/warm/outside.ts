import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mode, modes } from '../../../lib/deploy/functions/function-row.ts';
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
 * The dependencies of the functions of both modes, in one process separate from the candidate.
 * They are DynamoDB's engine, Secrets Manager, a token endpoint and a Returns Service.
 */

export type Environment = Readonly<Record<string, string>>;

export type Outside = {
  /** Starts the dependencies and returns the environment of each mode's functions, as deployed by the template. */
  readonly start: (input: null) => Promise<Record<Mode, Environment>>;
  readonly answerWith: (input: FixedAnswers) => Promise<void>;
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

const start = async (): Promise<Record<Mode, Environment>> => {
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
  const environmentOf = async (mode: Mode): Promise<Environment> => {
    const template = await readTemplate(`dist/package/${mode}/cloudformation-template-update-stack.json`);
    const deployment = deploy(template, { mode, parameters, sqs: noQueue });
    await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
    await createSecrets(secrets, deployment.ofType('AWS::SecretsManager::Secret'));
    const endpoints = {
      dynamodb: engine.url,
      sqs: noQueue,
      secretsManager: mode === 'connected' ? secretsManager : manager.url,
      // No candidate calls it.
      s3: noQueue,
      eventBridge: noQueue,
    };
    return {
      ...functionEnvironment(endpoints),
      ...sharedEnvironment(functionSpecs(deployment)),
      FIXED_TOKEN: fixedToken,
    };
  };
  const [connected, standalone] = [await environmentOf(modes[0]), await environmentOf(modes[1])];
  return { connected, standalone };
};

const outside: Outside = {
  start,
  answerWith: async (fixedAnswers) => {
    if (world !== undefined) world.answers = fixedAnswers;
  },
};

offer(outside, closers.close);
