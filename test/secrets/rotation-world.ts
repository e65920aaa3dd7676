import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { onTestFinished } from 'vitest';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { functionSpecs } from '../../lib/local/emulators/functions.ts';
import { startGuard } from '../../lib/local/emulators/guard.ts';
import { identitiesOf } from '../../lib/local/emulators/identities.ts';
import { startSecretsManager } from '../../lib/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../lib/local/emulators/secrets-store.ts';
import type { RotationEvent } from '../../lib/secrets/rotation.ts';
import { temporaryDirectory } from '../local/support.ts';
import { packaged } from '../support/roles.ts';
import type { Mode } from '../support/stack.ts';

export const allSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

type Rotate = (event: RotationEvent, context: { readonly getRemainingTimeInMillis: () => number }) => Promise<void>;

/** Starts a Secrets Manager with some secrets, behind the role of a rotation function. */
export const startRotation = async (
  mode: Mode,
  name: string,
  contents: Readonly<Record<string, string>>,
  rotate: Rotate,
) => {
  const secrets = await openSecrets(`${await temporaryDirectory()}/secrets.json`);
  const upstream = await startSecretsManager(secrets, 0);
  const deployment = await packaged(mode);
  const guard = await startGuard({
    upstream: { dynamodb: '', sqs: '', secretsManager: upstream.url, eventBridge: '' },
    identities: identitiesOf(deployment, functionSpecs(deployment)),
    partitionKeys: new Map(),
  });
  const client = new SecretsManagerClient({ ...clientSettings, endpoint: upstream.url, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await guard.close();
    await upstream.close();
  });
  const arns = new Map<string, string>();
  for (const [secret, secretString] of Object.entries(contents))
    arns.set(secret, (await secrets.create(secret, { secretString })).arn);
  const arnOf = (secret: string) => arns.get(secret) ?? '';
  return {
    /** The variables with which the function reaches the guard as itself. */
    environment: { AWS_ENDPOINT_URL_SECRETS_MANAGER: guard.url, AWS_ACCESS_KEY_ID: `returns-dev-${name}` },
    arnOf,
    put: async (secret: string, secretString: string) => secrets.put(secret, { secretString }),
    /** Begins a rotation as Secrets Manager does. Returns a runner of its steps, and the id of the new version. */
    begin: async (secret: string) => {
      const token = randomUUID();
      await client.send(new RotateSecretCommand({ SecretId: secret, ClientRequestToken: token }));
      const step = async (Step: string, leftMs = 30_000) =>
        rotate(
          { SecretId: arnOf(secret), ClientRequestToken: token, Step },
          { getRemainingTimeInMillis: () => leftMs },
        );
      return { token, step };
    },
    /** Removes AWSPENDING, as an operator does to give up a rotation. */
    giveUp: async (secret: string, RemoveFromVersionId: string) =>
      client.send(
        new UpdateSecretVersionStageCommand({ SecretId: secret, VersionStage: 'AWSPENDING', RemoveFromVersionId }),
      ),
    read: async (secret: string, VersionStage = 'AWSCURRENT') =>
      client.send(new GetSecretValueCommand({ SecretId: secret, VersionStage })),
    labels: async (secret: string) =>
      (await client.send(new DescribeSecretCommand({ SecretId: secret }))).VersionIdsToStages ?? {},
  };
};
