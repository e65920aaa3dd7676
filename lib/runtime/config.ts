import { addressError, baseOf } from './address.ts';
import { networksOf } from './public-address.ts';
import { platformNames } from './platform-names.ts';

/**
 * The one place that reads the environment. A module declares the groups that it needs by `configured` of container.ts.
 * A function reads these groups when it loads: a missing or malformed variable stops the cold start with its name.
 */
const required = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is required`);
  return value;
};

const url = (name: string): string => {
  const value = required(name);
  const fault = addressError(value);
  if (fault !== undefined) throw new Error(`environment variable ${name} ${fault}`);
  return baseOf(value);
};

const wholeNumber = (name: string): number => {
  const value = Number(required(name));
  if (!Number.isSafeInteger(value) || value < 1)
    throw new Error(`environment variable ${name} must be a whole number above 0`);
  return value;
};

/** Days, or undefined for `none`. */
const daysOrNone = (name: string): number | undefined =>
  (process.env[name] || 'none') === 'none' ? undefined : wholeNumber(name);

const optionalNumber = (name: string, otherwise: number): number => (process.env[name] ? wholeNumber(name) : otherwise);

/** The way to the Returns Service (connected mode). */
export const serviceConfig = () => ({
  serviceUrl: url('SERVICE_URL'),
  authUrl: url('AUTH_URL'),
  clientSecretId: required('CLIENT_SECRET_ID'),
});

/**
 * Where the SDK looks for Secrets Manager, as far as that is easily told: not where FIPS or dual stack is asked for.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export const secretsManagerOrigin = (): string | undefined => {
  const { AWS_REGION: region, AWS_ENDPOINT_URL_SECRETS_MANAGER: own, AWS_ENDPOINT_URL: all } = process.env;
  const given = own || all;
  if (given) return URL.parse(given)?.origin;
  const special = process.env['AWS_USE_FIPS_ENDPOINT'] || process.env['AWS_USE_DUALSTACK_ENDPOINT'];
  if (!region || special) return undefined;
  return `https://secretsmanager.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
};

/** The same as it stands in the environment, for those who tell what is wrong with it. */
export const serviceSettings = () => ({
  serviceUrl: process.env['SERVICE_URL'],
  authUrl: process.env['AUTH_URL'],
  clientSecretId: process.env['CLIENT_SECRET_ID'],
});

/**
 * The secrets that hold tokens for all containers, by what their scopes are for; empty where each container has tokens
 * of its own (connected mode).
 */
export const sharedTokenConfig = () => ({
  read: process.env['SHARED_READ_TOKEN_ID'] ?? '',
  write: process.env['SHARED_WRITE_TOKEN_ID'] ?? '',
  admin: process.env['SHARED_ADMIN_TOKEN_ID'] ?? '',
});

/** How often those tokens are looked after. */
export const refreshConfig = () => ({ periodMs: wholeNumber('SHARED_TOKEN_MINUTES') * 60_000 });

/** The default time in ms of one attempt of a request to DynamoDB. */
export const storeAttemptMs = 2_000;

/** The table: everything in the standalone mode, the inbox in the connected mode. */
export const storeConfig = () => ({
  tableName: required('TABLE_NAME'),
  /** How long one attempt of a request to DynamoDB may take. The local stack sets it on a busy machine. */
  attemptMs: optionalNumber('STORE_ATTEMPT_MS', storeAttemptMs),
});

/** Another origin of S3 than AWS's own, by the variable that the SDK has for it. */
export const objectsConfig = () => ({ endpoint: process.env['AWS_ENDPOINT_URL_S3'] || undefined });

/** Where evidence is kept (standalone mode). */
export const evidenceConfig = () => ({ bucket: required('EVIDENCE_BUCKET') });

/** Where files of exports are kept (standalone mode). */
export const exportsConfig = () => ({ bucket: required('EXPORT_BUCKET') });

/**
 * Where the trees over all histories are kept for proofs, and where their roots are kept so that nobody can delete them,
 * which is empty in a deployment without (standalone mode).
 */
export const anchorsConfig = () => ({
  pagesBucket: required('EXPORT_BUCKET'),
  rootsBucket: process.env['ANCHOR_BUCKET'] ?? '',
});

/** Where bodies of deliveries are kept that are too large for the table. */
export const inboxBodiesConfig = () => ({ bucket: required('INBOX_BUCKET') });

/** The key that signs cursors (standalone mode). */
export const signingConfig = () => ({ signingSecretId: required('SIGNING_SECRET_ID') });

/** The keys of histories (standalone mode). */
export const historyConfig = () => ({ historyKeysId: required('HISTORY_KEYS_ID') });

/** The queue between a received delivery and its processing. */
export const inboxConfig = () => ({
  queueUrl: url('INBOX_QUEUE_URL'),
  deadLetterUrl: url('INBOX_DLQ_URL'),
  maxReceives: wholeNumber('INBOX_MAX_RECEIVES'),
});

/** Whether this deployment erases persons (standalone mode). Only then it stores the names in deliveries. */
export const erasureConfig = () => ({ isErasing: Boolean(process.env['JOBS_QUEUE_URL']) });

/** The queue of jobs, and how often a part of one is tried (standalone mode). */
export const jobsConfig = () => ({ queueUrl: url('JOBS_QUEUE_URL'), maxAttempts: wholeNumber('JOBS_MAX_ATTEMPTS') });

/** Whose events these are, as CloudEvents name it (standalone mode). */
export const eventsConfig = () => ({ source: required('EVENT_SOURCE'), typePrefix: required('EVENT_TYPE_PREFIX') });

/** Where they are published (standalone mode). */
export const eventBusConfig = () => ({ busName: required('EVENT_BUS_NAME') });

/** The networks that webhooks may go to though they are not public, besides the whole of the internet (standalone mode). */
export const webhookConfig = () => {
  try {
    return { allowed: networksOf(process.env['WEBHOOK_NETWORKS'] ?? '') };
  } catch (error) {
    throw new Error(`environment variable WEBHOOK_NETWORKS ${error instanceof Error ? error.message : 'is wrong'}`, {
      cause: error,
    });
  }
};

/** The queue of webhooks that are to be sent (standalone mode). */
export const outboxConfig = () => ({ queueUrl: url('OUTBOX_QUEUE_URL') });

const enabledPlatforms = () => (process.env['PLATFORMS'] || 'shopify').split(',').map((name) => name.trim());

/** The platforms whose deliveries are taken. */
export const platformsConfig = () => {
  const enabled = enabledPlatforms();
  const unknown = enabled.find((name) => !platformNames.some((known) => known === name));
  if (unknown !== undefined)
    throw new Error(
      `environment variable PLATFORMS must hold ${platformNames.join(', ')}, separated by commas: there is no ${JSON.stringify(unknown)}`,
    );
  return { enabled };
};

/** The prefix of the secrets that hold the shops: `<prefix>/webhooks/<platform>` and `<prefix>/api/<platform>`. */
export const platformSecretsConfig = () => ({ secretPrefix: required('PLATFORM_SECRETS') });

/** The queues that the doctor examines, and their dead-letter queues, by their variables. */
const queueVariables = [
  'INBOX_QUEUE_URL',
  'INBOX_DLQ_URL',
  'EVENTS_QUEUE_URL',
  'EVENTS_DLQ_URL',
  'JOBS_QUEUE_URL',
  'JOBS_DLQ_URL',
  'OUTBOX_QUEUE_URL',
  'OUTBOX_DLQ_URL',
  'STREAM_DLQ_URL',
] as const;

export type QueueVariable = (typeof queueVariables)[number];

/** Whether a front stands before the hooks, and the prefix of the secret with its header: `<prefix>/webhooks/front`. */
export const hooksFrontConfig = () => ({
  front: process.env['HOOKS_FRONT'] === 'on' ? ('on' as const) : ('off' as const),
  secretPrefix: required('PLATFORM_SECRETS'),
});

/** What the doctor examines of a deployment, as the environment has it: each value may be missing or malformed. */
export const deploymentSettings = () => ({
  tableName: process.env['TABLE_NAME'],
  inboxBucket: process.env['INBOX_BUCKET'],
  platforms: enabledPlatforms(),
  platformSecrets: process.env['PLATFORM_SECRETS'],
  queueUrls: Object.fromEntries(queueVariables.map((name) => [name, process.env[name]])) as Readonly<
    Record<QueueVariable, string | undefined>
  >,
  /** Whether the table is on an engine that is not AWS. */
  emulated: Boolean(process.env['AWS_ENDPOINT_URL_DYNAMODB'] || process.env['AWS_ENDPOINT_URL']),
});

/** The words of PLATFORM_RECORDS: who may record orders and refunds. */
const recordWords = ['open', 'listed'] as const;

/** The clients that may state facts of platforms besides admins, and whether they alone record orders and refunds. */
export const platformClientsConfig = () => {
  const given = process.env['PLATFORM_CLIENTS'] || 'none';
  const clients = new Set(given === 'none' ? [] : given.split(',').map((name) => name.trim()));
  const word = process.env['PLATFORM_RECORDS'] || 'open';
  const records = recordWords.find((one) => one === word);
  if (records === undefined)
    throw new Error(`environment variable PLATFORM_RECORDS must be one of ${recordWords.join(', ')}`);
  return { clients, records };
};

/** Whether days that are summed up are told as events, which the standalone mode alone has. */
export const summaryConfig = () => ({ tellsEvents: process.env['SUMMARY_EVENTS'] === 'on' });

/** In how many days all histories are to be verified once. */
export const verifyConfig = () => ({ circleDays: optionalNumber('VERIFY_CIRCLE_DAYS', 7) });

/**
 * For how many days personal data of returns, and the facts of orders, are kept once they are over; undefined is for good
 * (standalone mode).
 */
export const retentionConfig = () => ({
  personalDays: daysOrNone('PERSONAL_RETENTION_DAYS'),
  orderDays: daysOrNone('ORDER_RETENTION_DAYS'),
});

/** How far back the changes of a shop are read when it is asked for them first. */
export const reconcileConfig = () => ({ firstMs: wholeNumber('RECONCILE_FIRST_HOURS') * 3_600_000 });

/** Who issues the tokens that callers present: the OpenAPI document tells where to get one. */
export const contractConfig = () => ({ issuer: url('TOKEN_ISSUER') });

/** The claim of the access token that names the client: `client_id`, `azp` or `appid`, by issuer. */
export const tokenConfig = () => ({ clientClaim: process.env['CLIENT_CLAIM'] || 'client_id' });

/** As what a function publishes its metrics: Lambda sets it. Outside of Lambda it has another name, or none. */
export const functionConfig = () => ({ functionName: process.env['AWS_LAMBDA_FUNCTION_NAME'] || 'local' });

/** The least level that is logged: `debug`, `info`, `warn` or `error`. */
export const logConfig = () => ({ level: process.env['LOG_LEVEL'] || 'info' });
