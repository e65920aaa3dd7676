import { storeAttemptMs } from '../../runtime/config.ts';
import { region } from '../cloudformation/template.ts';

/** Emulators take any credentials; the SDK asks for some. */
export const clientSettings = { region, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Origins of the emulators. */
export type AwsEndpoints = {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly secretsManager: string;
  readonly s3: string;
  readonly eventBridge: string;
};

/** The deadlines of functions that a slow machine makes longer. */
export const scaledEnvironment = (timeScale: number): Record<string, string> => ({
  STORE_ATTEMPT_MS: String(storeAttemptMs * timeScale),
});

/**
 * The environment in which functions reach the emulators and nothing else: no profile, credentials or variable of the
 * person at the keyboard gets in.
 */
export const functionEnvironment = (endpoints: AwsEndpoints): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  TZ: ':UTC',
  AWS_REGION: region,
  AWS_DEFAULT_REGION: region,
  AWS_ACCESS_KEY_ID: clientSettings.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: clientSettings.credentials.secretAccessKey,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
  AWS_ENDPOINT_URL_SQS: endpoints.sqs,
  AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
  AWS_ENDPOINT_URL_S3: endpoints.s3,
  AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventBridge,
});

/** A function of the template. */
export type FunctionSpec = {
  readonly arn: string;
  /** Its key in serverless.yml. */
  readonly key: string;
  readonly name: string;
  /** ARN of the role that it runs under. */
  readonly role: string;
  /** `<folder>/index.handler`, below the root of the code. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether Lambda lets the function invoke itself by mode of a queue, time and again. */
  readonly recursiveLoop?: 'Allow' | 'Terminate';
};
