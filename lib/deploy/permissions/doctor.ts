import { knowMissingBodies } from './inbox.ts';
import { arnOf, on } from './permission.ts';
import { readProofs, readShopTokens } from './secrets.ts';
import { getItems, onTable, query, queryIndex } from './table.ts';

/* The doctor reads how the deployment stands: settings, counts and keys, and no return, delivery or event. */

const readQueue = (logicalId: string) => on('sqs', arnOf(logicalId))('GetQueueAttributes');

/** Table, queues, inbox and platforms. */
export const examine = [
  readProofs,
  readShopTokens,
  onTable('DescribeTable', 'DescribeTimeToLive', 'DescribeContinuousBackups'),
  ...['byDeadline', 'byStatus'].map((name) => queryIndex(name, 'DELIVERIES#*')),
  knowMissingBodies,
  ...['InboxQueue', 'InboxDeadLetters', 'EventsQueue', 'EventsDeadLetters'].map(readQueue),
];

/** Besides, the other queues and how far webhooks are. */
export const examineStandalone = [
  ...examine,
  ...['JobsQueue', 'JobsDeadLetters', 'OutboxQueue', 'OutboxDeadLetters', 'StreamDeadLetters'].map(readQueue),
  query('ENDPOINTS', 'LANES#*'),
  getItems('LOG#*', 'FEED#*'),
];
