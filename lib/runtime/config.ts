import { addressError, awsSuffix, baseOf, bucketOrigin, defaultTokenPath, tokenPathError } from './address.ts';
import { isTimeZone } from './instant.ts';
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
  const failure = addressError(value);
  if (failure !== undefined) throw new Error(`environment variable ${name} ${failure}`);
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

const tokenPath = (): string => {
  const path = process.env['TOKEN_PATH'] || defaultTokenPath;
  const failure = tokenPathError(path);
  if (failure !== undefined) throw new Error(`environment variable TOKEN_PATH ${failure}`);
  return path;
};

/** The Returns Service and its identity provider (connected mode). */
export const serviceConfig = () => ({
  serviceUrl: url('SERVICE_URL'),
  authUrl: url('AUTH_URL'),
  tokenPath: tokenPath(),
  clientSecretId: required('CLIENT_SECRET_ID'),
});

/** The variable of the SDK with another origin of Lambda. */
const lambdaEndpoint = () => process.env['AWS_ENDPOINT_URL_LAMBDA'] || undefined;

/** The operator's function that creates client secrets at the issuer. */
export const rotationHookConfig = () => ({ hookArn: required('ROTATION_HOOK_ARN'), endpoint: lambdaEndpoint() });

/**
 * Returns the origin at which the SDK finds Secrets Manager; undefined with FIPS or dual stack.
 * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export const secretsManagerOrigin = (): string | undefined => {
  const { AWS_REGION: region, AWS_ENDPOINT_URL_SECRETS_MANAGER: own, AWS_ENDPOINT_URL: all } = process.env;
  const endpoint = own || all;
  if (endpoint) return URL.parse(endpoint)?.origin;
  const special = process.env['AWS_USE_FIPS_ENDPOINT'] || process.env['AWS_USE_DUALSTACK_ENDPOINT'];
  if (!region || special) return undefined;
  return `https://secretsmanager.${region}.${awsSuffix(region)}`;
};

/** The same variables without checks, for the doctor. */
export const serviceSettings = () => ({
  serviceUrl: process.env['SERVICE_URL'],
  authUrl: process.env['AUTH_URL'],
  tokenPath: process.env['TOKEN_PATH'] || defaultTokenPath,
  clientSecretId: process.env['CLIENT_SECRET_ID'],
});

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

/** Whether a withdrawal before shipping cancels the order at its shop (standalone mode). Otherwise only an event asks. */
export const cancellationConfig = () => {
  const word = process.env['WITHDRAWAL_CANCELLATION'] || 'event';
  if (word !== 'event' && word !== 'platform')
    throw new Error('environment variable WITHDRAWAL_CANCELLATION must be event or platform');
  return { isAtPlatform: word === 'platform' };
};

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

/** The queue of events and messages from AWS, with its dead-letter queue. */
export const eventsQueueConfig = () => ({ queueUrl: url('EVENTS_QUEUE_URL'), deadLetterUrl: url('EVENTS_DLQ_URL') });

/** The dead-letter queues that only the standalone mode has. */
export const standaloneDeadLettersConfig = () => ({
  jobsUrl: url('JOBS_DLQ_URL'),
  outboxUrl: url('OUTBOX_DLQ_URL'),
  streamUrl: url('STREAM_DLQ_URL'),
});

const enabledPlatforms = () => (process.env['PLATFORMS'] || 'shopify').split(',').map((name) => name.trim());

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

/** The prefix of the secrets of the shops: `<prefix>/webhooks/<platform>` and `<prefix>/api/<platform>`. */
export const platformSecretsConfig = () => ({ secretPrefix: required('PLATFORM_SECRETS') });

/** The variables of the queues and dead-letter queues that the doctor checks. */
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

/** Whether webhooks pass a front, and the prefix of the secret with its header: `<prefix>/webhooks/front`. */
export const hooksFrontConfig = () => ({
  front: process.env['HOOKS_FRONT'] === 'on' ? ('on' as const) : ('off' as const),
  secretPrefix: required('PLATFORM_SECRETS'),
});

/** The variables that the doctor checks, without checks here: each value may be missing or malformed. */
export const deploymentSettings = () => ({
  tableName: process.env['TABLE_NAME'],
  inboxBucket: process.env['INBOX_BUCKET'],
  platforms: enabledPlatforms(),
  platformSecrets: process.env['PLATFORM_SECRETS'],
  queueUrls: Object.fromEntries(queueVariables.map((name) => [name, process.env[name]])) as Readonly<
    Record<QueueVariable, string | undefined>
  >,
  /** Whether a local engine holds the table. */
  emulated: Boolean(process.env['AWS_ENDPOINT_URL_DYNAMODB'] || process.env['AWS_ENDPOINT_URL']),
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
  const records = recordWords.find((one) => one === word);
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

/** An origin of a Content-Security-Policy, without a character that could begin another directive. */
const frameAncestor = /^https:\/\/(\*\.)?[A-Za-z0-9.-]+(:\d{1,5})?$/;

/** The page for withdrawals: the name of the shop, who may show the page in a frame, and the zone of its receipts. */
export const withdrawPageConfig = () => {
  const timeZone = process.env['WITHDRAWAL_TIME_ZONE'] || 'UTC';
  if (!isTimeZone(timeZone))
    throw new Error('environment variable WITHDRAWAL_TIME_ZONE must be a time zone such as Europe/Berlin');
  const listed = process.env['WITHDRAW_PAGE_FRAME_ANCESTORS'] || 'none';
  const frameAncestors = listed === 'none' ? [] : listed.split(',');
  if (!frameAncestors.every((origin) => frameAncestor.test(origin)))
    throw new Error(
      'environment variable WITHDRAW_PAGE_FRAME_ANCESTORS must be none, or https origins separated by commas',
    );
  return { shop: process.env['SHOP_NAME'] || undefined, frameAncestors, timeZone };
};

/** The functions that the page for withdrawals invokes, and the key that signs its checks. */
export const withdrawFunctionsConfig = () => ({
  declareWithdrawalArn: required('DECLARE_WITHDRAWAL_ARN'),
  getWithdrawalReceiptArn: required('GET_WITHDRAWAL_RECEIPT_ARN'),
  signingSecretId: required('WITHDRAW_KEY_ID'),
  endpoint: lambdaEndpoint(),
});

/** The key of the page for withdrawals, for its rotation; undefined when the deployment has no page. */
export const withdrawKeyConfig = () => ({ withdrawKeyId: process.env['WITHDRAW_KEY_ID'] || undefined });

/** The issuer of callers' tokens. The OpenAPI document names its token endpoint. */
export const contractConfig = () => ({ issuer: url('TOKEN_ISSUER') });

/** The address of the documents of the API; undefined when the parameter DocsUrl is `none`. */
export const docsConfig = () => ({
  docsUrl: (process.env['DOCS_URL'] || 'none') === 'none' ? undefined : url('DOCS_URL'),
});

/** The claims with scopes that the JWT authorizer of an HTTP API reads. */
const gatewayScopeClaims: ReadonlySet<string> = new Set(['scope', 'scp']);

const scopeClaim = (): string | undefined => {
  const claim = process.env['SCOPE_CLAIM'] || undefined;
  const byFunction = process.env['TOKEN_AUTHORIZER'] === 'function';
  if (claim === undefined || byFunction || gatewayScopeClaims.has(claim)) return claim;
  throw new Error(
    'environment variable SCOPE_CLAIM must be scope or scp with the authorizer of the gateway: set TokenAuthorizer to function for other claims',
  );
};

/** How the access tokens of callers name the client and the scopes. */
export const tokenConfig = () => ({
  /** The claim with the client id: `client_id`, `azp`, `appid` or `cid`, depending on the issuer. */
  clientClaim: process.env['CLIENT_CLAIM'] || 'client_id',
  /** The text before a scope of this API in a token, such as `returns.example/` at Cognito. */
  scopePrefix: process.env['SCOPE_PREFIX'] ?? '',
  /** The claim with the scopes; undefined for `scope`, else `scp`. */
  scopeClaim: scopeClaim(),
});

/** Whether only a person who saved no revision of a draft may publish it. */
export const policiesConfig = () => ({ fourEyes: process.env['FOUR_EYES'] === 'on' });

/** The items of a variable, which commas separate. */
const listOf = (name: string): readonly string[] => (process.env[name] ?? '').split(',').filter((item) => item !== '');

/** The users of the `web` API: the clients that they sign in with, and the claims that name them. */
export const usersConfig = () => ({
  consoleClients: new Set(listOf('CONSOLE_CLIENTS')),
  userClaim: process.env['USER_CLAIM'] || 'sub',
  userNameClaim: process.env['USER_NAME_CLAIM'] || 'name',
});

/** The origin of the bucket of evidence files, for browsers; undefined in connected mode, which has no such bucket. */
const evidenceOrigin = (): string | undefined => {
  const { EVIDENCE_BUCKET: bucket, AWS_ENDPOINT_URL_S3: endpoint, AWS_REGION: region = '' } = process.env;
  if (!bucket) return undefined;
  return endpoint ? URL.parse(endpoint)?.origin : bucketOrigin(bucket, region);
};

/** The console: how people sign in, and the origins that its script may connect to. */
export const consoleConfig = () => ({
  issuer: required('TOKEN_ISSUER'),
  // People sign in with the first client. The others are those of a change of clients.
  clientId: listOf('CONSOLE_CLIENTS')[0] ?? '',
  audience: process.env['CONSOLE_AUDIENCE'] ?? '',
  scopePrefix: process.env['SCOPE_PREFIX'] ?? '',
  mode: process.env['EVIDENCE_BUCKET'] ? ('standalone' as const) : ('connected' as const),
  issuerOrigin: URL.parse(required('TOKEN_ISSUER'))?.origin ?? '',
  origins: listOf('CONSOLE_ORIGINS'),
  evidenceOrigin: evidenceOrigin(),
});

/** The tokens that the authorizer function accepts. An issuer may end with a slash, and is compared as it is. */
export const issuerConfig = () => {
  url('TOKEN_ISSUER');
  const consoleAudience = process.env['CONSOLE_AUDIENCE'] ?? '';
  return {
    issuer: required('TOKEN_ISSUER'),
    audiences: required('TOKEN_AUDIENCE').split(','),
    /** The audiences of tokens of users; none without the parameter Console. */
    userAudiences: consoleAudience === '' ? [] : [consoleAudience],
  };
};

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
