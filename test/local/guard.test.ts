import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import {
  BatchWriteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import type { Call } from '../../lib/local/emulators/call-record.ts';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { functionSpecs } from '../../lib/local/emulators/functions.ts';
import { startGuard } from '../../lib/local/emulators/guard.ts';
import { identitiesOf, partitionKeysOf } from '../../lib/local/emulators/identities.ts';
import { startEngine } from '../../lib/local/engine/engine.ts';
import { createTables } from '../../lib/local/engine/tables.ts';
import { freePort } from '../../lib/local/ports.ts';
import { liveAliasOf, temporaryDirectory } from './support.ts';

const role = (...Statement: readonly object[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyName: 'p', PolicyDocument: { Statement } }] },
});

const lambda = (name: string, roleId: string) => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: `returns-dev-${name}`,
    Role: { 'Fn::GetAtt': [roleId, 'Arn'] },
    Handler: `dist/${name}/index.handler`,
    Timeout: 1,
    MemorySize: 128,
  },
});

const Resource = { 'Fn::GetAtt': ['Table', 'Arn'] };
const template = {
  Resources: {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      },
    },
    Write: lambda('write', 'WriteRole'),
    WriteLive: liveAliasOf('Write'),
    WriteRole: role(
      { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource },
      { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: 'arn:aws:sqs:eu-central-1:000000000000:q' },
    ),
    Receive: lambda('receive', 'ReceiveRole'),
    ReceiveLive: liveAliasOf('Receive'),
    ReceiveRole: role({
      Effect: 'Allow',
      Action: ['dynamodb:PutItem', 'dynamodb:GetItem'],
      Resource,
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['INBOX#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
  },
};

const TableName = 'returns-connected-Table';
const arn = `arn:aws:dynamodb:eu-central-1:000000000000:table/${TableName}`;

const start = async () => {
  const engine = await startEngine(await temporaryDirectory(), 0);
  const deployment = deploy(template, { mode: 'connected', parameters: {}, sqs: '' });
  await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
  const calls: Omit<Call, 'mode'>[] = [];
  const guard = await startGuard({
    upstream: {
      dynamodb: engine.url,
      sqs: `http://127.0.0.1:${await freePort()}`,
      secretsManager: '',
      eventBridge: '',
    },
    identities: identitiesOf(deployment, functionSpecs(deployment)),
    partitionKeys: partitionKeysOf(deployment),
    onCall: (call) => calls.push(call),
  });
  onTestFinished(async () => {
    await guard.close();
    await engine.close();
  });
  const settings = (accessKeyId: string, endpoint: string) => ({
    ...clientSettings,
    endpoint,
    credentials: { accessKeyId, secretAccessKey: 'local' },
  });
  const as = (name: string) => ({
    table: DynamoDBDocumentClient.from(new DynamoDBClient(settings(`returns-dev-${name}`, guard.url))),
    sqs: new SQSClient({ ...settings(`returns-dev-${name}`, guard.url), maxAttempts: 1 }),
  });
  const operator = DynamoDBDocumentClient.from(new DynamoDBClient(settings('local', engine.url)));
  const rows = async () => (await operator.send(new ScanCommand({ TableName }))).Items ?? [];
  return { as, calls, rows };
};

// Refusals are written to the log of their mode.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));

describe('permission guard', () => {
  test('forwards a request that the caller’s role permits, and returns the response', async () => {
    const { as, calls } = await start();
    const { table } = as('receive');
    const Item = { pk: 'INBOX#1', text: 'x'.repeat(100_000) };
    await table.send(new PutCommand({ TableName, Item }));
    expect((await table.send(new GetCommand({ TableName, Key: { pk: Item.pk } }))).Item).toEqual(Item);
    expect(calls).toEqual(
      ['PutItem', 'GetItem'].map((name) => ({
        function: 'receive',
        action: `dynamodb:${name}`,
        resource: arn,
        partitions: [Item.pk],
        permitted: true,
      })),
    );
  });

  test('refuses other requests with AWS’s error', async () => {
    const { as, calls, rows } = await start();
    const { table } = as('write');
    await table.send(new PutCommand({ TableName, Item: { pk: 'RETURN#1' } }));
    await expect(table.send(new GetCommand({ TableName, Key: { pk: 'RETURN#1' } }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: `User: arn:aws:sts::000000000000:assumed-role/WriteRole/returns-dev-write is not authorized to perform: dynamodb:GetItem on resource: ${arn} because no identity-based policy allows the dynamodb:GetItem action`,
      $metadata: { httpStatusCode: 400 },
    });
    await expect(as('receive').table.send(new PutCommand({ TableName, Item: { pk: 'RETURN#2' } }))).rejects.toThrow(
      'is not authorized to perform: dynamodb:PutItem',
    );
    expect(calls.map(({ function: name, permitted }) => [name, permitted])).toEqual([
      ['write', true],
      ['write', false],
      ['receive', false],
    ]);
    expect(await rows()).toEqual([{ pk: 'RETURN#1' }]);
  });

  test('refuses a transaction with one item that is not permitted, and nothing is written', async () => {
    const { as, rows } = await start();
    const put = (pk: string) => ({ Put: { TableName, Item: { pk } } });
    const send = async (name: string, TransactItems: TransactWriteCommandInput['TransactItems']) =>
      as(name).table.send(new TransactWriteCommand({ TransactItems }));
    await send('receive', [put('INBOX#1'), put('INBOX#2')]);
    await expect(send('receive', [put('INBOX#3'), put('RETURN#1')])).rejects.toThrow('is not authorized');
    const check = {
      ConditionCheck: { TableName, Key: { pk: 'INBOX#1' }, ConditionExpression: 'attribute_exists(pk)' },
    };
    await expect(send('write', [put('A'), check])).rejects.toThrow('perform: dynamodb:ConditionCheckItem');
    expect((await rows()).map(({ pk }) => String(pk)).toSorted()).toEqual(['INBOX#1', 'INBOX#2']);
  });

  test('refuses unknown callers and unknown operations', async () => {
    const { as, calls } = await start();
    await expect(as('stranger').table.send(new ScanCommand({ TableName }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
    });
    const { table } = as('write');
    const batch = new BatchWriteCommand({ RequestItems: { [TableName]: [{ DeleteRequest: { Key: { pk: 'A' } } }] } });
    await expect(table.send(batch)).rejects.toMatchObject({ name: 'UnknownOperationException' });
    expect(calls).toEqual([]);
  });

  test('identifies each caller among concurrent calls', async () => {
    const { as, calls } = await start();
    const clients = { write: as('write').table, receive: as('receive').table };
    const names = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? ('write' as const) : ('receive' as const),
    );
    await Promise.all(
      names.map((name, index) =>
        clients[name].send(new PutCommand({ TableName, Item: { pk: `INBOX#${name}#${index}` } })),
      ),
    );
    expect(calls).toHaveLength(40);
    expect(calls.filter((call) => !call.partitions?.[0]?.startsWith(`INBOX#${call.function}#`))).toEqual([]);
  });

  test('answers 403 where SQS does, and closes the connection when the emulator is down', async () => {
    const { as, calls } = await start();
    const send = async (name: string) =>
      as(name).sqs.send(new SendMessageCommand({ QueueUrl: 'http://x.invalid/000000000000/q', MessageBody: 'a' }));
    await expect(send('receive')).rejects.toMatchObject({
      name: 'AccessDeniedException',
      $metadata: { httpStatusCode: 403 },
    });
    await expect(send('write')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(calls.map(({ action, permitted }) => [action, permitted])).toEqual([
      ['sqs:SendMessage', false],
      ['sqs:SendMessage', true],
    ]);
  });
});
