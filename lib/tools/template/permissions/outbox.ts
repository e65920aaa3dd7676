import { arnOf, actionsOn } from './permission.ts';
import { getItem, getItems, query, queryIndex, remove, tableStreamArn, transact, update } from './table.ts';

/** Used by Lambda, which feeds the function from the table's stream under the function's role. */
export const readTableStream = [
  actionsOn('dynamodb', tableStreamArn)('GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'),
  actionsOn('sqs', arnOf('StreamDeadLetters'))('SendMessage'),
];

/* Functions read webhook endpoints by key. The secrets of endpoints are in partitions of their own. */
export const onOutbox = actionsOn('sqs', arnOf('OutboxQueue'));
export const getEndpoint = (...others: readonly string[]) => getItem('ENDPOINTS', ...others);
/** Reads the deliveries to endpoints. */
export const queryWebhookDeliveries = query('SENT#*');
export const endpointSecretsPartition = 'ENDPOINTSECRETS#*';
export const storedResponsesPartition = 'IDEMPOTENCY#*';
/** Reads domain events. Their partitions hold only data that the same callers may read. */
const streamPartitions = [
  'RETURN#*',
  'WITHDRAWAL#*',
  'POLICY#*',
  'ENDPOINT#*',
  'ERASURE#*',
  'SUMMARY#*',
  'ANCHOR#*',
  'INTENT#*',
  'WRITEBACKSETTING#*',
];

/** Reads domain events by their keys. */
export const getDomainEvents = getItems(...streamPartitions);
/** Publishes domain events to the bus and to the partitions. */
export const publishEvents = [
  getItem('LOG#*'),
  getDomainEvents,
  query(...streamPartitions),
  transact('LOG#*'),
  transact(...streamPartitions),
  query('ENDPOINTS'),
  actionsOn('events', arnOf('EventBus'))('PutEvents'),
];
/** Publishes events that the stream missed: reads all streams. */
export const repairEvents = [
  ...publishEvents,
  getItem('POLICIES', 'REPAIR#*'),
  query('UNLISTED'),
  queryIndex('byUpdate', 'RETURNS#*', 'WITHDRAWALS#*'),
  transact('REPAIR#*'),
];

/** It calls foreign servers, so it reaches only events, endpoints and deliveries. */
export const deliverEvents = [
  getItem('ENDPOINTS', 'ENDPOINTSECRETS#*', 'FEED#*', 'SENT#*'),
  query('LOG#*', 'LANES#*', ...streamPartitions),
  transact('ENDPOINTS', 'ENDPOINT#*', 'LANES#*', 'SENT#*'),
  update('FEED#*'),
  remove('FEED#*', 'LANES#*'),
  onOutbox('SendMessage'),
  // Used by Lambda, as above.
  onOutbox('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
export const notifySubscriptions = [query('ENDPOINTS'), getItems('LOG#*', 'FEED#*'), onOutbox('SendMessage')];
