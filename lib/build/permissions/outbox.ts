import { arnOf, keyed, on } from './permission.ts';
import { getItem, onTable, query, transact } from './table.ts';

/** Carries what happened to the bus and into the logs. */
export const project = [
  getItem,
  query,
  transact,
  onTable('BatchGetItem'),
  on('events', arnOf('EventBus'))('PutEvents'),
];
/** Lambda's, which feeds the function from the table's stream under the function's own role. */
export const readStream = [
  on('dynamodb', { 'Fn::GetAtt': ['Table', 'StreamArn'] })(
    'GetRecords',
    'GetShardIterator',
    'DescribeStream',
    'ListStreams',
  ),
  on('sqs', arnOf('StreamDeadLetters'))('SendMessage'),
];

/* Webhook endpoints are read by their key; their secrets stand in partitions of their own. */
export const onOutbox = on('sqs', arnOf('OutboxQueue'));
export const getEndpoint = (...others: readonly string[]) => keyed(getItem, 'ENDPOINTS', ...others);
/** What an endpoint was sent. */
export const querySent = keyed(query, 'SENT#*');
export const secretsOfEndpoints = 'ENDPOINTSECRETS#*';
export const answers = 'IDEMPOTENCY#*';
/** All that is told of; nothing else stands in its partitions but what the same callers may read. */
export const places = ['RETURN#*', 'POLICY#*', 'ENDPOINT#*', 'ERASURE#*', 'SUMMARY#*'];

/** It talks to strangers: of all that is kept it reaches what happened, endpoints, and what became of events. */
export const deliver = [
  keyed(getItem, 'ENDPOINTS', 'ENDPOINTSECRETS#*', 'FEED#*', 'SENT#*'),
  keyed(query, 'LOG#*', 'LANES#*', ...places),
  keyed(transact, 'ENDPOINTS', 'ENDPOINT#*', 'LANES#*', 'SENT#*'),
  keyed(onTable('UpdateItem'), 'FEED#*'),
  keyed(onTable('DeleteItem'), 'FEED#*', 'LANES#*'),
  onOutbox('SendMessage'),
  // Lambda's, as above.
  onOutbox('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
export const wake = [
  keyed(query, 'ENDPOINTS'),
  keyed(onTable('BatchGetItem'), 'LOG#*', 'FEED#*'),
  onOutbox('SendMessage'),
];
