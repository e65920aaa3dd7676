import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DescribeStreamCommand,
  DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  ListStreamsCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { DeleteMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deploy, secretArn } from '../../../lib/tools/template/cloudformation/deployment.ts';
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
import { folderOfFile, liveAliasOf } from './support.ts';

const Table = { 'Fn::GetAtt': ['Table', 'Arn'] };
const partitionsOf = (...patterns: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});
const allow = (Action: string | readonly string[], Resource: unknown, Condition?: object) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition !== undefined && { Condition }),
});
const roleWith = (Statement: readonly object[], properties: object = {}) => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyName: 'p', PolicyDocument: { Statement } }], ...properties },
});
/** Returns a function with a role of these statements. */
const functionWith = (name: string, ...statements: readonly object[]) => ({
  [`${name}Role`]: roleWith(statements),
  [`${name}Live`]: liveAliasOf(name),
  [name]: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      FunctionName: `returns-dev-${name}`,
      Role: { 'Fn::GetAtt': [`${name}Role`, 'Arn'] },
      Handler: 'index.handler',
      Timeout: 1,
      MemorySize: 128,
    },
  },
});

const key = (name: string, type: string) => ({ AttributeName: name, KeyType: type });
const template = {
  Resources: {
    Queue: { Type: 'AWS::SQS::Queue' },
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['pk', 'sk', 'customer'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
        KeySchema: [key('pk', 'HASH'), key('sk', 'RANGE')],
        GlobalSecondaryIndexes: [
          {
            IndexName: 'byCustomer',
            KeySchema: [key('customer', 'HASH')],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        ],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      },
    },
    ...functionWith('all', allow('*', '*')),
    ...functionWith('write', allow('dynamodb:PutItem', Table)),
    ...functionWith('receive', allow(['dynamodb:PutItem', 'dynamodb:GetItem'], Table, partitionsOf('INBOX#*'))),
  },
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
  const deployment = deploy(template, { mode: 'connected', parameters: {}, sqs: services.endpoints.sqs });
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
  const Key = { pk: 'A#1', sk: 'x' };
  const other = { pk: 'B#2', sk: 'x' };

  it.each([
    ['PutItem', new PutCommand({ TableName, Item: { ...Key, text: 'x'.repeat(100_000) } })],
    ['GetItem', new GetCommand({ TableName, Key })],
    ['UpdateItem', new UpdateCommand({ TableName, Key })],
    ['DeleteItem', new DeleteCommand({ TableName, Key })],
  ] as const)('are %s on the partition of the key', async (action, command) => {
    await tableOf('all').send(command as PutCommand);
    expect(calls).toEqual([
      { function: 'all', action: `dynamodb:${action}`, resource: arn, partitions: ['A#1'], permitted: true },
    ]);
  });

  const accesses = () => calls.map(({ action, resource, partitions = [] }) => [action, resource, ...partitions]);

  it('are those of a Query by its condition, also on an index, and of a Scan without a partition', async () => {
    const table = tableOf('all');
    const query = async (KeyConditionExpression: string, input = {}, values = {}) => {
      const ExpressionAttributeValues = { ':k': 'A#1', ...values };
      await table.send(new QueryCommand({ TableName, KeyConditionExpression, ExpressionAttributeValues, ...input }));
    };
    await query('sk > :from AND pk = :k', {}, { ':from': '0' });
    await query('#p=:k', { ExpressionAttributeNames: { '#p': 'pk' } });
    await query('customer = :k', { IndexName: 'byCustomer' });
    await table.send(new ScanCommand({ TableName }));
    expect(accesses()).toEqual([
      ['dynamodb:Query', arn, 'A#1'],
      ['dynamodb:Query', arn, 'A#1'],
      ['dynamodb:Query', `${arn}/index/byCustomer`, 'A#1'],
      ['dynamodb:Scan', arn],
    ]);
  });

  it('are those of each item of a batch or a transaction', async () => {
    const table = tableOf('all');
    await table.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys: [Key, other] } } }));
    await table.send(new TransactGetCommand({ TransactItems: [{ Get: { TableName, Key } }] }));
    const absent = { TableName, Key: { ...Key, sk: 'absent' }, ConditionExpression: 'attribute_not_exists(pk)' };
    const TransactItems = [
      { Put: { TableName, Item: Key } },
      { Update: { TableName, Key: other, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: { ':a': 1 } } },
      { Delete: { TableName, Key: { ...other, sk: 'y' } } },
      { ConditionCheck: absent },
    ];
    await table.send(new TransactWriteCommand({ TransactItems }));
    expect(accesses()).toEqual([
      ['dynamodb:BatchGetItem', arn, 'A#1', 'B#2'],
      ['dynamodb:GetItem', arn, 'A#1'],
      ['dynamodb:PutItem', arn, 'A#1'],
      ['dynamodb:UpdateItem', arn, 'B#2'],
      ['dynamodb:DeleteItem', arn, 'B#2'],
      ['dynamodb:ConditionCheckItem', arn, 'A#1'],
    ]);
  });

  const stream = `${arn}/stream/2026-01-01T00:00:00.000`;

  it('are those of a stream by its table, in any spelling of the engine', async () => {
    const client = new DynamoDBStreamsClient(settingsOf('all'));
    const { Streams } = await client.send(new ListStreamsCommand({ TableName }));
    const StreamArn = Streams?.[0]?.StreamArn;
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
    const ShardId = StreamDescription?.Shards?.[0]?.ShardId;
    const { ShardIterator } = await client.send(
      new GetShardIteratorCommand({ StreamArn, ShardId, ShardIteratorType: 'LATEST' }),
    );
    await client.send(new GetRecordsCommand({ ShardIterator }));
    const actions = ['ListStreams', 'DescribeStream', 'GetShardIterator', 'GetRecords'];
    expect(accesses()).toEqual(actions.map((action) => [`dynamodb:${action}`, stream]));
    const ofLocal = `arn:aws:dynamodb:ddblocal:000000000000:table/${TableName}/stream/2026|001|c2hhcmQ=`;
    const body = JSON.stringify({ ShardIterator: ofLocal });
    expect(requestOf('DynamoDBStreams_20120810.GetRecords', body, new Map())?.accesses).toMatchObject([
      { resource: stream },
    ]);
  });

  it('are those of one message for a batch, of a secret and of each bus by name or ARN', async () => {
    const sqs = new SQSClient(settingsOf('all'));
    await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: 'x' }));
    const Entries = [{ Id: '1', ReceiptHandle: 'unknown' }];
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    const secrets = new SecretsManagerClient(settingsOf('all'));
    const { ARN = '' } = await secrets.send(new GetSecretValueCommand({ SecretId: 'returns/client' }));
    await secrets.send(new GetSecretValueCommand({ SecretId: ARN }));
    const bus = 'arn:aws:events:eu-central-1:000000000000:event-bus/';
    const event = { Source: 'x', DetailType: 'x', Detail: '{}' };
    const events = [{}, { EventBusName: 'a' }, { EventBusName: `${bus}a` }].map((one) => ({ ...event, ...one }));
    await new EventBridgeClient(settingsOf('all')).send(new PutEventsCommand({ Entries: events }));
    const queue = 'arn:aws:sqs:eu-central-1:000000000000:returns-connected-Queue';
    expect(accesses()).toEqual([
      ['sqs:SendMessage', queue],
      ['sqs:DeleteMessage', queue],
      ['secretsmanager:GetSecretValue', secretArn('returns/client')],
      ['secretsmanager:GetSecretValue', ARN],
      ['events:PutEvents', `${bus}default`],
      ['events:PutEvents', `${bus}a`],
    ]);
  });
});

describe('roles of IAM', () => {
  it('reject what no statement permits, in the words of AWS', async () => {
    const Item = { pk: 'RETURN#1', sk: 'x' };
    await tableOf('write').send(new PutCommand({ TableName, Item }));
    await expect(tableOf('write').send(new GetCommand({ TableName, Key: Item }))).rejects.toMatchObject({
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
    const [role] = deploy({ Resources: { Role } }, { mode: 'connected', parameters: {}, sqs: '' }).ofType(Role.Type);
    return role && permissionsOf(role);
  };

  it('permit each action of a statement on each of its resources', () => {
    const partitions = ['INBOX#*'];
    expect(permissionsIn(allow(['a:1', 'a:2'], ['arn:a', 'arn:b'], partitionsOf('INBOX#*')))).toEqual(
      ['a:1', 'a:2'].flatMap((action) => ['arn:a', 'arn:b'].map((resource) => ({ action, resource, partitions }))),
    );
  });

  const usual = allow('sqs:SendMessage', 'arn:q');
  const optional = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['INBOX#*'] } };
  const path = '/Policies/0/PolicyDocument/Statement/0';
  it.each([
    ['a denial', { ...usual, Effect: 'Deny' }, {}, `${path}/Effect`],
    ['all but some actions', { ...usual, NotAction: 'sqs:SendMessage' }, {}, `${path}/NotAction`],
    ['another key of a condition', { ...usual, Condition: { StringEquals: { a: 'b' } } }, {}, `${path}/Condition`],
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
