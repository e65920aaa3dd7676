import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { startFauxqs } from 'fauxqs';

const binary = new URL('../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url).pathname;

const freePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
};

const startDynamo = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'inbox-'));
  const port = await freePort();
  const child = spawn(binary, ['serve', '--port', String(port), '--db-path', join(folder, 'db')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({ endpoint: url, maxAttempts: 1 });
  for (let tries = 0; ; tries += 1) {
    try {
      await client.send(new ListTablesCommand({}));
      break;
    } catch (error) {
      if (tries === 100) throw error;
      await sleep(50);
    }
  }
  await client.send(
    new CreateTableCommand({
      TableName: 'returns',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
  client.destroy();
  return {
    url,
    stop: async () => {
      child.kill();
      await new Promise((resolve) => child.once('exit', resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export const maxReceives = 3;

/** Starts DynamoDB and SQS on this machine and points the SDK at them. Import what reads the environment afterwards. */
export const startEngines = async () => {
  process.env['AWS_REGION'] = 'eu-central-1';
  process.env['AWS_ACCESS_KEY_ID'] = 'local';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'local';
  const dynamo = await startDynamo();
  const queues = await startFauxqs({ port: 0, logger: false });
  // Its own URLs carry a host name that only some resolvers know.
  const queueUrl = `${queues.address}/000000000000/${queues.createQueue('inbox').queueName}`;
  const deadLetterUrl = `${queues.address}/000000000000/${queues.createQueue('inbox-dead').queueName}`;
  const environment = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.url,
    AWS_ENDPOINT_URL_SQS: queues.address,
    TABLE_NAME: 'returns',
    INBOX_QUEUE_URL: queueUrl,
    INBOX_DLQ_URL: deadLetterUrl,
    INBOX_MAX_RECEIVES: String(maxReceives),
    LOG_LEVEL: 'error',
  };
  Object.assign(process.env, environment);
  return {
    queueUrl,
    deadLetterUrl,
    queues,
    stop: async () => {
      await queues.stop();
      await dynamo.stop();
    },
  };
};
