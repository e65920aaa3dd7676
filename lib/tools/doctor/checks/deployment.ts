import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { deploymentSettings } from '../../../runtime/configuration/deployment-settings.ts';
import type { SecretSource } from '../../../access/secrets/source.ts';
import { type Part, unset } from '../check.ts';
import type { Mode } from '../mode.ts';
import { queuesPart } from './queues.ts';
import { tablePart } from './table-shape.ts';

/** The deployment to examine, in either mode. */
export type Deployment = {
  readonly mode: Mode;
  readonly settings: ReturnType<typeof deploymentSettings>;
  /** Whether this runs as the deployed function, which has every variable. */
  readonly deployed: boolean;
  /** A source that has read nothing yet, so that no row shows a cached value. */
  readonly source: SecretSource;
};

/** The settings of the clients with which the doctor examines resources. */
export const storeClient = { maxAttempts: 2, requestHandler: { requestTimeout: 2_000, throwOnRequestTimeout: true } };

/*
 * The store and the platforms read their configuration while they load. These parts import them only after they have
 * checked the variables, so that the doctor runs where other functions fail.
 */

const inboxPart = ({ settings, deployed }: Deployment): Part => ({
  name: 'inbox',
  run: async (underway) => {
    const { tableName, inboxBucket } = settings;
    if (!tableName) return [unset('inbox', 'TABLE_NAME', deployed)];
    const { checkInbox } = await import('./inbox.ts');
    return checkInbox({ tableName, inboxBucket, deployed }, underway);
  },
});

const platformsPart = ({ settings, deployed, source }: Deployment): Part => ({
  name: 'platforms',
  run: async (underway) => {
    const { platforms, platformSecrets: secretPrefix } = settings;
    if (!secretPrefix) return [unset('platforms', 'PLATFORM_SECRETS', deployed)];
    const { checkPlatforms } = await import('./platforms.ts');
    return checkPlatforms({ platforms, secretPrefix, source }, underway);
  },
});

/** The parts that check the resources of the deployment. */
export const deploymentParts = (deployment: Deployment): readonly Part[] => {
  const { mode, settings, deployed } = deployment;
  const { tableName, emulated, queueUrls } = settings;
  return [
    tablePart({ mode, tableName, emulated, deployed, client: new DynamoDBClient(storeClient) }),
    queuesPart({ mode, urls: queueUrls, deployed, client: new SQSClient(storeClient) }),
    inboxPart(deployment),
    platformsPart(deployment),
  ];
};
