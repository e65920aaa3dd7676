import { createHash, createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from '../../../lib/tools/build/bundle.ts';
import { functionEnvironment } from '../../../lib/tools/local/emulators/function-spec.ts';
import { ringText } from '../../support/history-keys.ts';
import { order, orderLine } from '../../support/orders.ts';
import type { Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { inBoth } from './slim/weights.ts';
import { answerJson, type Received, reset, type Respond, startWire } from './slim/wire.ts';
import { functionBundle } from '../../support/bundles.ts';
import { exampleAnswer } from '../../support/example-answer.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

const functions = {
  connected: { getReturn: 'functions/api/returns/get-return.ts' },
  standalone: {
    getReturn: 'functions/api/returns/get-return.ts',
    createReturn: 'functions/api/returns/create-return.ts',
    receiveWebhook: 'functions/webhooks/receive-webhook.ts',
  },
};

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'slim-functions-'));
  const build = (mode: Mode) =>
    bundle(offers[mode], { whole: true, outdir: join(directory, mode), entries: functions[mode] });
  await Promise.all([build('connected'), build('standalone')]);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const environment = (origin: string): Record<string, string> => ({
  ...functionEnvironment({
    dynamodb: origin,
    sqs: origin,
    secretsManager: origin,
    s3: origin,
    eventBridge: origin,
    ses: origin,
  }),
  TABLE_NAME: 'table',
  EVIDENCE_BUCKET: 'files',
  EXPORT_BUCKET: 'exports',
  SIGNING_SECRET_ID: 'signing',
  HISTORY_KEYS_ID: 'keys',
  SERVICE_URL: origin,
  AUTH_URL: origin,
  CLIENT_SECRET_ID: 'client',
  PLATFORM_SECRETS: 'platforms',
  INBOX_QUEUE_URL: `${origin}/1/inbox`,
  INBOX_DLQ_URL: `${origin}/1/dead`,
  INBOX_BUCKET: 'bodies',
  INBOX_MAX_RECEIVES: '3',
});

/** Returns the requested operation: of an AWS service, or the method and path, without a signature. */
const operationOf = ({ headers, method, path }: Received): string =>
  String(headers['x-amz-target'] ?? ` ${method} ${path.replace(/[?].*$/, '')}`).replace(/^\w+\./, '');

/**
 * Returns a log line without the parts that differ from run to run. The frames of a stack name the bundle. Metrics are
 * in milliseconds: only their names remain.
 */
const comparableLine = (line: object) =>
  '_aws' in line
    ? Object.keys(line)
    : Object.fromEntries(Object.entries(line).filter(([name]) => !['at', 'ms', 'traceId', 'frames'].includes(name)));

type Answer = { readonly statusCode: number; readonly body: string };

/** Invokes a function of each weight once. Returns its response, its log and its requests. */
const invoke = <Name extends Mode>(
  mode: Name,
  name: keyof (typeof functions)[Name] & string,
  event: object,
  respond: Respond,
) =>
  inBoth(
    (weight) => (weight === 'whole' ? join(directory, mode, `${name}.mjs`) : functionBundle(mode, name)),
    async (start) => {
      await using wire = await startWire(respond);
      await using container = await start(environment(wire.origin));
      const { statusCode, body } = (await container.call('handler', event)) as Answer;
      const { code, status, detail } = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
      const logged = (await container.printed()).map((line) => comparableLine(JSON.parse(line) as object));
      return { statusCode, code, status, detail, logged, requests: wire.requests.map(operationOf) };
    },
  );

const event = (routeKey: string, more: object = {}) => ({
  version: '2.0',
  routeKey,
  headers: {},
  isBase64Encoded: false,
  requestContext: { authorizer: { jwt: { claims: { client_id: 'test', scope: 'returns:read returns:write' } } } },
  ...more,
});
const getReturn = event('GET /v1/returns/{returnId}', {
  pathParameters: { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' },
});
const createReturn = event('POST /v1/returns', {
  headers: { 'content-type': 'application/json', 'idempotency-key': '1' },
  body: JSON.stringify({
    order: { platform: 'shopify', orderId: '1001' },
    lines: [{ orderLineId: '1', quantity: 1, reason: { code: 'other' } }],
  }),
});

const signingSecret = 'a-secret-of-marker-5a02';
const webhookOf = (delivery: string) => ({
  version: '2.0',
  headers: {
    'x-shopify-hmac-sha256': createHmac('sha256', signingSecret).update(delivery).digest('base64'),
    'x-shopify-topic': 'returns/request',
    'x-shopify-shop-domain': 'a.myshopify.com',
    'x-shopify-webhook-id': 'w-1',
  },
  pathParameters: { platform: 'shopify' },
  requestContext: { http: { method: 'POST' } },
  body: delivery,
  isBase64Encoded: false,
});
const webhook = webhookOf('{"id":1,"note":"Größe"}');
/** Too large for a row. */
const largeWebhook = webhookOf(JSON.stringify({ noise: randomBytes(500_000).toString('base64') }));

const failing =
  (status: number, type: string, more: object = {}): Respond =>
  (response) =>
    answerJson(response, status, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'no', ...more });

/** Returns the history keys, and a store with one order in it, whose transactions end as the test says. */
const store =
  (transaction: Respond): Respond =>
  (response, received, count) => {
    const value = JSON.stringify(order({ lines: [orderLine()] }));
    const facts = { pk: { S: 'ORDER#shopify#1001' }, sk: { S: 'FACTS' }, version: { N: '1' }, value: { S: value } };
    if (operationOf(received) === 'GetSecretValue')
      answerJson(response, 200, { VersionId: 'v-1', SecretString: ringText() });
    else if (operationOf(received) === 'TransactWriteItems') transaction(response, received, count);
    else answerJson(response, 200, operationOf(received) === 'Query' ? { Items: [facts] } : {});
  };

const secretText = JSON.stringify({
  clientId: 'c',
  clientSecret: 'marker-5a02 of a slim function',
  sources: { 'a.myshopify.com': { webhookSecrets: [signingSecret], accessToken: 'access-marker-5a02' } },
});

/** Returns a healthy Secrets Manager, token endpoint and queue. The test handles the other requests. */
const others =
  (rest: Respond): Respond =>
  (response, received, count) => {
    const json = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    switch (operationOf(received)) {
      case 'GetSecretValue':
        return void json({ VersionId: 'v-1', SecretString: secretText });
      case 'SendMessage': {
        const { MessageBody } = JSON.parse(received.body) as { MessageBody: string };
        return void json({ MessageId: 'm', MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') });
      }
      case ' POST /connect/token':
        return void json({ access_token: 'token-marker-5a02', token_type: 'Bearer', expires_in: 3600 });
      default:
        rest(response, received, count);
    }
  };

describe.concurrent('whole and slim function', () => {
  it.each([
    ['nothing', ((response) => answerJson(response, 200, {})) satisfies Respond, 404, 'return_not_found', 1],
    ['throttling', failing(400, 'ThrottlingException'), 503, 'dependency_unavailable', 3],
    ['resets', reset, 503, 'dependency_unavailable', 3],
    ['silence until its timeout', () => undefined, 503, 'dependency_unavailable', 3],
    ['an error in our request', failing(400, 'ValidationException'), 500, 'internal_error', 1],
  ] as const)('reads a return from a store that answers with %s', async (_, respond, statusCode, code, attempts) => {
    const { whole, slim } = await invoke('standalone', 'getReturn', getReturn, respond);
    expect(slim).toEqual(whole);
    expect(slim).toMatchObject({ statusCode, code });
    expect(slim.requests).toEqual(Array.from({ length: attempts }, () => 'GetItem'));
  });

  it('creates a return', async () => {
    const { whole, slim } = await invoke(
      'standalone',
      'createReturn',
      createReturn,
      store((response) => answerJson(response, 200, {})),
    );
    // It sends several requests at once, which arrive in any order.
    const inOrder = ({ requests, ...rest }: typeof slim) => ({ ...rest, requests: requests.toSorted() });
    expect(inOrder(slim)).toEqual(inOrder(whole));
    expect(slim).toMatchObject({ statusCode: 201, status: 'requested', logged: [{ message: 'request answered' }] });
    expect(slim.requests).toContain('TransactWriteItems');
  });

  it.each([
    ['is there', ((response) => answerJson(response, 200, {})) satisfies Respond, 200],
    ['is down', reset, 503],
  ] as const)('ingests a delivery while the store %s', async (_, respond, statusCode) => {
    const { whole, slim } = await invoke('standalone', 'receiveWebhook', webhook, others(respond));
    expect(slim).toEqual(whole);
    expect(slim).toMatchObject({ statusCode });
    expect(slim.requests[0]).toBe('GetSecretValue');
    expect(slim.requests.includes('SendMessage')).toBe(statusCode === 200);
  });

  it.each<[string, Respond, number]>([
    ['is there', (response) => answerJson(response, 200, {}), 200],
    ['is down', reset, 503],
  ])('ingests a large delivery while the bucket %s', async (_, respond, statusCode) => {
    const isObject = (received: Received) => operationOf(received).startsWith(' PUT /bodies/deliveries/');
    const { whole, slim } = await invoke(
      'standalone',
      'receiveWebhook',
      largeWebhook,
      others((response, received, count) => {
        if (isObject(received)) respond(response, received, count);
        else answerJson(response, 200, {});
      }),
    );
    expect(slim).toEqual(whole);
    expect(slim).toMatchObject({ statusCode });
    expect(slim.requests.filter((request) => request.startsWith(' PUT '))).toHaveLength(statusCode === 200 ? 1 : 2);
    expect(slim.requests.includes('PutItem')).toBe(statusCode === 200);
  });

  const ofService =
    (status: number, type: string, body: object): Respond =>
    (response) =>
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));

  it.each([
    ['a return', ofService(200, 'application/json', exampleAnswer('getReturn')), 200, undefined, 1],
    ['a foreign return', ofService(200, 'application/json', { id: 12_345 }), 502, 'dependency_refused', 1],
    [
      'a problem',
      ofService(404, 'application/problem+json', { code: 'return_not_found', detail: 'Größe' }),
      404,
      'return_not_found',
      1,
    ],
    ['429', ofService(429, 'text/plain', {}), 503, 'dependency_unavailable', 3],
    ['401', ofService(401, 'application/json', {}), 503, 'dependency_unavailable', 3],
    ['resets', reset, 503, 'dependency_unavailable', 3],
  ] as const)('reads a return from a service that answers with %s', async (_, respond, statusCode, code, attempts) => {
    const { whole, slim } = await invoke('connected', 'getReturn', getReturn, others(respond));
    expect(slim).toEqual(whole);
    expect(slim).toMatchObject({ statusCode, code });
    expect(slim.requests.slice(0, 2)).toEqual(['GetSecretValue', ' POST /connect/token']);
    const sent = slim.requests.filter((request) => request === ' GET /v1/returns/ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB');
    expect(sent).toHaveLength(attempts);
  });
});
