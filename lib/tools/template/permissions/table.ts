import { inPartitions, actionsOn, type Permission } from './permission.ts';
import { readHistoryKeys, readReceiptKeys, readSearchKeys, searchCondition } from './secrets.ts';

/*
 * The only table. The partition key shows the kind of an item (lib/store/schema.md). Every permission on items names
 * partitions, so a compromised function reaches only those that its operation needs.
 */

/** The condition under which the stack makes the table. Otherwise the parameter ExistingTable names it. */
export const tableCondition = 'MakesTable';
const ofTable = (own: object, existing: object) => ({ 'Fn::If': [tableCondition, own, existing] });

/** The name of the table. */
export const tableName = ofTable({ Ref: 'Table' }, { Ref: 'ExistingTable' });

/** The ARN of the table, of the stack or existing. */
const tableArn = ofTable(
  { 'Fn::GetAtt': ['Table', 'Arn'] },
  { 'Fn::Sub': 'arn:${AWS::Partition}:dynamodb:${AWS::Region}:${AWS::AccountId}:table/${ExistingTable}' },
);
/** The ARN of the table's stream. Only the standalone mode reads it. */
export const tableStreamArn = ofTable({ 'Fn::GetAtt': ['Table', 'StreamArn'] }, { Ref: 'ExistingTableStreamArn' });

/** Actions on the table that touch no items, or that `inPartitions` restricts. */
export const onTable = actionsOn('dynamodb', tableArn);

/** Actions on items in partitions that match one of these. */
const items =
  (...actions: readonly string[]) =>
  (...partitions: readonly string[]) =>
    inPartitions(onTable(...actions), ...partitions);

export const getItem = items('GetItem');
export const getItems = items('BatchGetItem');
export const query = items('Query');
/** A transaction has no action of its own: it needs the permissions of its items. */
export const transact = items('PutItem');
export const update = items('UpdateItem');
export const remove = items('DeleteItem');

/** Queries an index, in partitions of the index key that match one of these. */
export const queryIndex = (name: string, ...partitions: readonly string[]) =>
  inPartitions(actionsOn('dynamodb', { 'Fn::Join': ['', [tableArn, `/index/${name}`]] })('Query'), ...partitions);

/** The list of users, with the last name of each. */
export const users = 'USERS';
/** The names of signed-in users. */
export const userNames = 'USER#*';
/**
 * Stores the name of the user for an operation that records its actor. It reads the salt of the user's digests, and no
 * name. The entry holds the digest of the name, so a name that another function writes is not shown.
 */
export const storeUserName: readonly Permission[] = [update('USERSALT#*'), transact(userNames, users)];

/** The condition of a deployment that asks shops to do something. */
export const writeBackCondition = 'WritesBack';
/** Stores what a command wants at the shop of the order. A command that a shop has caused wants nothing. */
export const storeIntents: Permission = { ...transact('WRITEBACK#*'), condition: writeBackCondition };

/**
 * A command on a return. It reads and writes the return with its history, its order, and the stored response. History
 * entries need a key.
 */
export const command = [
  getItem('RETURN#*', 'IDEMPOTENCY#*'),
  query('RETURN#*', 'ORDER#*'),
  transact('RETURN#*', 'ORDER#*', 'IDEMPOTENCY#*'),
  ...readHistoryKeys,
];
/** A command with texts: it may write personal data, and read none. */
export const commandWithTexts = [...command, transact('PII#*')];

/** Reads and writes policies with their documents, and decisions. */
export const readPolicies = getItem('POLICIES', 'POLICY#*');
export const writePolicies = transact('POLICIES', 'POLICY#*');
export const readReasons = getItem('REASONS');
export const readDecisions = getItem('DECISIONS#*');
export const writeDecisions = transact('DECISIONS#*');
/** Reads and writes the stored response of an idempotency key. */
export const replayResponse = [getItem('IDEMPOTENCY#*'), transact('IDEMPOTENCY#*')];

/** The journal of commands to a Returns Service, in the connected mode with an adapter. */
export const journal = [...replayResponse, remove('IDEMPOTENCY#*')];

/** Lists returns by an index. An index with keys only needs the summaries of the snapshots too. */
export const queryByOrder = queryIndex('byOrder', 'ORDER#*');
/** Counts earlier returns of a customer, for a policy. */
export const queryByCustomer = queryIndex('byCustomer', 'CUSTOMER#*');
/** Lists the returns of an assignee. */
const queryByAssignee = queryIndex('byAssignee', 'ASSIGNED#*', 'DONE#*');
export const queryByCreation = queryIndex('byCreation', 'RETURNS#*');
export const queryByUpdate = queryIndex('byUpdate', 'RETURNS#*');
export const queryByDeadline = queryIndex('byDeadline', 'RETURNS#*');
export const queryByStatus = queryIndex('byStatus', 'OPEN#*', 'UNSETTLED#*');
export const getSummaries = getItems('RETURN#*');

/** Reads the input of a policy decision on a return. A policy may read the earlier returns of the customer. */
export const evaluatePolicies = [
  readPolicies,
  readReasons,
  queryByCustomer,
  getItems('RETURN#*', 'ORDER#*', 'ERASED#*'),
];

const ifSearched = (permission: Permission): Permission => ({ ...permission, condition: searchCondition });
/** The rows by which the search finds persons. They are deleted also after the search was switched off. */
const searchRows = 'SEARCH#*';
export const deleteSearchRows = remove(searchRows);
/** Writes the rows by which the search finds a person. */
const writeSearchRows = [ifSearched(transact(searchRows)), deleteSearchRows, ...readSearchKeys];
/** Writes the persons of returns to the search. */
export const indexCustomers = [
  ...[queryByUpdate, getItems('PII#*'), update('PII#*')].map(ifSearched),
  ...writeSearchRows,
];

/** Re-evaluates the open returns of an order with its new facts. */
export const registerOrder = [
  getItem('RETURN#*', 'PII#*'),
  query('ORDER#*'),
  ...evaluatePolicies,
  readDecisions,
  transact('ORDER#*', 'ORDERNUMBER#*', 'RETURN#*', 'PII#*'),
  writeDecisions,
  queryByOrder,
  ...readHistoryKeys,
  ...writeSearchRows,
];
/** A new return adds markers that make its names unique, its texts, and its decision. */
export const createReturn = [
  ...commandWithTexts,
  ...evaluatePolicies,
  getItem('EXTERNAL#*'),
  transact('EXTERNAL#*', 'RMA#*'),
  writeDecisions,
];
/** A return of another system, with its order. No policy decides. */
export const importReturn = [
  getItem('RETURN#*', 'PII#*', 'EXTERNAL#*', 'ORDER#*'),
  query('RETURN#*', 'ORDER#*'),
  readReasons,
  transact('RETURN#*', 'ORDER#*', 'ORDERNUMBER#*', 'PII#*', 'EXTERNAL#*', 'RMA#*'),
  ...readHistoryKeys,
  ...writeSearchRows,
];
/** Shows a return with its personal data. */
export const getReturn = [getItem('RETURN#*', 'PII#*'), getItems(userNames), query('RETURN#*', 'PII#*', 'ORDER#*')];
/** Lists returns, and finds returns by one number. */
export const listReturns = [
  getItem('RETURN#*', 'EXTERNAL#*', 'RMA#*'),
  getSummaries,
  getItems('PII#*'),
  query('TRACKING#*', 'ORDERNUMBER#*'),
  queryByOrder,
  queryByCustomer,
  queryByAssignee,
  queryByStatus,
  queryByCreation,
  queryByUpdate,
  queryByDeadline,
];

/** Finds returns and orders by an id or a number. */
export const findReturns = [
  getItem('RETURN#*', 'EXTERNAL#*', 'RMA#*'),
  getSummaries,
  getItems('ORDER#*', 'PII#*'),
  query('TRACKING#*', 'ORDERNUMBER#*'),
  queryByOrder,
  queryByStatus,
];
/** Finds returns and orders by the name or the address of a customer. */
export const searchCustomers = [
  ...[query(searchRows, 'PII#*'), getItems('ORDER#*', 'PII#*')].map(ifSearched),
  queryByCustomer,
  queryByOrder,
  getSummaries,
  ...readSearchKeys,
];

/**
 * The files of evidence, below their return. A function signs an address without a call; a client with the address acts
 * with this permission.
 */
export const onEvidence = actionsOn('s3', { 'Fn::Sub': '${EvidenceBucket.Arn}/pii/*' });

/** Reads and writes the checkpoint of a schedule. */
export const useCheckpoint = inPartitions(onTable('GetItem', 'PutItem'), 'SCHEDULE#*');

/*
 * Withdrawals. A declaration is personal data from the first moment: its texts are in a partition of their own, and only
 * the functions that show or erase them read it.
 */

/** The texts of declarations, and no other personal data. */
const declarations = 'PII#withdrawal%3A*';
/** Writes texts of a declaration. */
export const writeDeclarations = transact(declarations);
/** Reads the texts of a declaration. */
export const readDeclarations = query(declarations);
/** Reads the texts of many declarations, for a list. */
export const listDeclarations = getItems(declarations);

/** A command on a withdrawal: the withdrawal with its history, and the stored response. */
export const withdrawalCommand = [
  getItem('WITHDRAWAL#*', 'IDEMPOTENCY#*'),
  transact('WITHDRAWAL#*', 'IDEMPOTENCY#*'),
  ...readHistoryKeys,
];
/** Carries out a withdrawal: it holds units of the order, or makes a return. */
export const carryOutWithdrawal = [
  ...createReturn,
  query('ORDER#*'),
  getItem('WITHDRAWAL#*'),
  transact('WITHDRAWAL#*'),
];
export const matchWithdrawal = [...withdrawalCommand, ...carryOutWithdrawal];
/**
 * Matches withdrawals by rule. It compares the texts of the consumer with the orders of their number. So it is the only
 * role of withdrawals that reads customers: one item for each order, and none of their texts.
 */
export const matchWithdrawals = [
  ...matchWithdrawal,
  query('ORDERNUMBER#*'),
  readDeclarations,
  getItem('PII#*'),
  queryIndex('byDeadline', 'SEARCHES#*'),
  update('WITHDRAWAL#*'),
  remove('WITHDRAWAL#*'),
];
/** Stores a declaration with its texts and the markers that find equal ones. */
export const declareWithdrawal = [
  ...withdrawalCommand,
  getItems('DECLARED#*'),
  transact('DECLARED#*'),
  writeDeclarations,
  ...readReceiptKeys,
];
/** Reads a withdrawal with the texts of the consumer. */
export const readWithdrawal = [getItem('WITHDRAWAL#*'), readDeclarations];
/** Makes the message of an event: for a receipt of the texts of its consumer, else of a customer and their order. */
export const readMessage = [
  getItem('RETURN#*', 'WITHDRAWAL#*', 'PII#*'),
  getItems('RETURN#*', 'WITHDRAWAL#*'),
  query('ORDER#*', 'PII#*'),
];
/** Lists withdrawals: the newest first, for lists and trees, or those that changed last. */
export const queryWithdrawals = queryIndex('byCreation', 'WITHDRAWALS#*');
export const queryChangedWithdrawals = queryIndex('byUpdate', 'WITHDRAWALS#*');
export const getWithdrawals = getItems('WITHDRAWAL#*');
/** Shows the history of a withdrawal with its decrypted actors. */
export const readWithdrawalHistory = [query('WITHDRAWAL#*'), getItem('ERASED#*', declarations)];
/** Compares a withdrawal with its history, its texts and the last tree. */
export const verifyWithdrawal = [
  getItem('WITHDRAWAL#*', 'ERASED#*', 'SCHEDULE#*'),
  query('WITHDRAWAL#*', declarations),
  ...readHistoryKeys,
];
/** Reminds of unsent receipts. It sees from a mark whether the texts are erased, and reads no text. */
export const remindReceipts = [
  getItem('WITHDRAWAL#*', 'ERASED#*'),
  queryIndex('byDeadline', 'WITHDRAWALS#*'),
  transact('WITHDRAWAL#*'),
  update('WITHDRAWAL#*'),
  ...readHistoryKeys,
];
