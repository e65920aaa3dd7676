import { storeAttemptMs } from '../../../runtime/configuration/config.ts';
import { region } from '../../template/cloudformation/template.ts';

/** The settings of SDK clients. Emulators accept any credentials, but the SDK requires some. */
export const clientSettings = { region, credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

/** Origins of the emulators. */
export type AwsEndpoints = {
  readonly dynamodb: string;
  readonly sqs: string;
  readonly secretsManager: string;
  readonly s3: string;
  readonly eventBridge: string;
  readonly ses: string;
};

/** The deadlines of functions, extended for a slow machine. */
export const scaledEnvironment = (timeScale: number): Record<string, string> => ({
  STORE_ATTEMPT_MS: String(storeAttemptMs * timeScale),
});

/**
 * Returns the environment with which functions reach only the emulators. It contains no profile, credentials or
 * variable of the user.
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
  AWS_ENDPOINT_URL_SESV2: endpoints.ses,
});

/** A function of the template. */
export type FunctionSpec = {
  /** The ARN of its alias. */
  readonly arn: string;
  /** Its key in serverless.yml. */
  readonly key: string;
  readonly name: string;
  /** The ARN of its role. */
  readonly role: string;
  /** `<folder>/index.handler`, below the root of the code. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether Lambda lets the function invoke itself repeatedly through a queue. */
  readonly recursiveLoop?: 'Allow' | 'Terminate';
};
