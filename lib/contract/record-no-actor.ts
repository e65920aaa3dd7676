import type { OperationName } from './contract.ts';

/**
 * The operations that store a change and record no actor. They store no name of a user, so their functions have no
 * permission for it.
 */
export const recordNoActor: ReadonlySet<string> = new Set<OperationName>([
  'cancelBulk',
  'cancelJob',
  'createWebhookEndpoint',
  'deleteWebhookEndpoint',
  'putReason',
  'redeliverWebhook',
  'redeliverWebhooks',
  'redrive',
  'redriveDeadLetters',
  'replay',
  'replayRange',
  'rotateWebhookSecret',
  'updateWebhookEndpoint',
]);
