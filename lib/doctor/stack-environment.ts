import { functionEnvironment } from '../local/emulators/aws.ts';
import type { StackInfo } from '../local/stack-info.ts';
import type { Mode } from './mode.ts';

/** The queues of the template by the variables of the doctor. */
const queues = {
  INBOX_QUEUE_URL: 'InboxQueue',
  INBOX_DLQ_URL: 'InboxDeadLetters',
  EVENTS_QUEUE_URL: 'EventsQueue',
  EVENTS_DLQ_URL: 'EventsDeadLetters',
  JOBS_QUEUE_URL: 'JobsQueue',
  JOBS_DLQ_URL: 'JobsDeadLetters',
  OUTBOX_QUEUE_URL: 'OutboxQueue',
  OUTBOX_DLQ_URL: 'OutboxDeadLetters',
  STREAM_DLQ_URL: 'StreamDeadLetters',
} as const;

/** The variables that the function doctor of a local stack has, and those that lead to its emulators. */
export const stackEnvironment = ({ aws, parameters }: StackInfo, mode: Mode): Record<string, string> => {
  const { ServiceUrl, AuthUrl, ClientSecretId, Platforms, PlatformSecrets } = parameters[mode];
  const found: Readonly<Record<string, string | undefined>> = {
    ...functionEnvironment(aws),
    TABLE_NAME: aws.tables[`${mode}.Table`],
    INBOX_BUCKET: aws.buckets[`${mode}.InboxBucket`],
    ...Object.fromEntries(Object.entries(queues).map(([name, id]) => [name, aws.queues[`${mode}.${id}`]])),
    PLATFORMS: Platforms,
    // The parameter's default: the stack names only what it sets itself.
    PLATFORM_SECRETS: PlatformSecrets ?? 'returns/platforms',
    SERVICE_URL: ServiceUrl,
    AUTH_URL: AuthUrl,
    CLIENT_SECRET_ID: ClientSecretId,
  };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
};
