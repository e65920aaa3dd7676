import { resolve } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { functionEnvironment } from '../../../lib/tools/local/emulators/function-spec.ts';
import { type Respond, startWire } from './slim/wire.ts';
import { functionBundle } from '../../support/bundles.ts';
import { exampleAnswer } from '../../support/example-answer.ts';

const secret = {
  VersionId: 'v1',
  SecretString: JSON.stringify({ clientId: 'c', clientSecret: 'marker-5a01 of a cold start' }),
};
const token = { access_token: 'a-token-marker-5a01', token_type: 'Bearer', expires_in: 3_600 };

const outside: Respond = (response, { headers, path }) => {
  const body = path === '/connect/token' ? token : exampleAnswer('getReturn');
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

const needless = ['http', 'https', 'http2', 'tls', 'zlib', 'internal/crypto/webcrypto', 'internal/deps/undici/undici'];

/** Returns the modules of Node that a program has loaded at its end. */
const loadedBy = async (program: string, environment: NodeJS.ProcessEnv): Promise<readonly string[]> => {
  const script = `${program}\nconsole.log(process.moduleLoadList.join());\nprocess.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    env: environment,
  });
  return (stdout.trim().split('\n').at(-1) ?? '').split(',').map((name) => name.replace('NativeModule ', ''));
};

describe('modules of Node', () => {
  test('are not loaded by a first invocation where they are large and unused', async () => {
    await using wire = await startWire(outside);
    const { origin } = wire;
    const urls = {
      dynamodb: origin,
      sqs: origin,
      secretsManager: origin,
      s3: origin,
      eventBridge: origin,
      ses: origin,
    };
    const loaded = await loadedBy(
      `const { handler } = await import(${JSON.stringify(resolve(functionBundle('connected', 'getReturn')))});
    const { statusCode } = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 10_000 });
    if (statusCode !== 200) throw new Error('answered ' + statusCode);`,
      { ...functionEnvironment(urls), SERVICE_URL: origin, AUTH_URL: origin, CLIENT_SECRET_ID: 'client' },
    );
    expect(loaded).toContain('net');
    expect(needless.filter((name) => loaded.includes(name))).toEqual([]);
  });

  test('have these names in Node', async () => {
    const loaded = await loadedBy(
      `for (const name of ['http', 'https', 'http2', 'tls', 'zlib']) process.getBuiltinModule(name);
    [crypto.subtle, fetch('data:,').catch(() => undefined)];`,
      {},
    );
    expect(needless.filter((name) => !loaded.includes(name))).toEqual([]);
  });
});
