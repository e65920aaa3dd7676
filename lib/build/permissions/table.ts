import { arnOf, keyed, on } from './permission.ts';

export const onTable = on('dynamodb', arnOf('Table'));
/** A return, a person, an external reference, the answer to an idempotency key. */
export const getItem = onTable('GetItem');
/** A partition: an order with its ledger, a history, the texts of a return. */
export const query = onTable('Query');
/** A transaction has no action of its own: it may do what its items may. */
export const transact = onTable('PutItem');
export const command = [getItem, query, transact];
/** The lists, each by its index, and the summaries of what an index holds only keys of. */
export const queryIndexes = ['byOrder', 'byCustomer', 'byStatus', 'byCreation', 'byUpdate', 'byDeadline'].map((name) =>
  on('dynamodb', { 'Fn::Sub': `\${Table.Arn}/index/${name}` })('Query'),
);

/** The returns of an order. */
export const queryByOrder = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byOrder' })('Query');

/** How often a customer returned before, where a policy asks. */
export const queryByCustomer = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byCustomer' })('Query');

/** Files of evidence, which lie below their subject. Addresses are signed without a call; who follows one may do this. */
export const onEvidence = on('s3', { 'Fn::Sub': '${EvidenceBucket.Arn}/pii/*' });

/** How far a schedule has come. */
export const goOn = keyed(onTable('GetItem', 'PutItem'), 'SCHEDULE#*');
export const queryByDeadline = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byDeadline' })('Query');
export const queryByUpdate = on('dynamodb', { 'Fn::Sub': '${Table.Arn}/index/byUpdate' })('Query');
