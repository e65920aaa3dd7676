import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ingestWebhook } from '../../../lib/edge/webhooks/ingest-webhook.ts';
import { receiver } from '../../../lib/shops/platforms/adobe/platform.ts';
import { startContainer } from '../../../lib/runtime/container.ts';
import { delivered, event, keyPaths, startAdobe } from '../platforms/adobe-shop.ts';
import { startPlatformSecret } from '../platforms/platform-secret.ts';
import { forward, isFor } from '../../support/engine.ts';
import { restoreEnvironment, setEnvironment, stubEnvironment } from '../../support/environment.ts';
import { startServer } from '../../support/http-server.ts';
import { runsEveryCase } from '../../support/samples.ts';
import { startEngines } from './engines.ts';

/* Deliveries of Adobe to containers that start during an attack. */

const engines = await startEngines();
const adobe = await startAdobe();
const secret = await startPlatformSecret();
secret.put({ main: adobe.entry });
setEnvironment({ PLATFORMS: 'adobe' });

afterEach(() => {
  adobe.answers.clear();
  restoreEnvironment();
});
afterAll(async () => {
  await adobe.close();
  await secret.close();
  await engines.stop();
});

const handler = ingestWebhook({ adobe: receiver });
const table = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Sends a delivery, and returns the status. */
const send = async (headers: Readonly<Record<string, string>> = {}): Promise<number | undefined> => {
  const id = randomUUID();
  const genuine = delivered(event('rma_save_commit_after', { entity_id: 4 }, { event_id: id, eventid: id }));
  const { statusCode } = await handler({
    version: '2.0',
    headers: { ...genuine.headers, ...headers },
    pathParameters: { platform: 'adobe', source: 'main' },
    requestContext: { http: { method: 'POST' } },
    body: genuine.body.toString(),
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2);
  return statusCode;
};

const randomPath = () => `/prod/keys/pub-key-${randomUUID()}.pem`;
/** A delivery of a sender who knows our client id, but has no key of Adobe. */
const forge = async () => send({ 'x-adobe-public-key1-path': randomPath(), 'x-adobe-public-key2-path': randomPath() });
const attack = async (count: number) => {
  const statuses = new Set<number | undefined>();
  for (let sent = 0; sent < count; sent += 1) statuses.add(await forge());
  return [...statuses];
};

const provenKeys = async (): Promise<readonly string[]> => {
  const { Items = [] } = await table.send(new ScanCommand({ TableName: engines.table, ConsistentRead: true }));
  return Items.map(({ pk }) => String(pk)).filter((pk) => pk.startsWith('PROVENKEYS#'));
};

const keyOf = (path: string) => `PROVENKEYS#adobe#${encodeURIComponent(`${adobe.origin}${path}`)}`;

describe('cold container', () => {
  test('accepts a genuine delivery after any number of forged ones, once a container has accepted one', async () => {
    expect(await send()).toBe(200);
    for (const count of [0, 14, 15, 16, ...(runsEveryCase() ? [150] : [])]) {
      startContainer();
      expect([count, await attack(count)]).toEqual([count, count === 0 ? [] : [500]]);
      expect([count, await send()]).toEqual([count, 200]);
    }
    expect(await provenKeys()).toEqual([keyOf(keyPaths[0])]);
  });

  test('fetches the key of a proven address at most once in ten seconds, also for forged deliveries', async () => {
    await send();
    startContainer();
    await attack(40);
    adobe.answers.set(keyPaths[0], { status: 503, body: '' });
    const before = adobe.requests.length;
    const named = { 'x-adobe-public-key1-path': keyPaths[0], 'x-adobe-public-key2-path': randomPath() };
    for (let sent = 0; sent < 20; sent += 1) expect(await send(named)).toBe(500);
    expect(adobe.requests.length - before).toBe(1);
  });

  test('stores the address of the key that verified, and none of a forged delivery', async () => {
    startContainer();
    await attack(3);
    expect(await send({ 'x-adobe-public-key1-path': randomPath() })).toBe(200);
    expect(await provenKeys()).toEqual([keyOf(keyPaths[0]), keyOf(keyPaths[1])].toSorted());
    const { Items = [] } = await table.send(new ScanCommand({ TableName: engines.table }));
    const rows = Items.filter(({ pk }) => String(pk).startsWith('PROVENKEYS#'));
    for (const { expiresAt } of rows) expect(Number(expiresAt)).toBeGreaterThan(Date.now() / 1000 + 89 * 86_400);
  });
});

describe('table that rejects the rows of keys', () => {
  const failing = async (operation: 'GetItem' | 'PutItem') => {
    const store = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
    const engine = await startServer(async (request) =>
      isFor(request, operation) && request.body.includes('PROVENKEYS#')
        ? { status: 400, body: JSON.stringify({ __type: 'ValidationException', message: 'refused' }) }
        : forward(request, store),
    );
    stubEnvironment({ AWS_ENDPOINT_URL_DYNAMODB: engine.origin });
    return engine;
  };

  test('does not stop a delivery when it stores none', async () => {
    await using engine = await failing('PutItem');
    expect(await send()).toBe(200);
    expect(engine.requests.some(({ body }) => body.includes('PROVENKEYS#'))).toBe(true);
  });

  test('makes Adobe send again when it reads none during an attack', async () => {
    await send();
    await using engine = await failing('GetItem');
    await attack(40);
    expect(await send()).toBe(500);
    expect(engine.requests.some(({ body }) => body.includes('PROVENKEYS#'))).toBe(true);
  });
});
