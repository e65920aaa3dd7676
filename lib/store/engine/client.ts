import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { storeConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';

const config = configured(storeConfig);

/** The name of the table; lib/store/schema.md describes its keys. */
export const table = (): string => config().tableName;

/**
 * The one DynamoDB client of the container. It aborts a hanging attempt after `attemptMs` and retries twice. The SDK's
 * client request token makes a repeated transaction harmless. No client here has a `connectionTimeout`: when a
 * connection fails, the SDK leaves its timer behind for the next invocation.
 */
export const documentClient = perContainer(() =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      maxAttempts: 3,
      requestHandler: { requestTimeout: config().attemptMs, throwOnRequestTimeout: true },
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  ),
);

const transientErrors = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
  'TransactionCanceledException',
]);

/**
 * Whether an error means that the engine is unreachable, slow or busy. The same request may succeed later. An invalid
 * request is a defect of this code instead.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error) || !('$metadata' in error)) return false;
  return !('$fault' in error && error.$fault === 'client') || transientErrors.has(error.name);
};
