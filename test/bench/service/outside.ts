import { join } from 'node:path';
import type { Mode } from '../../../lib/deploy/functions/function-row.ts';
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

/* The dependencies of the standalone functions in a separate process: the engine on a folder, and secrets. */

export type Environment = Readonly<Record<string, string>>;

export type Outside = {
  /** Starts the dependencies on the folder and returns the environment of the functions. */
  readonly start: (input: { readonly dataDir: string }) => Promise<Environment>;
};

const closers = openClosers();

const held = async <Part extends { readonly close: () => Promise<void> }>(part: Promise<Part>): Promise<Part> => {
  const started = await part;
  closers.add(started.close);
  return started;
};

const nowhere = 'http://127.0.0.1:9';
const mode: Mode = 'standalone';

offer(
  {
    start: async ({ dataDir }) => {
      const secrets = await openSecrets(join(dataDir, 'secrets.json'));
      const engine = await held(startEngine(dataDir, 0));
      const manager = await held(startSecretsManager(secrets, 0));
      const parameters = { TokenIssuer: nowhere, TokenAudience: nowhere };
      const template = await readTemplate(`dist/package/${mode}/cloudformation-template-update-stack.json`);
      const deployment = deploy(template, { mode, parameters, sqs: nowhere });
      await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
      await createSecrets(secrets, deployment.ofType('AWS::SecretsManager::Secret'));
      return {
        ...functionEnvironment({
          dynamodb: engine.url,
          sqs: nowhere,
          secretsManager: manager.url,
          s3: nowhere,
          eventBridge: nowhere,
        }),
        ...sharedEnvironment(functionSpecs(deployment)),
      };
    },
  } satisfies Outside,
  closers.close,
);
