import { arnOf, on } from './permission.ts';
import { getItem, getItems, query, remove, transact, update } from './table.ts';

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
export const getEndpoint = (...others: readonly string[]) => getItem('ENDPOINTS', ...others);
/** What an endpoint was sent. */
export const querySent = query('SENT#*');
export const secretsOfEndpoints = 'ENDPOINTSECRETS#*';
export const answers = 'IDEMPOTENCY#*';
/** All that is told of; nothing else stands in its partitions but what the same callers may read. */
const places = ['RETURN#*', 'POLICY#*', 'ENDPOINT#*', 'ERASURE#*', 'SUMMARY#*', 'ANCHOR#*'];

/** Happenings where they stand, by their keys. */
export const readPlaces = getItems(...places);
/** Carries what happened to the bus and into the logs. */
export const project = [
  getItem('LOG#*'),
  readPlaces,
  query(...places),
  transact('LOG#*'),
  transact(...places),
  query('ENDPOINTS'),
  on('events', arnOf('EventBus'))('PutEvents'),
];
/** Carries what the stream did not: it goes through all that tells of something. */
export const repair = [...project, getItem('POLICIES', 'REPAIR#*'), query('UNLISTED'), transact('REPAIR#*')];

/** It talks to strangers: of all that is kept it reaches what happened, endpoints, and what became of events. */
export const deliver = [
  getItem('ENDPOINTS', 'ENDPOINTSECRETS#*', 'FEED#*', 'SENT#*'),
  query('LOG#*', 'LANES#*', ...places),
  transact('ENDPOINTS', 'ENDPOINT#*', 'LANES#*', 'SENT#*'),
  update('FEED#*'),
  remove('FEED#*', 'LANES#*'),
  onOutbox('SendMessage'),
  // Lambda's, as above.
  onOutbox('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
export const wake = [query('ENDPOINTS'), getItems('LOG#*', 'FEED#*'), onOutbox('SendMessage')];
