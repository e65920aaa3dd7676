import { arnOf, inPartitions, actionsOn } from './permission.ts';
import { readHistoryKeys } from './secrets.ts';

/*
 * The table is one, and its partitions tell what an item is of (lib/store/schema.md). Every permission on items names the
 * partitions that it is for: a function that somebody else has taken over reaches nothing but what its operation needs.
 */

/** Actions on the table that touch no items, or that `keyed` restricts to some. */
export const onTable = actionsOn('dynamodb', arnOf('Table'));

/** Actions on items in partitions like these. */
const items =
  (...actions: readonly string[]) =>
  (...partitions: readonly string[]) =>
    inPartitions(onTable(...actions), ...partitions);

export const getItem = items('GetItem');
export const getItems = items('BatchGetItem');
export const query = items('Query');
/** A transaction has no action of its own: it may do what its items may. */
export const transact = items('PutItem');
export const update = items('UpdateItem');
export const remove = items('DeleteItem');

/** An index, in partitions of its own key like these. */
export const queryIndex = (name: string, ...partitions: readonly string[]) =>
  inPartitions(actionsOn('dynamodb', { 'Fn::Sub': `\${Table.Arn}/index/${name}` })('Query'), ...partitions);

/** What a command on a return reads and writes: the return with its history, whose entries are keyed, its order, and the answer to a repeat. */
export const command = [
  getItem('RETURN#*', 'IDEMPOTENCY#*'),
  query('RETURN#*', 'ORDER#*'),
  transact('RETURN#*', 'ORDER#*', 'IDEMPOTENCY#*'),
  ...readHistoryKeys,
];
/** A command with texts: it may write what is personal, and read none of it. */
export const commandWithTexts = [...command, transact('PII#*')];
/** Who a customer is, and the texts of a return. */
export const readPersonal = [getItem('PII#*'), query('PII#*')];

/** Policies with what they say, and decisions by them. */
export const readPolicies = getItem('POLICIES', 'POLICY#*');
export const writePolicies = transact('POLICIES', 'POLICY#*');
export const readReasons = getItem('REASONS');
export const readDecisions = getItem('DECISIONS#*');
export const writeDecisions = transact('DECISIONS#*');
/** The answer to a repeat. */
export const replayResponse = [getItem('IDEMPOTENCY#*'), transact('IDEMPOTENCY#*')];

/** The lists of returns, each by its index, and the summaries of what an index holds only keys of. */
export const queryByOrder = queryIndex('byOrder', 'ORDER#*');
/** How often a customer returned before, where a policy asks. */
export const queryByCustomer = queryIndex('byCustomer', 'CUSTOMER#*');
export const queryByCreation = queryIndex('byCreation', 'RETURNS#*');
export const queryByUpdate = queryIndex('byUpdate', 'RETURNS#*');
export const queryByDeadline = queryIndex('byDeadline', 'RETURNS#*');
const queryByStatus = queryIndex('byStatus', 'STATUS#*');
export const getSummaries = getItems('RETURN#*');

/** A return whose policy decides, and what the decision rests on. */
export const evaluatePolicies = [readPolicies, readReasons, queryByCustomer];

/** Judges an order's open returns once more, with its new facts. */
export const registerOrder = [
  getItem('RETURN#*', 'PII#*'),
  query('ORDER#*'),
  ...evaluatePolicies,
  readDecisions,
  transact('ORDER#*', 'RETURN#*', 'PII#*'),
  writeDecisions,
  queryByOrder,
  ...readHistoryKeys,
];
/** What a new return brings with it: markers that make its names unique, its texts, and the decision on it. */
export const createReturn = [
  ...commandWithTexts,
  ...evaluatePolicies,
  getItem('EXTERNAL#*'),
  transact('EXTERNAL#*', 'RMA#*'),
  writeDecisions,
];
/** Brings orders and returns to where a platform has them, by the same operations as a caller. */
export const syncPlatforms = [
  ...registerOrder,
  ...createReturn,
  ...readPersonal,
  getSummaries,
  getItem('ORDER#*'),
  transact('TRACKING#*'),
  remove('TRACKING#*'),
];
/** Lists of returns, and those that one number leads to. */
export const listReturns = [
  getItem('RETURN#*', 'EXTERNAL#*', 'RMA#*'),
  getSummaries,
  query('TRACKING#*'),
  queryByOrder,
  queryByCustomer,
  queryByStatus,
  queryByCreation,
  queryByUpdate,
  queryByDeadline,
];

/** Files of evidence, which lie below their subject. Addresses are signed without a call; who follows one may do this. */
export const onEvidence = actionsOn('s3', { 'Fn::Sub': '${EvidenceBucket.Arn}/pii/*' });

/** How far a schedule has come. */
export const useCheckpoint = inPartitions(onTable('GetItem', 'PutItem'), 'SCHEDULE#*');
