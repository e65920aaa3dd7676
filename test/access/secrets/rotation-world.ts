import { randomUUID } from 'node:crypto';
import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  RotateSecretCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { onTestFinished } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { startGuard } from '../../../lib/tools/local/emulators/guard.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { startSecretsManager } from '../../../lib/tools/local/emulators/secrets-manager.ts';
import { openSecrets } from '../../../lib/tools/local/emulators/secrets-store.ts';
import type { RotationEvent } from '../../../lib/access/secrets/rotation.ts';
import { temporaryDirectory } from '../../tools/local/support.ts';
import { packaged } from '../../support/roles.ts';
import { type Answer, startServer } from '../../support/http-server.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';

export const allSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

type Rotate = (event: RotationEvent, context: { readonly getRemainingTimeInMillis: () => number }) => Promise<void>;

/** The headers of a request to AWS that its signature and its protocol need. */
const isForwarded = (header: string) => /^(authorization|content-type|x-amz-.*)$/.test(header);

/** Starts a server that answers the given operations with faults, and forwards the others. */
const startFaults = async (upstream: string, faults: ReadonlyMap<string, Answer>) =>
  startServer(async ({ headers, body }) => {
    const fault = faults.get(String(headers['x-amz-target']).replace('secretsmanager.', ''));
    if (fault !== undefined) return fault;
    const forwarded = Object.entries(headers).flatMap(([header, value]): [string, string][] =>
      isForwarded(header) ? [[header, String(value)]] : [],
    );
    const response = await fetch(upstream, { method: 'POST', headers: forwarded, body });
    return {
      status: response.status,
      headers: { 'content-type': String(response.headers.get('content-type')) },
      body: await response.text(),
    };
  });

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
    upstream: { dynamodb: '', sqs: '', secretsManager: upstream.url, eventBridge: '', ses: '' },
    identities: identitiesOf(deployment, functionSpecs(deployment)),
    partitionKeys: new Map(),
  });
  const client = new SecretsManagerClient({ ...clientSettings, endpoint: upstream.url, maxAttempts: 1 });
  const faults = new Map<string, Answer>();
  const server = await startFaults(guard.url, faults);
  onTestFinished(async () => {
    client.destroy();
    await server[Symbol.asyncDispose]();
    await guard.close();
    await upstream.close();
  });
  const arns = new Map<string, string>();
  for (const [secret, secretString] of Object.entries(contents))
    arns.set(secret, (await secrets.create(secret, { secretString })).arn);
  const arnOf = (secret: string) => arns.get(secret) ?? '';
  return {
    /** Answers of Secrets Manager to the function to use instead, by operation. */
    faults,
    /** Returns how many requests of an operation the function has sent. */
    sent: (operation: string) =>
      server.requests.filter(({ headers }) => headers['x-amz-target'] === `secretsmanager.${operation}`).length,
    /** The variables with which the function reaches the guard as itself. */
    environment: { AWS_ENDPOINT_URL_SECRETS_MANAGER: server.origin, AWS_ACCESS_KEY_ID: `returns-dev-${name}` },
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
