import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { functionEnvironment } from '../../lib/local/aws.ts';
import { startWire, type Respond } from './slim/wire.ts';

const secret = { VersionId: 'v1', SecretString: JSON.stringify({ clientId: 'c', clientSecret: 's' }) };
const token = { access_token: 'a-token', token_type: 'Bearer', expires_in: 3_600 };

const outside: Respond = (response, { headers, path }) => {
  const body = path === '/connect/token' ? token : { id: 'ret_1' };
  const answer = headers['x-amz-target'] === undefined ? body : secret;
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
};

const event = {
  version: '2.0',
  headers: {},
  isBase64Encoded: false,
  requestContext: { authorizer: { jwt: { claims: { client_id: 'test', scope: 'returns:read' } } } },
  pathParameters: { returnId: 'ret_01KAJ3V9Z8QW4T6R2M5N7P0XYB' },
};

/** Writes which of Node's modules a first invocation has loaded. */
const script = `
  const { handler } = await import(process.cwd() + '/dist/connected/getReturn/index.mjs');
  const { statusCode } = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 10_000 });
  console.log(JSON.stringify({ statusCode, loaded: process.moduleLoadList }));
  process.exit();`;

test('a first invocation loads none of the large modules of Node that it can do without', async () => {
  await using wire = await startWire(outside);
  const { origin } = wire;
  const urls = { dynamodb: origin, sqs: origin, secretsManager: origin, s3: origin, eventBridge: origin };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...functionEnvironment(urls), SERVICE_URL: origin, AUTH_URL: origin, CLIENT_SECRET_ID: 'client' },
  });
  const { statusCode, loaded } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as {
    readonly statusCode: number;
    readonly loaded: readonly string[];
  };
  expect(statusCode).toBe(200);
  expect(loaded).toContain('NativeModule net');
  const needless = [
    'http',
    'https',
    'http2',
    'tls',
    'zlib',
    'internal/crypto/webcrypto',
    'internal/deps/undici/undici',
  ];
  expect(needless.filter((name) => loaded.includes(`NativeModule ${name}`))).toEqual([]);
});
