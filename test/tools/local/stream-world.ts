import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DeleteCommand, DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { onTestFinished } from 'vitest';
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
import { allow, deployed, functionWith, tableWith } from './resources.ts';
import { temporaryDirectory } from './support.ts';

const streamActions = ['GetRecords', 'GetShardIterator', 'DescribeStream', 'ListStreams'];
const [stream, dead] = [{ 'Fn::GetAtt': ['Table', 'StreamArn'] }, { 'Fn::GetAtt': ['Dead', 'Arn'] }];

export const toDead = { DestinationConfig: { OnFailure: { Destination: dead } } };

/**
 * Deploys a table whose stream feeds a function.
 *
 * @param role what its role permits on the stream, and on the queue for dead letters
 */
export const deployedStream = (
  properties: object = {},
  { sqs = '', ...role }: { sqs?: string; actions?: readonly string[]; toQueue?: string } = {},
) =>
  deployed(
    {
      Table: { Type: 'AWS::DynamoDB::Table', Properties: tableWith() },
      Dead: { Type: 'AWS::SQS::Queue' },
      ...functionWith('publish', [
        ...(role.actions ?? streamActions).map((name) => allow(`dynamodb:${name}`, stream)),
        allow(`sqs:${role.toQueue ?? 'SendMessage'}`, dead),
      ]),
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          BatchSize: 10,
          EventSourceArn: stream,
          FunctionName: { Ref: 'publishLive' },
          StartingPosition: 'TRIM_HORIZON',
          ...properties,
        },
      },
    },
    { sqs },
  );

/** Returns the only mapping of a deployment. */
export const streamMappingIn = (deployment: ReturnType<typeof deployed>) => {
  const [mapping] = streamMappingsOf(deployment, functionSpecs(deployment));
  if (mapping === undefined) throw new Error('no mapping');
  return mapping;
};

/** Returns `pk/sk` of each record. */
export const namesIn = ({ Records }: DynamoDBStreamEvent): readonly string[] =>
  Records.map(({ dynamodb }) => `${dynamodb?.Keys?.['pk']?.S}/${dynamodb?.Keys?.['sk']?.S}`);

type Work = (event: DynamoDBStreamEvent) => unknown;
type Polling = Pick<StreamPollerOptions, 'endpoints' | 'mapping' | 'folder' | 'onRecords' | 'writes'>;

/** Starts a poller whose function does `work`, and records its events. */
export const startPoller = async (polling: Polling, work: Work) => {
  const events: DynamoDBStreamEvent[] = [];
  const invoke = async (_: string, event: unknown) => {
    events.push(event as DynamoDBStreamEvent);
    return work(event as DynamoDBStreamEvent);
  };
  const { close } = await startStreamPoller({ ...polling, invoke, pollMs: 5, retryMs: 1 });
  onTestFinished(close);
  return { close, events, batches: () => events.map(namesIn) };
};

const TableName = 'returns-standalone-Table';

/** Starts the engine, the queues and the guard, with one mapping whose poller can be restarted. */
export const startWorld = async (properties: object = {}, actions = streamActions) => {
  const folder = await temporaryDirectory();
  const engine = await startEngine(folder, 0);
  onTestFinished(engine.close);
  const queues = await startQueues(folder, 0);
  onTestFinished(queues.close);
  const deployment = deployedStream(properties, { actions, sqs: queues.url });
  await createTables(engine, deployment.ofType('AWS::DynamoDB::Table'));
  await createQueues(queues.url, deployment.ofType('AWS::SQS::Queue'));
  const calls: string[] = [];
  const guard = await startGuard({
    onCall: ({ action }) => calls.push(action),
    upstream: { dynamodb: engine.url, sqs: queues.url, secretsManager: '', eventBridge: '', ses: '' },
    identities: identitiesOf(deployment, functionSpecs(deployment)),
    partitionKeys: partitionKeysOf(deployment),
  });
  onTestFinished(guard.close);
  const table = DynamoDBDocumentClient.from(new DynamoDBClient({ ...clientSettings, endpoint: engine.url }));
  const sqs = new SQSClient({ ...clientSettings, endpoint: queues.url });
  onTestFinished(() => [table, sqs].forEach((client) => client.destroy()));
  const mapping = streamMappingIn(deployment);
  const endpoints = { dynamodb: guard.url, sqs: guard.url };
  const received: RecordsReceived[] = [];
  const onRecords = (event: RecordsReceived) => void received.push(event);
  return {
    received,
    startPolling: async (work: Work = () => null, more: Pick<Polling, 'writes'> = {}) =>
      startPoller({ endpoints, mapping, folder, onRecords, ...more }, work),
    put: async (pk: string, sk: string, others: object = {}) =>
      void (await table.send(new PutCommand({ TableName, Item: { pk, sk, ...others } }))),
    remove: async (pk: string, sk: string) =>
      void (await table.send(new DeleteCommand({ TableName, Key: { pk, sk } }))),
    /** Returns the dead letters. */
    dead: async () => {
      const QueueUrl = deployment.ofType('AWS::SQS::Queue')[0]?.local.ref;
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 1 }));
      return Messages.map(({ Body = '' }) => JSON.parse(Body) as Readonly<Record<string, unknown>>);
    },
    check: async () => checkStreamMapping(guard.url, mapping),
    /** Returns how often the stream was read. */
    reads: () => calls.filter((action) => action === 'dynamodb:GetRecords').length,
  };
};
