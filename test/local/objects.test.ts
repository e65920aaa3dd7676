import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import type { Call } from '../../lib/local/emulators/call-record.ts';
import { clientSettings } from '../../lib/local/emulators/function-spec.ts';
import { createBuckets, lockedBuckets, startObjects } from '../../lib/local/emulators/objects.ts';
import { startQueues } from '../../lib/local/emulators/queues.ts';
import { temporaryDirectory } from './support.ts';

const template = { Resources: { Files: { Type: 'AWS::S3::Bucket' } } };
const files = deploy(template, { mode: 'standalone', parameters: {}, sqs: '' }).ofType('AWS::S3::Bucket');
const bucket = 'returns-standalone-files';
const permission = (action: string) => ({
  action,
  resource: `arn:aws:s3:::${action.startsWith('s3:List') ? bucket : `${bucket}/pii/*`}`,
});
const identity = (name: string, ...actions: string[]) => ({
  function: name,
  arn: `arn:aws:sts::000000000000:assumed-role/${name}/${name}`,
  permissions: actions.map(permission),
});

const bytes = Buffer.from('a picture');
const digest = (content: Uint8Array) => createHash('sha256').update(content).digest('base64');

const shop = 'https://shop.example';
/** The rules of the evidence bucket: any page uploads, pages of the console read. */
const cors = new Map([
  [
    bucket,
    [
      { AllowedOrigins: ['*'], AllowedMethods: ['PUT'], AllowedHeaders: ['content-type'] },
      { AllowedOrigins: ['https://console.example'], AllowedMethods: ['GET'] },
    ],
  ],
]);

const start = async (dataDir?: string) => {
  const store = await startQueues(dataDir ?? (await temporaryDirectory()), 0);
  await createBuckets(store.url, files);
  const calls: Omit<Call, 'mode'>[] = [];
  const identities = new Map([
    ['writer', identity('writer', 's3:PutObject', 's3:GetObject')],
    ['reader', identity('reader', 's3:GetObject')],
    ['lister', identity('lister', 's3:GetObject', 's3:ListBucket')],
    ['eraser', identity('eraser', 's3:DeleteObject', 's3:ListBucket')],
    ['versions', identity('versions', 's3:DeleteObjectVersion', 's3:ListBucketVersions')],
  ]);
  const objects = await startObjects({ upstream: store.url, identities, cors, onCall: (call) => calls.push(call) });
  const close = async () => {
    await objects.close();
    await store.close();
  };
  if (dataDir === undefined) onTestFinished(close);
  return { url: objects.url, calls, close };
};

type Signing = {
  readonly method?: string;
  readonly bucket?: string;
  readonly key?: string;
  readonly as?: string;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly at?: number;
  readonly seconds?: number;
};

/** Returns an address signed by AWS's own signer. */
const sign = async (origin: string, signing: Signing = {}): Promise<string> => {
  const {
    method = 'PUT',
    bucket: bucketName = bucket,
    key = 'pii/a/1',
    as = 'writer',
    secret = 'local',
    headers = {},
    query = {},
  } = signing;
  const { at = Date.now(), seconds = 60 } = signing;
  const { host, hostname, protocol } = new URL(origin);
  const signer = new SignatureV4({
    service: 's3',
    region: clientSettings.region,
    credentials: { accessKeyId: as, secretAccessKey: secret, sessionToken: 'of a +session/=' },
    sha256: new DynamoDBClient(clientSettings).config.sha256,
    uriEscapePath: false,
  });
  const path = `/${bucketName}/${key}`;
  const { query: signed } = await signer.presign(
    {
      method,
      protocol,
      hostname,
      path,
      headers: { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers },
      query,
    },
    { expiresIn: seconds, signingDate: new Date(at), unhoistableHeaders: new Set(['x-amz-checksum-sha256']) },
  );
  return `${origin}${path}?${new URLSearchParams(signed as Record<string, string>).toString()}`;
};

const answerOf = async (response: Promise<Response>) => {
  const { status, text } = await response.then(async (got) => ({ status: got.status, text: await got.text() }));
  return [status, /<Code>(\w+)</.exec(text)?.[1] ?? text];
};
/** Returns the keys of a listing, without its other tags. */
const listed = ([status, text]: (string | number | undefined)[]) => [
  status,
  [...String(text).matchAll(/<Key>([^<]+)</g)].map(([, key]) => key),
];
const put = async (url: string, headers: Record<string, string> = {}, body = bytes) =>
  answerOf(fetch(url, { method: 'PUT', headers, body }));
const get = async (url: string) => answerOf(fetch(url));

describe('object storage emulator', () => {
  test('stores an upload as it was signed, and serves it, also after a restart', async () => {
    const dataDir = await temporaryDirectory();
    const first = await start(dataDir);
    const headers = {
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'x-amz-checksum-sha256': digest(bytes),
    };
    expect(await put(await sign(first.url, { headers }), headers)).toEqual([200, '']);
    expect(first.calls).toEqual([
      {
        function: 'writer',
        action: 's3:PutObject',
        resource: `arn:aws:s3:::${bucket}/pii/a/1`,
        permitted: true,
      },
    ]);
    await first.close();
    const second = await start(dataDir);
    onTestFinished(second.close);
    const query = { 'response-content-disposition': 'attachment' };
    const response = await fetch(await sign(second.url, { method: 'GET', as: 'reader', query }));
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  test.each<[string, Signing, [number, string]]>([
    ['has expired', { at: Date.now() - 61_000 }, [403, 'AccessDenied']],
    ['was signed with another secret', { secret: 'guessed' }, [403, 'SignatureDoesNotMatch']],
    ['was signed by an unknown caller', { as: 'stranger' }, [403, 'InvalidAccessKeyId']],
    ['was signed by a caller without upload permission', { as: 'reader' }, [403, 'AccessDenied']],
    ['is for a key without upload permission', { key: 'elsewhere/1' }, [403, 'AccessDenied']],
    ['was signed for another method', { method: 'GET' }, [403, 'SignatureDoesNotMatch']],
    ['lacks a signed header', { headers: { 'content-type': 'a/b' } }, [403, 'SignatureDoesNotMatch']],
    ['is longer than was signed', { headers: { 'content-length': '8' } }, [403, 'SignatureDoesNotMatch']],
  ])('refuses an upload that %s', async (_, signing, refusal) => {
    const { url } = await start();
    expect(await put(await sign(url, signing))).toEqual(refusal);
    expect(await get(await sign(url, { method: 'GET', ...(signing.key && { key: 'pii/x' }) }))).toEqual([
      403,
      'AccessDenied',
    ]);
  });

  test('reports a missing object to callers that may list the bucket', async () => {
    const { url, calls } = await start();
    expect(await get(await sign(url, { method: 'GET', as: 'reader' }))).toEqual([403, 'AccessDenied']);
    expect(await get(await sign(url, { method: 'GET', as: 'lister' }))).toEqual([404, 'NoSuchKey']);
    expect(calls.map((call) => `${call.function} ${call.action}`)).toEqual([
      'reader s3:GetObject',
      'lister s3:GetObject',
      'lister s3:ListBucket',
    ]);
  });

  test('lists and deletes objects by a prefix, for permitted callers', async () => {
    const { url, calls } = await start();
    for (const key of ['pii/a/1', 'pii/a/2', 'pii/b/1']) await put(await sign(url, { key }));
    const query = { 'list-type': '2', prefix: 'pii/a/', 'max-keys': '10' };
    const list = async (as: string, more = {}) =>
      get(await sign(url, { method: 'GET', key: '', as, query: { ...query, ...more } }));
    expect(await list('reader')).toEqual([403, 'AccessDenied']);
    expect(listed(await list('eraser'))).toEqual([200, ['pii/a/1', 'pii/a/2']]);
    expect(listed(await list('eraser', { 'start-after': 'pii/a/1' }))).toEqual([200, ['pii/a/2']]);
    expect(listed(await list('eraser', { 'max-keys': '1' }))).toEqual([200, ['pii/a/1']]);
    const remove = async (as: string) =>
      answerOf(fetch(await sign(url, { method: 'DELETE', as }), { method: 'DELETE' }));
    expect(await remove('writer')).toEqual([403, 'AccessDenied']);
    expect(await remove('eraser')).toEqual([204, '']);
    expect(await remove('eraser')).toEqual([204, '']);
    expect(listed(await list('eraser'))).toEqual([200, ['pii/a/2']]);
    expect(calls.at(-1)).toMatchObject({ function: 'eraser', action: 's3:ListBucket', permitted: true });
  });

  test('lists and deletes versions for callers that may, and lets no function read an old one', async () => {
    const { url, calls } = await start();
    await put(await sign(url));
    const query = { versions: '', prefix: 'pii/a/' };
    const list = async (as: string) => (await get(await sign(url, { method: 'GET', key: '', as, query })))[0];
    expect(await list('lister')).toBe(403);
    await list('versions');
    const old = { versionId: 'null' };
    const remove = async (as: string) =>
      (await answerOf(fetch(await sign(url, { method: 'DELETE', as, query: old }), { method: 'DELETE' })))[0];
    expect(await remove('eraser')).toBe(403);
    await remove('versions');
    expect((await get(await sign(url, { method: 'GET', as: 'reader', query: old })))[0]).toBe(403);
    expect(calls.map(({ action, permitted }) => [action, permitted])).toEqual([
      ['s3:PutObject', true],
      ['s3:ListBucketVersions', false],
      ['s3:ListBucketVersions', true],
      ['s3:DeleteObjectVersion', false],
      ['s3:DeleteObjectVersion', true],
    ]);
  });

  test('serves gzipped bytes with their encoding, where the address names it', async () => {
    const { url } = await start();
    expect(await put(await sign(url), {}, gzipSync(bytes))).toEqual([200, '']);
    const response = await fetch(await sign(url, { method: 'GET', query: { 'response-content-encoding': 'gzip' } }));
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  });

  test('refuses bytes with another digest', async () => {
    const { url } = await start();
    const headers = { 'x-amz-checksum-sha256': digest(Buffer.from('another')) };
    expect(await put(await sign(url, { headers }), headers)).toEqual([400, 'BadDigest']);
    expect(await get(await sign(url, { method: 'GET' }))).toEqual([403, 'AccessDenied']);
  });

  test.each<[string, string, [number, string]]>([
    ['X-Amz-Signature', '', [403, 'SignatureDoesNotMatch']],
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1', [400, 'AuthorizationQueryParametersError']],
    ['X-Amz-Expires', '9000', [403, 'SignatureDoesNotMatch']],
    ['X-Amz-Expires', '604801', [400, 'AuthorizationQueryParametersError']],
    ['X-Amz-Date', 'now', [400, 'AuthorizationQueryParametersError']],
    ['X-Amz-Credential', 'writer', [400, 'AuthorizationQueryParametersError']],
    ['X-Amz-SignedHeaders', 'content-type', [403, 'AccessDenied']],
  ])('refuses an address with the %s %j', async (name, value, refusal) => {
    const { url } = await start();
    const address = new URL(await sign(url));
    address.searchParams.set(name, value);
    expect(await put(address.href)).toEqual(refusal);
  });

  test.each([
    ['PUT', shop, 200, '*'],
    ['GET', 'https://console.example', 200, 'https://console.example'],
    ['GET', shop, 403, null],
    ['GET', 'null', 403, null],
    ['DELETE', 'https://console.example', 403, null],
  ])(
    'serves a presigned %s of a page of %s by the CORS rules of the bucket: %i',
    async (method, origin, status, allowed) => {
      const { url, calls } = await start();
      await put(await sign(url));
      const as = method === 'DELETE' ? 'eraser' : 'writer';
      const response = await fetch(await sign(url, { method, as }), { method, headers: { origin } });
      await response.arrayBuffer();
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([status, allowed]);
      expect(calls).toHaveLength(status === 403 ? 1 : 2);
    },
  );

  test('refuses a request without a signature', async () => {
    const { url, calls } = await start();
    expect(await put(`${url}/${bucket}/pii/a/1`)).toEqual([403, 'AccessDenied']);
    expect(calls).toEqual([]);
  });

  const lockedTemplate = {
    Resources: {
      Roots: {
        Type: 'AWS::S3::Bucket',
        Properties: {
          ObjectLockConfiguration: {
            ObjectLockEnabled: 'Enabled',
            Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 3650 } },
          },
        },
      },
      ...template.Resources,
    },
  };

  test('neither deletes nor overwrites objects in a bucket with a compliance lock', async () => {
    const buckets = deploy(lockedTemplate, { mode: 'standalone', parameters: {}, sqs: '' }).ofType('AWS::S3::Bucket');
    const locked = lockedBuckets(buckets);
    expect([...locked]).toEqual(['returns-standalone-roots']);
    const store = await startQueues(await temporaryDirectory(), 0);
    await createBuckets(store.url, buckets);
    const every = ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'].flatMap((action) =>
      ['returns-standalone-roots', bucket].map((name) => ({ action, resource: `arn:aws:s3:::${name}/*` })),
    );
    const identities = new Map([['writer', { ...identity('writer'), permissions: every }]]);
    const objects = await startObjects({ upstream: store.url, identities, locked });
    onTestFinished(async () => {
      await objects.close();
      await store.close();
    });
    const run = async (name: string, method: string, body?: Buffer, headers: Record<string, string> = {}) => {
      const url = await sign(objects.url, { method, headers, bucket: name, key: 'roots/1' });
      return answerOf(fetch(url, { method, headers, ...(body !== undefined && { body }) }));
    };
    const once = { 'if-none-match': '*' };
    for (const name of ['returns-standalone-roots', bucket])
      expect(await run(name, 'PUT', bytes, once)).toEqual([200, '']);
    const root = 'returns-standalone-roots';
    expect(await run(root, 'PUT', Buffer.from('another'))).toEqual([403, 'AccessDenied']);
    expect(await run(root, 'PUT', Buffer.from('another'), once)).toEqual([412, 'PreconditionFailed']);
    expect(await run(root, 'DELETE')).toEqual([403, 'AccessDenied']);
    expect(await run(root, 'GET')).toEqual([200, 'a picture']);
    expect(await run(bucket, 'PUT', Buffer.from('another'), once)).toEqual([412, 'PreconditionFailed']);
    expect(await run(bucket, 'PUT', Buffer.from('another'))).toEqual([200, '']);
    expect(await run(bucket, 'DELETE')).toEqual([204, '']);
  });
});
