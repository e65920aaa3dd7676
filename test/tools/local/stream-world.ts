import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { startGuard } from '../../../lib/tools/local/emulators/guard.ts';
import { identitiesOf, partitionKeysOf } from '../../../lib/tools/local/emulators/identities.ts';
import { createQueues, startQueues } from '../../../lib/tools/local/emulators/queues.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { createTables } from '../../../lib/tools/local/engine/tables.ts';
import type { RecordsReceived } from '../../../lib/tools/local/events.ts';
import { streamMappingsOf } from '../../../lib/tools/local/streams/mapping.ts';
import {
  checkStreamMapping,
  startStreamPoller,
  type StreamPollerOptions,
} from '../../../lib/tools/local/streams/poller.ts';
import { liveAliasOf, temporaryDirectory } from './support.ts';

const streamActions = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'];

/** Returns a table whose stream feeds a function, as osls writes it. */
export const streamTemplate = (properties: object = {}, actions: readonly string[] = streamActions) => ({
  Resources: {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
      },
    },
    Dead: { Type: 'AWS::SQS::Queue' },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        Policies: [
          {
            PolicyName: 'p',
            PolicyDocument: {
              Statement: [
                {
                  Effect: 'Allow',
                  Action: actions.map((name) => `dynamodb:${name}`),
                  Resource: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
                },
                { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: { 'Fn::GetAtt': ['Dead', 'Arn'] } },
              ],
            },
          },
        ],
      },
    },
    Publish: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'returns-dev-publish',
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Handler: 'publish/index.handler',
        Timeout: 1,
        MemorySize: 128,
      },
    },
    PublishLive: liveAliasOf('Publish'),
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        BatchSize: 10,
        Enabled: true,
        EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
        FunctionName: { Ref: 'PublishLive' },
        StartingPosition: 'TRIM_HORIZON',
        ...properties,
      },
    },
  },
});

export const toDead = { DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Dead', 'Arn'] } } } };

const TableName = 'returns-standalone-Table';

/** Starts the engine, the queues and the guard, with one mapping whose poller can be restarted. */
export const startWorld = async (properties: object = {}, actions?: readonly string[]) => {
  const folder = await temporaryDirectory();
  const engine = await startEngine(folder, 0);
  const queues = await startQueues(folder, 0);
  const deployment = deploy(streamTemplate(properties, actions), {
    mode: 'standalone',
    parameters: {},
    sqs: queues.url,
  });
  await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
  await createQueues(queues.url, deployment.ofType('AWS::SQS::Queue'));
  const specs = functionSpecs(deployment);
  const calls: string[] = [];
  const guard = await startGuard({
    onCall: ({ action }) => calls.push(action),
    upstream: { dynamodb: engine.url, sqs: queues.url, secretsManager: '', eventBridge: '' },
    identities: identitiesOf(deployment, specs),
    partitionKeys: partitionKeysOf(deployment),
  });
  const client = new DynamoDBClient({ ...clientSettings, endpoint: engine.url });
  const table = DynamoDBDocumentClient.from(client);
  const sqs = new SQSClient({ ...clientSettings, endpoint: queues.url });
  const closers: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    await Promise.all(closers.map((close) => close()));
    client.destroy();
    sqs.destroy();
    await guard.close();
    await queues.close();
    await engine.close();
  });
  const [mapping] = streamMappingsOf(deployment, specs);
  if (mapping === undefined) throw new Error('no mapping');
  const received: RecordsReceived[] = [];
  /** Starts a poller whose function does `work`, and records its events. */
  const startPolling = async (
    work: (event: DynamoDBStreamEvent) => unknown,
    more: Pick<StreamPollerOptions, 'writes'> = {},
  ) => {
    const events: DynamoDBStreamEvent[] = [];
    const poller = await startStreamPoller({
      ...more,
      endpoints: { dynamodb: guard.url, sqs: guard.url },
      mapping,
      invoke: async (_, event) => {
        events.push(event as DynamoDBStreamEvent);
        return work(event as DynamoDBStreamEvent);
      },
      folder,
      onRecords: (event) => received.push(event),
      pollMs: 5,
      retryMs: 1,
    });
    closers.push(poller.close);
    return { ...poller, events, batches: () => events.map(namesIn) };
  };
  const put = async (pk: string, sk: string, others: object = {}) =>
    void (await table.send(new PutCommand({ TableName, Item: { pk, sk, ...others } })));
  const remove = async (pk: string, sk: string) =>
    void (await table.send(new DeleteCommand({ TableName, Key: { pk, sk } })));
  const dead = async () => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl: deployment.ofType('AWS::SQS::Queue')[0]?.local.ref, WaitTimeSeconds: 1 }),
    );
    return Messages.map(({ Body = '' }) => JSON.parse(Body) as Readonly<Record<string, unknown>>);
  };
  const check = () => checkStreamMapping(guard.url, mapping);
  /** Returns how often the stream was read. */
  const reads = () => calls.filter((action) => action === 'dynamodb:GetRecords').length;
  return { put, remove, startPolling, dead, check, received, reads };
};

/** Returns `pk/sk` of each record. */
export const namesIn = ({ Records }: DynamoDBStreamEvent): readonly string[] =>
  Records.map(({ dynamodb }) => `${dynamodb?.Keys?.['pk']?.S}/${dynamodb?.Keys?.['sk']?.S}`);
