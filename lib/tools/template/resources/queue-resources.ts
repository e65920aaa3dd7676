import { functionRows } from '../functions.ts';
import { defaultTimeout } from '../functions/function-row.ts';
import { keyCondition } from '../permissions/account.ts';
import { queuesOf, type QueueRow } from '../queues.ts';
import { customerKey } from './account-template.ts';
import type { Resource } from './cloudformation.ts';
import type { Offer } from '../offer.ts';

/** The maximum retention of SQS: 14 days. */
const maxRetention = 1_209_600;

/** Returns six times the timeout of the function that reads the queue, as Lambda recommends. */
const visibilityTimeout = (queue: string): number => {
  const reader = Object.values(functionRows).find(({ trigger }) => trigger.kind === 'queue' && trigger.queue === queue);
  if (reader === undefined) throw new Error(`no function in lib/tools/template/functions reads the queue ${queue}`);
  return 6 * (reader.timeout ?? defaultTimeout);
};

/** SQS encrypts by its own key, or by that of the customer. */
const encryption = {
  SqsManagedSseEnabled: { 'Fn::If': [keyCondition, false, true] },
  KmsMasterKeyId: customerKey,
};

const queueResource = (name: string, { retention = maxRetention, maxReceives }: NonNullable<QueueRow['queue']>) => ({
  Type: 'AWS::SQS::Queue',
  Properties: {
    VisibilityTimeout: visibilityTimeout(name),
    MessageRetentionPeriod: retention,
    ...encryption,
    RedrivePolicy: {
      deadLetterTargetArn: { 'Fn::GetAtt': [`${name}DeadLetters`, 'Arn'] },
      maxReceiveCount: maxReceives,
    },
  },
});

const resourcesOf = (name: string, row: QueueRow): Readonly<Record<string, Resource>> => ({
  ...(row.queue && { [`${name}Queue`]: queueResource(name, row.queue) }),
  [`${name}DeadLetters`]: {
    Type: 'AWS::SQS::Queue',
    Properties: { MessageRetentionPeriod: maxRetention, ...encryption },
  },
});

/** Returns the queues of a mode, with their dead-letter queues. */
export const queueResources = (offer: Offer): Readonly<Record<string, Resource>> =>
  Object.fromEntries(queuesOf(offer).flatMap(([name, row]) => Object.entries(resourcesOf(name, row))));
