import { awsSuffix } from '../address.ts';
import { serviceAccess } from './access-settings.ts';
import { daysOrNone, lambdaEndpoint, optionalNumber, required, url, wholeNumber } from './environment.ts';
import { networksOf } from '../public-address.ts';
import { platformNames } from '../platform-names.ts';

/*
 * Groups of variables. A module declares the groups that it needs by `configured` of container.ts. A function reads
 * these groups when it loads: a missing or malformed variable stops the cold start with its name.
 */

/** The Returns Service and its identity provider (connected mode). */
export const serviceConfig = () => ({
  serviceUrl: url('SERVICE_URL'),
  authUrl: url('AUTH_URL'),
  serviceAccess: serviceAccess(),
  clientSecretId: required('CLIENT_SECRET_ID'),
});

/** The operator's function that creates client secrets at the issuer. */
export const rotationHookConfig = () => ({ hookArn: required('ROTATION_HOOK_ARN'), endpoint: lambdaEndpoint() });

/**
 * Returns the origin at which the SDK finds Secrets Manager; undefined with FIPS or dual stack.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export const secretsManagerOrigin = (): string | undefined => {
  const { AWS_REGION: region, AWS_ENDPOINT_URL_SECRETS_MANAGER: own, AWS_ENDPOINT_URL: shared } = process.env;
  const endpoint = own || shared;
  if (endpoint) return URL.parse(endpoint)?.origin;
  const special = process.env['AWS_USE_FIPS_ENDPOINT'] || process.env['AWS_USE_DUALSTACK_ENDPOINT'];
  if (!region || special) return undefined;
  return `https://secretsmanager.${region}.${awsSuffix(region)}`;
};

/**
 * The secrets with the shared tokens, by scope; empty when each container obtains its own tokens (connected mode).
 */
export const sharedTokenConfig = () => ({
  read: process.env['SHARED_READ_TOKEN_ID'] ?? '',
  write: process.env['SHARED_WRITE_TOKEN_ID'] ?? '',
  admin: process.env['SHARED_ADMIN_TOKEN_ID'] ?? '',
});

/** The interval of the refresh of shared tokens. */
export const refreshConfig = () => ({ periodMs: wholeNumber('SHARED_TOKEN_MINUTES') * 60_000 });

/** The default time in ms of one attempt of a request to DynamoDB. */
export const storeAttemptMs = 2_000;

/** The table: everything in the standalone mode, the inbox in the connected mode. */
export const storeConfig = () => ({
  tableName: required('TABLE_NAME'),
  /** The timeout of one request attempt to DynamoDB. The local stack sets it on a busy machine. */
  attemptMs: optionalNumber('STORE_ATTEMPT_MS', storeAttemptMs),
});

/** The number of partitions that the lists of returns are spread over (standalone mode). */
export const listsConfig = () => ({ partitions: optionalNumber('LIST_PARTITIONS', 1) });

/** An S3 origin that replaces that of AWS, from the variable of the SDK. */
export const objectsConfig = () => ({ endpoint: process.env['AWS_ENDPOINT_URL_S3'] || undefined });

/** The bucket of evidence files (standalone mode). */
export const evidenceConfig = () => ({ bucket: required('EVIDENCE_BUCKET') });

/** The bucket of export files (standalone mode). */
export const exportsConfig = () => ({ bucket: required('EXPORT_BUCKET') });

/**
 * The buckets of the trees over all histories (standalone mode). The bucket with Object Lock holds roots and trees. Its
 * name is empty when the deployment has none.
 */
export const anchorsConfig = () => ({
  pagesBucket: required('EXPORT_BUCKET'),
  rootsBucket: process.env['ANCHOR_BUCKET'] ?? '',
});

/** The bucket of delivery bodies that are too large for the table. */
export const inboxBodiesConfig = () => ({ bucket: required('INBOX_BUCKET') });

/** The key that signs cursors (standalone mode). */
export const signingConfig = () => ({ signingSecretId: required('SIGNING_SECRET_ID') });

/** The keys of histories (standalone mode). */
export const historyConfig = () => ({ historyKeysId: required('HISTORY_KEYS_ID') });

/**
 * The keys of receipts, and the issuer that receipts name (standalone mode). An issuer with an https address publishes
 * its keys below it.
 */
export const receiptConfig = () => ({ receiptKeysId: required('RECEIPT_KEYS_ID'), issuer: required('RECEIPT_ISSUER') });

/** The keys of the search for customers (standalone mode); undefined when the deployment has no search. */
export const searchConfig = () => ({ searchKeysId: process.env['SEARCH_KEYS_ID'] || undefined });

/** The queue between a received delivery and its processing. */
export const inboxConfig = () => ({
  queueUrl: url('INBOX_QUEUE_URL'),
  deadLetterUrl: url('INBOX_DLQ_URL'),
  maxReceives: wholeNumber('INBOX_MAX_RECEIVES'),
});

/** Whether this deployment erases personal data (standalone mode). Only then it stores the names in deliveries. */
export const erasureConfig = () => ({ isErasing: Boolean(process.env['JOBS_QUEUE_URL']) });

/** The queue of jobs, and the attempts of a partition (standalone mode). */
export const jobsConfig = () => ({ queueUrl: url('JOBS_QUEUE_URL'), maxAttempts: wholeNumber('JOBS_MAX_ATTEMPTS') });

/** The CloudEvents source and the prefix of event types (standalone mode). */
export const eventsConfig = () => ({ source: required('EVENT_SOURCE'), typePrefix: required('EVENT_TYPE_PREFIX') });

/** The event bus (standalone mode). */
export const eventBusConfig = () => ({ busName: required('EVENT_BUS_NAME') });

/** The private networks that webhooks may reach besides the public internet (standalone mode). */
export const webhookConfig = () => {
  try {
    return { allowed: networksOf(process.env['WEBHOOK_NETWORKS'] ?? '') };
  } catch (error) {
    throw new Error(`environment variable WEBHOOK_NETWORKS ${error instanceof Error ? error.message : 'is invalid'}`, {
      cause: error,
    });
  }
};

/** The queue of webhooks to send (standalone mode). */
export const outboxConfig = () => ({ queueUrl: url('OUTBOX_QUEUE_URL') });

/** The name of a platform of orders. */
const orderPlatform = /^[a-z][a-z0-9_-]{0,39}$/;

/** The platforms of orders whose shops may be asked to do something (standalone mode); none by default. */
export const writeBackConfig = () => {
  const text = process.env['WRITE_BACK'] || 'none';
  const platforms = text === 'none' ? [] : text.split(',').map((name) => name.trim());
  const malformed = platforms.find((name) => !orderPlatform.test(name));
  if (malformed !== undefined)
    throw new Error(
      `environment variable WRITE_BACK must be a list of platforms of orders, separated by commas; ${JSON.stringify(malformed)} is none`,
    );
  return { platforms: new Set(platforms) };
};

/** The queue of orders whose shops are to be asked; undefined when the deployment asks no shop. */
export const writeBackQueueConfig = () => ({ queueUrl: url('WRITE_BACK_QUEUE_URL') });

/** The queue of events and messages from AWS, with its dead-letter queue. */
export const eventsQueueConfig = () => ({ queueUrl: url('EVENTS_QUEUE_URL'), deadLetterUrl: url('EVENTS_DLQ_URL') });

/** The dead-letter queues that only the standalone mode has. */
export const standaloneDeadLettersConfig = () => ({
  jobsUrl: url('JOBS_DLQ_URL'),
  outboxUrl: url('OUTBOX_DLQ_URL'),
  writeBackUrl: url('WRITE_BACK_DLQ_URL'),
  mailsUrl: url('MAILS_DLQ_URL'),
  streamUrl: url('STREAM_DLQ_URL'),
});

/** The words of the variable, which may be unknown platforms. */
export const enabledPlatforms = () => (process.env['PLATFORMS'] || 'shopify').split(',').map((name) => name.trim());

/** The platforms whose deliveries are accepted. */
export const platformsConfig = () => {
  const enabled = enabledPlatforms();
  const unknown = enabled.find((name) => !platformNames.some((known) => known === name));
  if (unknown !== undefined)
    throw new Error(
      `environment variable PLATFORMS must be a list of ${platformNames.join(', ')}, separated by commas; ${JSON.stringify(unknown)} is unknown`,
    );
  return { enabled };
};

/** The prefix of the secrets of the shops, such as `<prefix>/webhooks/<platform>` and `<prefix>/api/<platform>`. */
export const platformSecretsConfig = () => ({ secretPrefix: required('PLATFORM_SECRETS') });

/** Whether webhooks pass a front, and the prefix of the secret with its header: `<prefix>/webhooks/front`. */
export const hooksFrontConfig = () => ({
  front: process.env['HOOKS_FRONT'] === 'on' ? ('on' as const) : ('off' as const),
  secretPrefix: required('PLATFORM_SECRETS'),
});

/** The values of PLATFORM_RECORDS: any client, or only listed ones, may register orders and record refunds. */
const recordWords = ['open', 'listed'] as const;

/**
 * The clients besides admins that may write platform facts. `PLATFORM_RECORDS` can restrict orders and refunds to them.
 */
export const platformClientsConfig = () => {
  const clientList = process.env['PLATFORM_CLIENTS'] || 'none';
  const clients = new Set(clientList === 'none' ? [] : clientList.split(',').map((name) => name.trim()));
  const word = process.env['PLATFORM_RECORDS'] || 'open';
  const records = recordWords.find((known) => known === word);
  if (records === undefined)
    throw new Error(`environment variable PLATFORM_RECORDS must be one of ${recordWords.join(', ')}`);
  return { clients, records };
};

/** Whether the daily summary is an event. Only the standalone mode has events. */
export const summaryConfig = () => ({ emitsEvents: process.env['SUMMARY_EVENTS'] === 'on' });

/** Days within which all histories are verified once. */
export const verifyConfig = () => ({ circleDays: optionalNumber('VERIFY_CIRCLE_DAYS', 7) });

/**
 * Days until the personal data of ended returns is erased and orders are deleted; undefined means never (standalone
 * mode).
 */
export const retentionConfig = () => ({
  personalDays: daysOrNone('PERSONAL_RETENTION_DAYS'),
  orderDays: daysOrNone('ORDER_RETENTION_DAYS'),
});

/** How far the first reconciliation of a shop looks back. */
export const reconcileConfig = () => ({ firstMs: wholeNumber('RECONCILE_FIRST_HOURS') * 3_600_000 });

/** The key of the page for withdrawals, for its rotation; undefined when the deployment has no page. */
export const withdrawKeyConfig = () => ({ withdrawKeyId: process.env['WITHDRAW_KEY_ID'] || undefined });

/** Whether only a person who saved no revision of a draft may publish it. */
export const policiesConfig = () => ({ fourEyes: process.env['FOUR_EYES'] === 'on' });

/** The name under which a function publishes its metrics. Lambda sets it. */
export const functionConfig = () => ({
  functionName: process.env['AWS_LAMBDA_FUNCTION_NAME'] || 'local',
  /** Whether metrics are also stored for each function and operation. */
  operationMetrics: process.env['OPERATION_METRICS'] === 'on',
});

/** Whether an operation counts its requests (standalone mode). */
export const requestMetricsConfig = () => ({ countsRequests: process.env['REQUEST_METRICS'] === 'on' });

/** The lowest level that is logged: `debug`, `info`, `warn` or `error`. */
export const logConfig = () => ({ level: process.env['LOG_LEVEL'] || 'info' });
