import { arnOf, inPartitions, actionsOn } from './permission.ts';
import { readWebhookSecrets, readShopTokens } from './secrets.ts';
import { getItems, onTable, query, queryIndex, remove, transact, update } from './table.ts';

/* The hooks are public, so the receiver can reach deliveries and no returns. */

const onInbox = actionsOn('sqs', arnOf('InboxQueue'));
/** The bodies of deliveries that are too large for their rows. */
export const onBodies = actionsOn('s3', { 'Fn::Sub': '${InboxBucket.Arn}/deliveries/*' });
/** Without this permission S3 responds with 403 to a missing object. */
export const listInboxBucket = actionsOn('s3', arnOf('InboxBucket'))('ListBucket');
const onDeadLetters = actionsOn('sqs', arnOf('InboxDeadLetters'));
export const listInbox = [
  getItems('INBOX#*'),
  query('INBOXOF#*'),
  ...['byCreation', 'byStatus', 'byDeadline'].map((name) => queryIndex(name, 'DELIVERIES#*')),
];
const storeResponse = inPartitions(onTable('GetItem', 'PutItem'), 'IDEMPOTENCY#*');
export const replay = [
  inPartitions(onTable('GetItem', 'UpdateItem'), 'INBOX#*'),
  storeResponse,
  onInbox('SendMessage'),
];
export const replayRange = [
  inPartitions(onTable('BatchGetItem', 'UpdateItem'), 'INBOX#*'),
  query('INBOXOF#*'),
  queryIndex('byStatus', 'DELIVERIES#*'),
  storeResponse,
  onInbox('SendMessage'),
];
export const redrive = [
  ...replay,
  onDeadLetters('ReceiveMessage', 'ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes'),
];
/** The actions of a redrive on a dead-letter queue. */
export const takeFrom = (deadLetters: string) =>
  actionsOn('sqs', arnOf(deadLetters))(
    'ReceiveMessage',
    'ChangeMessageVisibility',
    'DeleteMessage',
    'GetQueueAttributes',
  );
export const countMessages = (...queues: readonly string[]) =>
  queues.map((queue) => actionsOn('sqs', arnOf(queue))('GetQueueAttributes'));
/** The dead-letter queues of both modes. */
export const redriveCommonQueues = [
  ...redrive,
  takeFrom('EventsDeadLetters'),
  actionsOn('sqs', arnOf('EventsQueue'))('SendMessage'),
];
const storeDelivery = [
  readWebhookSecrets,
  inPartitions(onTable('GetItem', 'PutItem'), 'INBOX#*'),
  onBodies('PutObject'),
  onInbox('SendMessage'),
];
export const receiveWebhook = [...storeDelivery, inPartitions(onTable('GetItem', 'PutItem'), 'PROVENKEYS#*')];
const onEvents = actionsOn('sqs', arnOf('EventsQueue'));
export const receiveEvents = [
  ...storeDelivery,
  // Used by Lambda, which feeds the function under its role and dead-letters failed events.
  onEvents('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
  actionsOn('sqs', arnOf('EventsDeadLetters'))('SendMessage'),
];
export const processDeliveries = [
  readShopTokens,
  inPartitions(onTable('GetItem', 'UpdateItem'), 'INBOX#*'),
  transact('INBOXOF#*'),
  onBodies('GetObject'),
  listInboxBucket,
  onInbox('ChangeMessageVisibility'),
  onDeadLetters('SendMessage'),
  // Used by Lambda, which feeds the function under its role.
  onInbox('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];

/** Reads or makes the key of the names in deliveries. Only the worker of erasures reads it as well. */
export const createNameKey = inPartitions(onTable('GetItem', 'PutItem'), 'INBOXNAMES');

/** Enqueues delayed deliveries again. It reads keys, but no content of deliveries. */
export const sweepInbox = [queryIndex('byDeadline', 'DELIVERIES#*'), update('INBOX#*'), onInbox('SendMessage')];

/** Stores the changes of shops in the inbox. */
export const reconcilePlatforms = [
  readShopTokens,
  inPartitions(onTable('GetItem', 'PutItem'), 'INBOX#*', 'RECONCILE#*'),
  onInbox('SendMessage'),
];

/** Deletes expired deliveries, and the rows that name them. */
export const purgeInbox = [
  ...['byCreation', 'byDeadline'].map((name) => queryIndex(name, 'DELIVERIES#*')),
  inPartitions(onTable('BatchGetItem', 'DeleteItem'), 'INBOX#*'),
  remove('INBOXOF#*'),
];
