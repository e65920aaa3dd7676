import { describe, expect, it } from 'vitest';
import { itemsOfTransaction, readsOf } from './recorded.ts';

const item = { pk: { S: 'A' }, version: { N: '12' } };
const reads = [
  { operation: 'GetItem', sent: {} },
  { operation: 'Query', sent: {} },
];
const transaction = (...TransactItems: readonly object[]) => ({
  operation: 'TransactWriteItems',
  sent: { TransactItems },
});

describe('itemsOfTransaction', () => {
  it('returns the items of the transaction in their order', () => {
    const other = { pk: { S: 'B' } };
    const calls = [...reads, transaction({ Put: { Item: item } }, { Put: { Item: other } })];
    expect(itemsOfTransaction(calls)).toEqual([item, other]);
  });

  it.each([
    ['no write', reads],
    ['another write', [...reads, { operation: 'PutItem', sent: {} }]],
    ['a second transaction', [transaction(), transaction()]],
  ])('rejects %s', (_, calls) => {
    expect(() => itemsOfTransaction(calls)).toThrow('not one transaction: ');
  });

  it('rejects a transaction with another action', () =>
    expect(() => itemsOfTransaction([transaction({ Delete: {} })])).toThrow('does more than put items'));
});

describe('readsOf', () => {
  it('returns keys and conditions in their order, with the texts of the recorded return replaced by their names', () => {
    const get = { operation: 'GetItem', sent: { TableName: 't', Key: { pk: { S: 'RETURN#ret_1' }, sk: { S: 'S' } } } };
    const values = { ':pk': { S: 'ORDER#web#7' }, ':from': { S: 'FACTS' } };
    const query = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: values };
    const calls = [get, { operation: 'Query', sent: { TableName: 't', ...query } }, transaction()];
    expect(readsOf(calls, { orderKey: 'ORDER#web#7', returnId: 'ret_1' })).toEqual([
      { Key: { pk: { S: 'RETURN#{returnId}' }, sk: { S: 'S' } } },
      { ...query, ExpressionAttributeValues: { ...values, ':pk': { S: '{orderKey}' } } },
    ]);
  });
});
