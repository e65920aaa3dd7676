/*
 * The variables that the doctor examines, without checks: each value may be missing or malformed.
 */

import { accessSettings } from './access-settings.ts';
import { enabledPlatforms } from './config.ts';

/** The variables of the Returns Service and its identity provider. */
export const serviceSettings = () => ({
  serviceUrl: process.env['SERVICE_URL'],
  authUrl: process.env['AUTH_URL'],
  clientSecretId: process.env['CLIENT_SECRET_ID'],
  access: accessSettings(),
});

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
  'WRITE_BACK_QUEUE_URL',
  'WRITE_BACK_DLQ_URL',
  'MAILS_QUEUE_URL',
  'MAILS_DLQ_URL',
  'STREAM_DLQ_URL',
] as const;

export type QueueVariable = (typeof queueVariables)[number];

/** The variables of the table, the queues and the platforms. */
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
