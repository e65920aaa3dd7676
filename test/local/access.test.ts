import { describe, expect, test } from 'vitest';
import { requestOf } from '../../lib/local/emulators/access.ts';
import { secretArn } from '../../lib/local/cloudformation/deployment.ts';

const table = 'arn:aws:dynamodb:eu-central-1:000000000000:table/t';
const queue = 'arn:aws:sqs:eu-central-1:000000000000:q';
const keys = new Map([
  [table, 'pk'],
  [`${table}/index/byCustomer`, 'customer'],
]);
const S = (text: string) => ({ S: text });
const accesses = (target: string, input: object) => requestOf(target, JSON.stringify(input), keys)?.accesses;

describe('dynamodb', () => {
  const Key = { pk: S('A#1'), sk: S('x') };
  test.each(['GetItem', 'UpdateItem', 'DeleteItem'])('maps %s to the partition of its key', (operation) => {
    expect(accesses(`DynamoDB_20120810.${operation}`, { TableName: 't', Key })).toEqual([
      { action: `dynamodb:${operation}`, resource: table, partitions: ['A#1'] },
    ]);
  });

  test('maps PutItem to the partition of its item, and accepts a table by its ARN', () => {
    expect(accesses('DynamoDB_20120810.PutItem', { TableName: table, Item: { ...Key, pk: { N: '7' } } })).toEqual([
      { action: 'dynamodb:PutItem', resource: table, partitions: ['7'] },
    ]);
  });

  test('maps a batch of reads to the partitions of all its keys', () => {
    const RequestItems = { t: { Keys: [Key, { ...Key, pk: S('B#2') }] } };
    expect(accesses('DynamoDB_20120810.BatchGetItem', { RequestItems })).toEqual([
      { action: 'dynamodb:BatchGetItem', resource: table, partitions: ['A#1', 'B#2'] },
    ]);
  });

  test('maps a transaction to the permissions of its items', () => {
    const TransactItems = [
      { Put: { TableName: 't', Item: Key } },
      { Update: { TableName: 't', Key } },
      { Delete: { TableName: 't', Key } },
      { ConditionCheck: { TableName: 't', Key: { ...Key, pk: S('B#2') } } },
    ];
    expect(accesses('DynamoDB_20120810.TransactWriteItems', { TransactItems })).toEqual([
      { action: 'dynamodb:PutItem', resource: table, partitions: ['A#1'] },
      { action: 'dynamodb:UpdateItem', resource: table, partitions: ['A#1'] },
      { action: 'dynamodb:DeleteItem', resource: table, partitions: ['A#1'] },
      { action: 'dynamodb:ConditionCheckItem', resource: table, partitions: ['B#2'] },
    ]);
    expect(
      accesses('DynamoDB_20120810.TransactGetItems', { TransactItems: [{ Get: { TableName: 't', Key } }] }),
    ).toEqual([{ action: 'dynamodb:GetItem', resource: table, partitions: ['A#1'] }]);
  });

  test.each([
    ['a literal name', { KeyConditionExpression: 'sk > :from AND pk = :pk' }, {}],
    ['a name by its placeholder', { KeyConditionExpression: '#p=:pk', ExpressionAttributeNames: { '#p': 'pk' } }, {}],
    [
      'the key of an index',
      { KeyConditionExpression: 'customer = :pk', IndexName: 'byCustomer' },
      { resource: `${table}/index/byCustomer` },
    ],
  ])('maps Query to the partition of its condition: %s', (_, input, expected) => {
    const values = { ExpressionAttributeValues: { ':pk': S('A#1'), ':from': S('0') } };
    expect(accesses('DynamoDB_20120810.Query', { TableName: 't', ...values, ...input })).toEqual([
      { action: 'dynamodb:Query', resource: table, partitions: ['A#1'], ...expected },
    ]);
  });

  test('maps Scan to no partition', () => {
    expect(accesses('DynamoDB_20120810.Scan', { TableName: 't' })).toEqual([
      { action: 'dynamodb:Scan', resource: table },
    ]);
  });
});

test.each([
  ['dynoxide', Buffer.from(JSON.stringify({ table_name: 't', shard: 1 })).toString('base64')],
  [
    'DynamoDB Local',
    'arn:aws:dynamodb:ddblocal:000000000000:table/t/stream/2026-11-23T21:11:25.098|001|c2hhcmRJZC0wMDAwMDAwMQ==',
  ],
])('streams: maps GetRecords to the stream of the iterator of %s', (_, ShardIterator) => {
  expect(accesses('DynamoDBStreams_20120810.GetRecords', { ShardIterator })).toEqual([
    { action: 'dynamodb:GetRecords', resource: expect.stringMatching(/:table\/t\/stream\//) },
  ]);
});

test('sqs: maps a batch to the permission of one message', () => {
  const input = { QueueUrl: 'http://127.0.0.1:1/000000000000/q' };
  for (const operation of ['DeleteMessage', 'DeleteMessageBatch']) {
    expect(accesses(`AmazonSQS.${operation}`, input)).toEqual([{ action: 'sqs:DeleteMessage', resource: queue }]);
  }
});

test('secrets manager: maps a secret by its name or its ARN', () => {
  const expected = [{ action: 'secretsmanager:GetSecretValue', resource: secretArn('a/b') }];
  expect(accesses('secretsmanager.GetSecretValue', { SecretId: 'a/b' })).toEqual(expected);
  expect(accesses('secretsmanager.GetSecretValue', { SecretId: secretArn('a/b') })).toEqual(expected);
});

describe('streams', () => {
  const resource = 'arn:aws:dynamodb:eu-central-1:000000000000:table/t-1/stream/2026-01-01T00:00:00.000';
  const iterator = Buffer.from(JSON.stringify({ table_name: 't-1', position: 7 })).toString('base64');
  const StreamArn = 'arn:aws:dynamodb:elsewhere:000000000000:table/t-1/stream/1795348275.8';
  test.each([
    ['ListStreams', { TableName: 't-1' }],
    ['DescribeStream', { StreamArn }],
    ['GetShardIterator', { StreamArn, ShardId: 's' }],
    ['GetRecords', { ShardIterator: iterator }],
  ])('maps %s to the stream of its table, in any spelling of the engine', (operation, input) => {
    expect(accesses(`DynamoDBStreams_20120810.${operation}`, input)).toEqual([
      { action: `dynamodb:${operation}`, resource },
    ]);
  });
});

test('event bridge: maps each bus once, by its name or its ARN', () => {
  const bus = 'arn:aws:events:eu-central-1:000000000000:event-bus/';
  const Entries = [{}, { EventBusName: 'a' }, { EventBusName: `${bus}a` }];
  expect(accesses('AWSEvents.PutEvents', { Entries })).toEqual(
    ['default', 'a'].map((name) => ({ action: 'events:PutEvents', resource: `${bus}${name}` })),
  );
});

test.each([
  '',
  'DynamoDB_20120810',
  'DynamoDB_20120810.ExecuteStatement',
  'AWSEvents.PutRule',
  'DynamoDBStreams_20120810.Other',
])('access mapping fails for an unknown request: %o', (target) => {
  expect(requestOf(target, '{}', keys)).toBeUndefined();
});
