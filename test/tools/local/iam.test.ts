import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { secretArn } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { requestOf } from '../../../lib/tools/local/emulators/access.ts';
import type { Call } from '../../../lib/tools/local/emulators/call-record.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { startGuard } from '../../../lib/tools/local/emulators/guard.ts';
import { identitiesOf, partitionKeysOf } from '../../../lib/tools/local/emulators/identities.ts';
import { covers, permissionsOf, type Permission } from '../../../lib/tools/local/emulators/policy.ts';
import { createQueues } from '../../../lib/tools/local/emulators/queues.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import { type ExternalServices, startExternalServices } from '../../../lib/tools/local/external-services.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { allow, attributes, deployed, functionWith, keyOf, roleWith, tableWith } from './resources.ts';
import { folderOfFile } from './support.ts';

const Table = { 'Fn::GetAtt': ['Table', 'Arn'] };
const partitionsOf = (...patterns: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
const resources = {
  Queue: { Type: 'AWS::SQS::Queue' },
  Table: {
    Type: 'AWS::DynamoDB::Table',
    Properties: tableWith({
      AttributeDefinitions: attributes('pk', 'sk', 'customer'),
      GlobalSecondaryIndexes: [
        { IndexName: 'byCustomer', KeySchema: keyOf('customer'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
    }),
  },
  ...functionWith('all', [allow('*', '*')]),
  ...functionWith('write', [allow('dynamodb:PutItem', Table)]),
  ...functionWith('receive', [allow(['dynamodb:PutItem', 'dynamodb:GetItem'], Table, partitionsOf('INBOX#*'))]),
};

const TableName = 'returns-connected-Table';
const arn = `arn:aws:dynamodb:eu-central-1:000000000000:table/${TableName}`;
const closers = openClosers();
let services: ExternalServices;
let guard: Awaited<ReturnType<typeof startGuard>>;
let queueUrl = '';
const calls: Omit<Call, 'mode'>[] = [];

beforeAll(async () => {
  const dataDir = await folderOfFile(closers);
  services = await startExternalServices({ dataDir, ports: {}, emit: () => undefined, closers });
  const deployment = deployed(resources, { mode: 'connected', sqs: services.endpoints.sqs });
  await createTables(services.engine, deployment.ofType('AWS::DynamoDB::Table'));
  await createQueues(services.endpoints.sqs, deployment.ofType('AWS::SQS::Queue'));
  queueUrl = deployment.ofType('AWS::SQS::Queue')[0]?.local.ref ?? '';
  guard = await startGuard({
    upstream: services.endpoints,
    identities: identitiesOf(deployment, functionSpecs(deployment)),
    partitionKeys: partitionKeysOf(deployment),
    onCall: (call) => calls.push(call),
  });
  closers.add(guard.close);
});
afterAll(closers.close);
beforeEach(() => {
  calls.splice(0);
  // Rejections are written to the log of their mode.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

const settingsOf = (name: string, endpoint = guard.url) => ({
  ...clientSettings,
  endpoint,
  credentials: { accessKeyId: `returns-dev-${name}`, secretAccessKey: 'local' },
  maxAttempts: 1,
});
const tableOf = (name: string) => DynamoDBDocumentClient.from(new DynamoDBClient(settingsOf(name)));
const itemsNow = async () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(settingsOf('x', services.endpoints.dynamodb)));
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  return Items.map(({ pk }) => String(pk)).toSorted();
};

/** https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html */
describe('actions of IAM', () => {
  const Key = { pk: { S: 'A#1' }, sk: { S: 'x' } };
  const other = { pk: { S: 'B#2' }, sk: { S: 'x' } };
  const query = (KeyConditionExpression: string, more = {}) => ({
    KeyConditionExpression,
    ExpressionAttributeValues: { ':from': { S: '0' }, ':k': { S: 'A#1' } },
    ...more,
  });
  const keys = partitionKeysOf(deployed(resources, { mode: 'connected' }));
  const accessesOf = (target: string, input: object) =>
    requestOf(target, JSON.stringify(input), keys)?.accesses.map(({ action, resource, partitions = [] }) =>
      [action, resource, ...partitions].join(' '),
    );

  it.each<[string, object, ...string[]]>([
    ['PutItem', { Item: Key }, `PutItem ${arn} A#1`],
    ['GetItem', { Key }, `GetItem ${arn} A#1`],
    ['UpdateItem', { Key }, `UpdateItem ${arn} A#1`],
    ['DeleteItem', { Key }, `DeleteItem ${arn} A#1`],
    ['Query', query('sk > :from AND pk = :k'), `Query ${arn} A#1`],
    ['Query', query('#p=:k', { ExpressionAttributeNames: { '#p': 'pk' } }), `Query ${arn} A#1`],
    ['Query', query('customer = :k', { IndexName: 'byCustomer' }), `Query ${arn}/index/byCustomer A#1`],
    ['Scan', {}, `Scan ${arn}`],
    ['DescribeTable', {}, `DescribeTable ${arn}`],
    ['BatchGetItem', { RequestItems: { [TableName]: { Keys: [Key, other] } } }, `BatchGetItem ${arn} A#1 B#2`],
    ['TransactGetItems', { TransactItems: [{ Get: { TableName, Key } }] }, `GetItem ${arn} A#1`],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: { TableName, Item: Key } },
          { Update: { TableName, Key: other } },
          { Delete: { TableName, Key: other } },
          { ConditionCheck: { TableName, Key } },
        ],
      },
      `PutItem ${arn} A#1`,
      `UpdateItem ${arn} B#2`,
      `DeleteItem ${arn} B#2`,
      `ConditionCheckItem ${arn} A#1`,
    ],
  ])('are those of DynamoDB by table, index and partition: %s %#', (operation, input, ...accesses) => {
    const expected = accesses.map((access) => `dynamodb:${access}`);
    expect(accessesOf(`DynamoDB_20120810.${operation}`, { TableName, ...input })).toEqual(expected);
  });

  const stream = `${arn}/stream/2026-01-01T00:00:00.000`;
  // The spelling of DynamoDB Local. stream-world.ts reads that of dynoxide.
  const StreamArn = `arn:aws:dynamodb:ddblocal:000000000000:table/${TableName}/stream/2026`;
  const queue = 'arn:aws:sqs:eu-central-1:000000000000:returns-connected-Queue';
  const QueueUrl = 'http://127.0.0.1:1/000000000000/returns-connected-Queue';
  const bus = 'arn:aws:events:eu-central-1:000000000000:event-bus/';
  const secret = secretArn('returns/client');
  it.each<[string, object, ...string[]]>([
    ['DynamoDBStreams_20120810.ListStreams', { TableName }, `dynamodb:ListStreams ${stream}`],
    ['DynamoDBStreams_20120810.DescribeStream', { StreamArn }, `dynamodb:DescribeStream ${stream}`],
    ['DynamoDBStreams_20120810.GetShardIterator', { StreamArn }, `dynamodb:GetShardIterator ${stream}`],
    [
      'DynamoDBStreams_20120810.GetRecords',
      { ShardIterator: `${StreamArn}|001|c2hhcmQ=` },
      `dynamodb:GetRecords ${stream}`,
    ],
    ['AmazonSQS.SendMessage', { QueueUrl }, `sqs:SendMessage ${queue}`],
    ['AmazonSQS.DeleteMessageBatch', { QueueUrl }, `sqs:DeleteMessage ${queue}`],
    ['secretsmanager.GetSecretValue', { SecretId: 'returns/client' }, `secretsmanager:GetSecretValue ${secret}`],
    ['secretsmanager.GetSecretValue', { SecretId: secret }, `secretsmanager:GetSecretValue ${secret}`],
    [
      'AWSEvents.PutEvents',
      { Entries: [{}, { EventBusName: 'a' }, { EventBusName: `${bus}a` }] },
      `events:PutEvents ${bus}default`,
      `events:PutEvents ${bus}a`,
    ],
  ])('are those of a stream, a queue, a secret and a bus: %s %#', (target, input, ...accesses) => {
    expect(accessesOf(target, input)).toEqual(accesses);
  });
});

describe('roles of IAM', () => {
  it('reject what no statement permits, in the words of AWS', async () => {
    const Key = { pk: 'RETURN#1', sk: 'x' };
    const Item = { ...Key, text: 'x'.repeat(100_000) };
    await tableOf('write').send(new PutCommand({ TableName, Item }));
    await expect(tableOf('write').send(new GetCommand({ TableName, Key }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: `User: arn:aws:sts::000000000000:assumed-role/writeRole/returns-dev-write is not authorized to perform: dynamodb:GetItem on resource: ${arn} because no identity-based policy allows the dynamodb:GetItem action`,
      $metadata: { httpStatusCode: 400 },
    });
    const message = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'x' });
    await expect(new SQSClient(settingsOf('write')).send(message)).rejects.toMatchObject({
      name: 'AccessDeniedException',
      $metadata: { httpStatusCode: 403 },
    });
  });

  it('reject another partition than that of their condition, and the whole transaction with it', async () => {
    const put = (pk: string) => ({ Put: { TableName, Item: { pk, sk: 'x' } } });
    const send = async (name: string, ...TransactItems: object[]) =>
      tableOf(name).send(new TransactWriteCommand({ TransactItems }));
    const before = await itemsNow();
    await send('receive', put('INBOX#1'), put('INBOX#2'));
    await expect(send('receive', put('INBOX#3'), put('RETURN#9'))).rejects.toThrow('is not authorized');
    const check = { TableName, Key: { pk: 'INBOX#1', sk: 'x' }, ConditionExpression: 'attribute_exists(pk)' };
    await expect(send('write', put('A'), { ConditionCheck: check })).rejects.toThrow('dynamodb:ConditionCheckItem');
    expect((await itemsNow()).filter((pk) => !before.includes(pk))).toEqual(['INBOX#1', 'INBOX#2']);
  });

  it('belong to the caller, also among concurrent calls', async () => {
    const clients = { write: tableOf('write'), receive: tableOf('receive') };
    const puts = Array.from({ length: 20 }, (_, index) =>
      (['write', 'receive'] as const).map(async (name) => {
        const Item = { pk: `INBOX#${name}#${index}`, sk: 'x' };
        await clients[name].send(new PutCommand({ TableName, Item }));
      }),
    );
    await Promise.all(puts.flat());
    expect(calls).toHaveLength(40);
    expect(calls.filter((call) => !call.partitions?.[0]?.startsWith(`INBOX#${call.function}#`))).toEqual([]);
  });

  it('do not exist for unknown callers, and permit no operation that the local stack does not know', async () => {
    await expect(tableOf('unknown').send(new ScanCommand({ TableName }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
    const RequestItems = { [TableName]: [{ DeleteRequest: { Key: { pk: 'A', sk: 'x' } } }] };
    await expect(tableOf('all').send(new BatchWriteCommand({ RequestItems }))).rejects.toMatchObject({
      name: 'UnknownOperationException',
    });
    expect(calls).toEqual([]);
  });
});

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html */
describe('policies of IAM', () => {
  const permissionsIn = (statement: object, properties: object = {}) => {
    const Role = roleWith([statement], properties);
    const [role] = deployed({ Role }).ofType(Role.Type);
    return role && permissionsOf(role);
  };

  it('permit each action of a statement on each of its resources', () => {
    const partitions = ['INBOX#*'];
    expect(permissionsIn(allow(['a:1', 'a:2'], ['arn:a', 'arn:b'], partitionsOf('INBOX#*')))).toEqual(
      ['a:1', 'a:2'].flatMap((action) => ['arn:a', 'arn:b'].map((resource) => ({ action, resource, partitions }))),
    );
  });

  it('permit mails of one sender', () => {
    const Condition = { StringEquals: { 'ses:FromAddress': 'returns@shop.example' } };
    const granted = permissionsIn({ ...allow('ses:SendEmail', 'arn:ses:identity/*'), Condition });
    expect(granted).toEqual([
      { action: 'ses:SendEmail', resource: 'arn:ses:identity/*', sender: 'returns@shop.example' },
    ]);
    const mail = { action: 'ses:SendEmail', resource: 'arn:ses:identity/shop.example' };
    const may = (from: object) => granted?.some((one) => covers(one, { ...mail, ...from }));
    expect([may({ sender: 'returns@shop.example' }), may({ sender: 'eve@shop.example' }), may({})]).toEqual([
      true,
      false,
      false,
    ]);
  });

  const usual = allow('sqs:SendMessage', 'arn:q');
  const optional = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['INBOX#*'] } };
  const path = '/Policies/0/PolicyDocument/Statement/0';
  it.each([
    ['a denial', { ...usual, Effect: 'Deny' }, {}, `${path}/Effect`],
    ['all but some actions', { ...usual, NotAction: 'sqs:SendMessage' }, {}, `${path}/NotAction`],
    ['another key of a condition', { ...usual, Condition: { StringEquals: { a: 'b' } } }, {}, `${path}/Condition`],
    [
      'a second key besides the sender',
      { ...usual, Condition: { StringEquals: { 'ses:FromAddress': 'a', b: 'c' } } },
      {},
      `${path}/Condition`,
    ],
    ['keys that a request may leave out', { ...usual, Condition: optional }, {}, `${path}/Condition`],
    ['a managed policy', usual, { ManagedPolicyArns: ['arn:p'] }, '/ManagedPolicyArns'],
  ])('are rejected with %s', (_, statement, properties, message) => {
    expect(() => permissionsIn(statement, properties)).toThrow(`/Resources/Role/Properties${message}`);
  });

  const permission: Permission = { action: 'dynamodb:GetItem', resource: 'arn:table/t' };
  const inbox: Permission = { ...permission, partitions: ['INBOX#*', 'RECONCILE#*'] };
  it.each<[string, Permission, object, boolean]>([
    ['an action in another case', { ...permission, action: 'dynamodb:getitem' }, {}, true],
    ['another action', permission, { action: 'dynamodb:GetItems' }, false],
    ['an index of the table', permission, { resource: 'arn:table/t/index/i' }, false],
    ['a resource in another case', permission, { resource: 'arn:table/T' }, false],
    ['any text at a star', { ...permission, resource: 'arn:table/*' }, { resource: 'arn:table/t/index/i' }, true],
    ['six characters at six question marks', { ...permission, resource: 's-??????' }, { resource: 's-AbC123' }, true],
    ['a seventh character', { ...permission, resource: 's-??????' }, { resource: 's-AbC1234' }, false],
    ['a dot only by a dot', { ...permission, resource: 'a.b' }, { resource: 'axb' }, false],
    ['a key like the second pattern', inbox, { partitions: ['RECONCILE#shopify#1'] }, true],
    ['a key with the same beginning', inbox, { partitions: ['INBOXES#1'] }, false],
    ['one matching key and one other key', inbox, { partitions: ['INBOX#1', 'RETURN#1'] }, false],
    ['no key at all', inbox, {}, false],
  ])('cover %s: %#', (_, granted, wanted, expected) => {
    expect(covers(granted, { action: 'dynamodb:GetItem', resource: 'arn:table/t', ...wanted })).toBe(expected);
  });
});
