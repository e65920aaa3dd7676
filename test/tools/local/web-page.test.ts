import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ListTablesCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { findEngine } from '../../../lib/tools/local/engine/engine-choice.ts';
import { startEngine } from '../../../lib/tools/local/engine/engine.ts';
import { type ExternalServices, startExternalServices } from '../../../lib/tools/local/external-services.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { freePort } from '../../../lib/tools/local/ports.ts';
import { folderOfFile, temporaryDirectory } from './support.ts';

/*
 * What a page of another site reaches on this machine. lambda.test.ts has Lambda's Invoke, s3.test.ts has presigned
 * requests.
 */

/** Other systems have one loopback address. */
const engines = [await findEngine({ ...process.env, AWS_ENDPOINT_URL_DYNAMODB: undefined })].filter(
  ({ kind }) => kind === 'dynoxide' && process.platform === 'linux',
);

const closers = openClosers();
let services: ExternalServices;

beforeAll(async () => {
  const dataDir = await folderOfFile(closers);
  services = await startExternalServices({ dataDir, ports: {}, emit: () => undefined, closers });
});
afterAll(closers.close);

const page = { origin: 'https://shop.example' };
const preflight = {
  ...page,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type,x-amz-target,authorization,x-amz-date',
};

/** Sends a request, and returns the status of its response and the pages that may read it. */
const send = async (url: string, init: RequestInit) => {
  const response = await fetch(url, { method: 'POST', ...init });
  await response.arrayBuffer();
  return [response.status, response.headers.get('access-control-allow-origin')];
};

const json = (version: string, target: string) => ({
  'content-type': `application/x-amz-json-${version}`,
  'x-amz-target': target,
});
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const secret = { Name: 'of-a-page', SecretString: 'x' };
const event = { Source: 'page', DetailType: 'x', Detail: '{}' };

describe('web page of another site', () => {
  it.each([
    ['secretsManager', 'CreateSecret', '/', 'POST', json('1.1', 'secretsmanager.CreateSecret'), JSON.stringify(secret)],
    ['eventBridge', 'PutEvents', '/', 'POST', json('1.1', 'AWSEvents.PutEvents'), JSON.stringify({ Entries: [event] })],
    ['eventBridge', 'a list of events', '/events?after=0', 'GET', {}, null],
    ['sqs', 'CreateQueue', '/', 'POST', json('1.0', 'AmazonSQS.CreateQueue'), '{"QueueName":"of-a-page"}'],
    ['sqs', 'CreateTopic in a form', '/', 'POST', form, 'Action=CreateTopic&Name=of-a-page'],
    ['s3', 'CreateBucket', '/of-a-page', 'PUT', {}, null],
  ] as const)('is rejected by %s for %s, and a program is not', async (name, _, path, method, headers, body) => {
    const url = `${services.endpoints[name]}${path}`;
    expect(await send(url, { method: 'OPTIONS', headers: preflight })).toEqual([403, null]);
    for (const origin of [page.origin, 'null'])
      expect(await send(url, { method, headers: { ...headers, origin }, body })).toEqual([403, null]);
    expect(await send(url, { method, headers, body })).toEqual([200, null]);
  });

  it('changes no table by a request that needs no preflight', async () => {
    const { dynamodb } = services.endpoints;
    const client = new DynamoDBClient({ ...clientSettings, endpoint: dynamodb });
    onTestFinished(() => client.destroy());
    const input = {
      TableName: 'of-a-page',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    } satisfies CreateTableCommandInput;
    const target = 'DynamoDB_20120810.CreateTable';
    const query = `X-Amz-Target=${target}&Action=CreateTable&X-Amz-Credential=a&X-Amz-Signature=b`;
    for (const type of ['text/plain', form['content-type'], 'multipart/form-data; boundary=b'])
      for (const url of [dynamodb, `${dynamodb}/?${query}`]) {
        const body = JSON.stringify({ ...input, 'X-Amz-Target': target });
        const [status] = await send(url, { headers: { ...page, 'content-type': type }, body });
        expect(status).toBeGreaterThanOrEqual(400);
      }
    const tables = async () => (await client.send(new ListTablesCommand({}))).TableNames;
    expect(await tables()).toEqual([]);
    await client.send(new CreateTableCommand(input));
    expect(await tables()).toEqual(['of-a-page']);
  });

  it.each(engines)('cannot guess the address of $kind, except where its port is fixed', async (engine) => {
    const start = async (port: number) => {
      const { url, close } = await startEngine(await temporaryDirectory(), port, engine);
      onTestFinished(close);
      return new URL(url);
    };
    const port = await freePort();
    const [first, second, fixed] = [await start(0), await start(0), await start(port)];
    expect(fixed.host).toBe(`127.0.0.1:${port}`);
    expect(first.hostname).not.toBe(second.hostname);
    for (const { hostname, port: own } of [first, second]) {
      expect(hostname).toMatch(/^127(\.\d+){3}$/);
      await expect(fetch(`http://127.0.0.1:${own}`)).rejects.toThrow('fetch failed');
    }
    // Why this matters: dynoxide allows every page every request. When that ends, its address can be a usual one.
    expect(await send(first.origin, { method: 'OPTIONS', headers: preflight })).toEqual([200, '*']);
  });
});
