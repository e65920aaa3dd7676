import { knowMissingBodies } from './inbox.ts';
import { arnOf, keyed, on } from './permission.ts';
import { readShops } from './secrets.ts';
import { onTable, query } from './table.ts';

/* The doctor reads how the deployment stands: settings, counts and keys, and no return, delivery or event. */

const readQueue = (logicalId: string) => on('sqs', arnOf(logicalId))('GetQueueAttributes');

/** Table, queues, inbox and platforms. */
export const examine = [
  readShops,
  onTable('DescribeTable', 'DescribeTimeToLive', 'DescribeContinuousBackups'),
  ...['byDeadline', 'byStatus'].map((name) =>
    keyed(on('dynamodb', { 'Fn::Sub': `\${Table.Arn}/index/${name}` })('Query'), 'DELIVERIES#*'),
  ),
  knowMissingBodies,
  ...['InboxQueue', 'InboxDeadLetters', 'EventsQueue', 'EventsDeadLetters'].map(readQueue),
];

/** Besides, the other queues and how far webhooks are. */
export const examineStandalone = [
  ...examine,
  ...['JobsQueue', 'JobsDeadLetters', 'OutboxQueue', 'OutboxDeadLetters', 'StreamDeadLetters'].map(readQueue),
  keyed(query, 'ENDPOINTS', 'LANES#*'),
  keyed(onTable('BatchGetItem'), 'LOG#*', 'FEED#*'),
];
