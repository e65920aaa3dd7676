import { actionsOn, arnOf, inPartitions, type Permission } from './permission.ts';
import { readEffectTokens } from './secrets.ts';
import {
  getItem,
  getItems,
  onTable,
  query,
  queryIndex,
  remove,
  transact,
  update,
  writeBackCondition,
} from './table.ts';

/* Intents and the settings of shops. Only one function may write to shops, and it reaches no delivery. */

export const onWriteBack = actionsOn('sqs', arnOf('WriteBackQueue'));

/** Reads whether a request to the shop of an order is on its way. */
export const readIntents: Permission = {
  ...inPartitions(onTable('GetItem', 'Query'), 'WRITEBACK#*'),
  condition: writeBackCondition,
};

/** Lists the intents of all orders. */
export const listAllIntents = [getItems('WRITEBACK#*'), queryIndex('byCreation', 'INTENTS#*')];

/** Reads an intent with the others of its order. */
export const getIntent = [...listAllIntents, query('WRITEBACK#*')];

/** Lists intents, of an order, in a status or all. */
export const listIntents = [...getIntent, queryIndex('byStatus', 'INTENTS#*')];

const writeIntent = transact('WRITEBACK#*', 'INTENT#*', 'UNLISTED');
/** Ends an intent with its event, and releases the next one of its order. */
export const resolveIntent = [...getIntent, writeIntent];
/** Opens an intent again. */
export const retryIntent = [...listAllIntents, writeIntent];

/** Asks shops, and reports to the return what they have done. */
export const writeBackShops = [
  readEffectTokens,
  getItem('WRITEBACKSETTING#*'),
  query('WRITEBACK#*'),
  update('WRITEBACK#*', 'WRITEBACKSETTING#*'),
  remove('WRITEBACK#*'),
  transact('WRITEBACK#*', 'INTENT#*', 'UNLISTED'),
  // Used by Lambda, which feeds the function under its role.
  onWriteBack('ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'),
];
