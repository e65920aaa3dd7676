import { arnOf, keyed, on } from './permission.ts';
import { readProofs, readShopTokens } from './secrets.ts';
import { getItems, onTable, query, queryIndex, remove, transact, update } from './table.ts';

/* Everybody can post to the hooks: what answers there reaches deliveries, and nothing of the returns beside them. */

const onInbox = on('sqs', arnOf('InboxQueue'));
/** Bodies of deliveries that are too large for their rows. */
export const onBodies = on('s3', { 'Fn::Sub': '${InboxBucket.Arn}/deliveries/*' });
/** Without it S3 says of an object that is missing that it is forbidden. */
export const knowMissingBodies = on('s3', arnOf('InboxBucket'))('ListBucket');
const onDeadLetters = on('sqs', arnOf('InboxDeadLetters'));
export const listInbox = [
  getItems('INBOX#*'),
  query('INBOXOF#*'),
  ...['byCreation', 'byStatus'].map((name) => queryIndex(name, 'DELIVERIES#*')),
];
const rememberAnswer = keyed(onTable('GetItem', 'PutItem'), 'IDEMPOTENCY#*');
export const replay = [keyed(onTable('GetItem', 'UpdateItem'), 'INBOX#*'), rememberAnswer, onInbox('SendMessage')];
export const replayRange = [
  keyed(onTable('BatchGetItem', 'UpdateItem'), 'INBOX#*'),
  query('INBOXOF#*'),
  queryIndex('byStatus', 'DELIVERIES#*'),
  rememberAnswer,
  onInbox('SendMessage'),
];
export const redrive = [
  ...replay,
  onDeadLetters('ReceiveMessage', 'ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes'),
];
export const receive = [
  readProofs,
  keyed(onTable('GetItem', 'PutItem'), 'INBOX#*', 'INBOXBODY#*'),
  onBodies('PutObject'),
  onInbox('SendMessage'),
];
const onEvents = on('sqs', arnOf('EventsQueue'));
export const receiveEvents = [
  ...receive,
  // Lambda's, which feeds the function under the function's own role, and puts aside what it failed at.
  onEvents('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
  on('sqs', arnOf('EventsDeadLetters'))('SendMessage'),
];
export const workOff = [
  readShopTokens,
  keyed(onTable('GetItem', 'UpdateItem'), 'INBOX#*'),
  transact('INBOXOF#*'),
  onBodies('GetObject'),
  knowMissingBodies,
  onInbox('ChangeMessageVisibility'),
  onDeadLetters('SendMessage'),
  // Lambda's, which feeds the function under the function's own role.
  onInbox('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];

/** Reads or makes the key of the names in deliveries. Only the worker of erasures reads it as well. */
export const nameDeliveries = keyed(onTable('GetItem', 'PutItem'), 'INBOXNAMES');

/** Announces again what has waited too long: it learns of keys, and of nothing that was delivered. */
export const sweep = [queryIndex('byDeadline', 'DELIVERIES#*'), update('INBOX#*'), onInbox('SendMessage')];

/** Puts into the inbox what shops tell when they are asked. */
export const reconcile = [
  readShopTokens,
  keyed(onTable('GetItem', 'PutItem'), 'INBOX#*', 'RECONCILE#*'),
  onInbox('SendMessage'),
];

/** Deletes what its time is over of, and what leads there. */
export const purge = [
  queryIndex('byCreation', 'DELIVERIES#*'),
  keyed(onTable('BatchGetItem', 'DeleteItem'), 'INBOX#*'),
  remove('INBOXOF#*', 'INBOXBODY#*'),
];
