import { createHash } from 'node:crypto';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
  type S3ServiceException,
} from '@aws-sdk/client-s3';
import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { corsRules } from '../../../lib/tools/local/emulators/cors.ts';
import { clientSettings } from '../../../lib/tools/local/emulators/function-spec.ts';
import { startVersions } from '../../../lib/tools/local/emulators/object-versions.ts';
import { createBuckets, lockedBuckets, startObjects } from '../../../lib/tools/local/emulators/objects.ts';
import { startQueues } from '../../../lib/tools/local/emulators/queues.ts';
import { openClosers } from '../../../lib/tools/local/json-file.ts';
import { deployed } from './resources.ts';
import { folderOfFile, temporaryDirectory } from './support.ts';

const origin = 'https://console.example';
const bucketWith = (Properties: object) => ({ Type: 'AWS::S3::Bucket', Properties: { ...Properties } });
const buckets = deployed({
  Files: bucketWith({
    CorsConfiguration: {
      CorsRules: [
        { AllowedOrigins: ['*'], AllowedMethods: ['PUT'] },
        { AllowedOrigins: [origin], AllowedMethods: ['GET'] },
      ],
    },
  }),
  Roots: bucketWith({ ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days: 3650 } } } }),
}).ofType('AWS::S3::Bucket');
const [files, roots] = ['returns-standalone-files', 'returns-standalone-roots'];

/** What each role permits on the keys of `pii/`, and on the buckets. */
const permitted: Readonly<Record<string, readonly string[]>> = {
  writer: ['PutObject', 'GetObject'],
  reader: ['GetObject'],
  lister: ['GetObject', 'ListBucket'],
  eraser: ['DeleteObject', 'ListBucket'],
  versions: ['DeleteObjectVersion', 'ListBucketVersions'],
};
const identities = new Map(
  Object.entries(permitted).map(([name, actions]) => [
    name,
    {
      function: name,
      arn: `arn:aws:sts::000000000000:assumed-role/${name}/${name}`,
      permissions: actions.flatMap((action) =>
        [files, roots].map((bucket) => ({
          action: `s3:${action}`,
          resource: `arn:aws:s3:::${bucket}${action.startsWith('List') ? '' : '/pii/*'}`,
        })),
      ),
    },
  ]),
);

/** Starts S3 with its buckets, as a stack does: presigned requests go to `url`. */
const start = async (dataDir: string, closers = openClosers()) => {
  const store = await startQueues(dataDir, 0);
  closers.add(store.close);
  const versions = await startVersions(store.url);
  closers.add(versions.close);
  await createBuckets(versions.url, buckets);
  const calls: string[] = [];
  const { url, close } = await startObjects({
    upstream: versions.url,
    identities,
    locked: lockedBuckets(buckets),
    cors: corsRules(buckets),
    onCall: ({ function: name, action, permitted: isPermitted }) =>
      calls.push(`${name} ${action}${isPermitted ? '' : ' denied'}`),
  });
  closers.add(close);
  return { url, versions: versions.url, calls, close: closers.close };
};

let s3: Awaited<ReturnType<typeof start>>;
const closers = openClosers();
beforeAll(async () => {
  s3 = await start(await folderOfFile(closers), closers);
});
afterAll(closers.close);

type Signing = {
  readonly method?: string;
  readonly bucket?: string;
  readonly as?: string;
  readonly secret?: string;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly at?: number;
};

/** Returns an address signed by AWS's own signer. */
const sign = async (key: string, signing: Signing = {}, url = s3.url): Promise<string> => {
  const { method = 'PUT', bucket = files, as = 'writer', secret = 'local', headers = {}, query = {} } = signing;
  const { host, hostname, protocol } = new URL(url);
  const signer = new SignatureV4({
    service: 's3',
    region: clientSettings.region,
    credentials: { accessKeyId: as, secretAccessKey: secret, sessionToken: 'of a +session/=' },
    sha256: new S3Client(clientSettings).config.sha256,
    uriEscapePath: false,
  });
  const path = `/${bucket}/${key}`;
  const signed = { host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers };
  const { query: parameters } = await signer.presign(
    { method, protocol, hostname, path, headers: signed, query },
    {
      expiresIn: 60,
      signingDate: new Date(signing.at ?? Date.now()),
      unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
    },
  );
  return `${url}${path}?${new URLSearchParams(parameters as Record<string, string>).toString()}`;
};

const bytes = Buffer.from('a picture');
const digest = (content: string) => createHash('sha256').update(content).digest('base64');

const answerOf = async (response: Response) => {
  const text = await response.text();
  return [response.status, /<Code>(\w+)</.exec(text)?.[1] ?? text];
};
/** Sends a presigned request: a PUT has bytes. */
const send = async (key: string, signing: Signing = {}, url = s3.url) => {
  const { method = 'PUT', headers = {} } = signing;
  return fetch(await sign(key, signing, url), { method, headers, ...(method === 'PUT' && { body: bytes }) });
};
const put = async (key: string, signing: Signing = {}) => answerOf(await send(key, signing));
const get = async (key: string, as: string, query = {}) => put(key, { method: 'GET', as, query });
const remove = async (key: string, as: string, query = {}) => put(key, { method: 'DELETE', as, query });
const keysIn = ([status, text]: readonly (string | number)[]) => [
  status,
  ...Array.from(String(text).matchAll(/<Key>([^<]+)</g), ([, key]) => key),
];

/** https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html */
describe('presigned request of S3', () => {
  it('stores an upload with the signed headers, and serves it with the signed ones, also after a restart', async () => {
    const folder = await temporaryDirectory();
    const first = await start(folder);
    const headers = {
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'x-amz-checksum-sha256': digest('a picture'),
    };
    expect(await answerOf(await send('pii/1', { headers }, first.url))).toEqual([200, '']);
    await first.close();
    const second = await start(folder);
    onTestFinished(second.close);
    const query = { 'response-content-disposition': 'attachment', 'response-content-encoding': 'identity' };
    const response = await send('pii/1', { method: 'GET', as: 'reader', query }, second.url);
    const served = ['type', 'disposition', 'encoding'].map((name) => response.headers.get(`content-${name}`));
    expect(served).toEqual(['image/png', 'attachment', 'identity']);
    expect(await answerOf(response)).toEqual([200, 'a picture']);
  });

  it.each<[string, Signing, string]>([
    ['has expired', { at: Date.now() - 61_000 }, 'AccessDenied'],
    ['was signed with another secret', { secret: 'guessed' }, 'SignatureDoesNotMatch'],
    ['was signed by an unknown caller', { as: 'unknown' }, 'InvalidAccessKeyId'],
    ['was signed by a caller without the permission', { as: 'reader' }, 'AccessDenied'],
    ['was signed for another method', { method: 'GET' }, 'SignatureDoesNotMatch'],
    ['lacks a signed header', { headers: { 'content-type': 'a/b' } }, 'SignatureDoesNotMatch'],
    ['is longer than was signed', { headers: { 'content-length': '8' } }, 'SignatureDoesNotMatch'],
  ])('is rejected when it %s', async (_, signing, code) => {
    const response = await fetch(await sign('pii/refused', signing), { method: 'PUT', body: bytes });
    expect(await answerOf(response)).toEqual([403, code]);
    expect(await get('pii/refused', 'lister')).toEqual([404, 'NoSuchKey']);
  });

  it.each<[string, string | null, number, string]>([
    ['X-Amz-Signature', '', 403, 'SignatureDoesNotMatch'],
    ['X-Amz-Signature', null, 403, 'AccessDenied'],
    ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1', 400, 'AuthorizationQueryParametersError'],
    ['X-Amz-Expires', '9000', 403, 'SignatureDoesNotMatch'],
    ['X-Amz-Expires', '604801', 400, 'AuthorizationQueryParametersError'],
    ['X-Amz-Date', 'now', 400, 'AuthorizationQueryParametersError'],
    ['X-Amz-Credential', 'writer', 400, 'AuthorizationQueryParametersError'],
    ['X-Amz-SignedHeaders', 'content-type', 403, 'AccessDenied'],
  ])('is rejected with the %s %j', async (name, value, status, code) => {
    const address = new URL(await sign('pii/1'));
    if (value === null) address.searchParams.delete(name);
    else address.searchParams.set(name, value);
    expect(await answerOf(await fetch(address, { method: 'PUT', body: bytes }))).toEqual([status, code]);
  });

  it('is rejected for another key, an old version, and bytes of another digest than it says', async () => {
    const headers = { 'x-amz-checksum-sha256': digest('another') };
    expect(await put('elsewhere/1')).toEqual([403, 'AccessDenied']);
    expect(await get('pii/1', 'reader', { versionId: 'null' })).toEqual([403, 'AccessDenied']);
    expect(await put('pii/digest', { headers })).toEqual([400, 'BadDigest']);
    expect(await get('pii/digest', 'lister')).toEqual([404, 'NoSuchKey']);
  });

  it('is rejected without a permission of its own to list, to delete, and to do both with versions', async () => {
    s3.calls.splice(0);
    const [versions, version] = [{ versions: '', prefix: 'pii/' }, { versionId: 'null' }];
    // Without the permission to list, a caller does not learn that an object is missing.
    for (const as of ['reader', 'lister']) await get('pii/missing', as);
    for (const as of ['reader', 'eraser']) await get('', as, { 'list-type': '2' });
    for (const as of ['writer', 'eraser']) await remove('pii/1', as);
    for (const as of ['lister', 'versions']) await get('', as, versions);
    for (const as of ['eraser', 'versions']) await remove('pii/1', as, version);
    expect(s3.calls).toEqual([
      'reader s3:GetObject',
      'lister s3:GetObject',
      'lister s3:ListBucket',
      'reader s3:ListBucket denied',
      'eraser s3:ListBucket',
      'writer s3:DeleteObject denied',
      'eraser s3:DeleteObject',
      'lister s3:ListBucketVersions denied',
      'versions s3:ListBucketVersions',
      'eraser s3:DeleteObjectVersion denied',
      'versions s3:DeleteObjectVersion',
    ]);
    expect(await get('pii/missing', 'reader')).toEqual([403, 'AccessDenied']);
    expect(await get('pii/missing', 'lister')).toEqual([404, 'NoSuchKey']);
  });

  it('lists a prefix in order and page by page, and deletes objects, which may be missing', async () => {
    for (const key of ['pii/a/1', 'pii/a/2', 'pii/b/1']) await put(key);
    const list = async (more = {}) => keysIn(await get('', 'eraser', { 'list-type': '2', prefix: 'pii/a/', ...more }));
    expect(await list()).toEqual([200, 'pii/a/1', 'pii/a/2']);
    expect(await list({ 'start-after': 'pii/a/1' })).toEqual([200, 'pii/a/2']);
    expect(await list({ 'max-keys': '1' })).toEqual([200, 'pii/a/1']);
    for (let times = 0; times < 2; times += 1) expect(await remove('pii/a/1', 'eraser')).toEqual([204, '']);
    expect(await list()).toEqual([200, 'pii/a/2']);
  });

  /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-lock.html, conditional-writes.html */
  it('neither deletes nor overwrites in a bucket with a compliance lock, nor overwrites with If-None-Match', async () => {
    const once = { headers: { 'if-none-match': '*' } };
    for (const bucket of [roots, files]) {
      expect(await put('pii/root', { ...once, bucket })).toEqual([200, '']);
      expect(await put('pii/root', { ...once, bucket })).toEqual([412, 'PreconditionFailed']);
    }
    for (const [method, as] of [
      ['PUT', 'writer'],
      ['DELETE', 'eraser'],
    ] as const)
      expect(await put('pii/root', { as, method, bucket: roots })).toEqual([403, 'AccessDenied']);
    expect(await put('pii/root')).toEqual([200, '']);
  });

  /** https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html */
  it.each([
    ['PUT', 'writer', 'https://shop.example', 200, '*'],
    ['GET', 'writer', origin, 200, origin],
    ['GET', 'writer', 'https://shop.example', 403, null],
    ['GET', 'writer', 'null', 403, null],
    ['DELETE', 'eraser', origin, 403, null],
  ])(
    'of a page (%s by %s, %s) is served by the CORS rules of the bucket: %i',
    async (method, as, from, ...expected) => {
      await put('pii/page');
      const preflight = { origin: from, 'access-control-request-method': method };
      const responses = [
        await fetch(`${s3.url}/${files}/pii/page`, { method: 'OPTIONS', headers: preflight }),
        await fetch(await sign('pii/page', { method, as }), { method, headers: { origin: from } }),
      ];
      for (const { status, headers } of responses)
        expect([status, headers.get('access-control-allow-origin')]).toEqual(expected);
      expect((await get('pii/page', 'reader'))[0]).toBe(200);
    },
  );
});

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/versioning-workflows.html */
describe('bucket with versions of S3', () => {
  let count = 0;
  /** Opens a new bucket, which has versions from the call of `version` on. */
  const open = async () => {
    const client = new S3Client({ ...clientSettings, endpoint: s3.versions, forcePathStyle: true });
    onTestFinished(() => client.destroy());
    const Bucket = `bucket-${(count += 1)}`;
    await fetch(`${s3.versions}/${Bucket}`, { method: 'PUT' });
    const list = async (input = {}) => client.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'a/', ...input }));
    return {
      version: async () => fetch(`${s3.versions}/${Bucket}?versioning`, { method: 'PUT' }),
      upload: async (Key: string, Body: string) => client.send(new PutObjectCommand({ Bucket, Key, Body })),
      /** Returns the text of an object, or the status of the error. */
      read: async (Key: string, VersionId?: string) =>
        client.send(new GetObjectCommand({ Bucket, Key, VersionId })).then(
          async ({ Body }) => Body?.transformToString(),
          (error: S3ServiceException) => error.$metadata.httpStatusCode,
        ),
      erase: async (Key: string, VersionId?: string) =>
        client.send(new DeleteObjectCommand({ Bucket, Key, VersionId })),
      /** Returns key, id and `latest` of each version, newest first. */
      versions: async (input = {}) =>
        ((await list(input)).Versions ?? []).map(({ Key, VersionId, IsLatest }) => [Key, VersionId, IsLatest]),
      marker: async () => (await list()).DeleteMarkers?.find(({ IsLatest }) => IsLatest)?.VersionId,
      listed: async () => keysIn(await answerOf(await fetch(`${s3.versions}/${Bucket}?list-type=2`))).slice(1),
    };
  };

  it('keeps what an upload replaces and what a deletion hides, until the version or the marker is deleted', async () => {
    const { version, upload, read, versions, marker, erase, listed } = await open();
    await version();
    for (const body of ['one', 'two', 'three']) await upload('a/1', body);
    const [latest, middle, old] = (await versions()).map(([, id]) => String(id));
    expect((await versions()).map(([, , isLatest]) => isLatest)).toEqual([true, false, false]);
    expect([await read('a/1'), await read('a/1', old), await listed()]).toEqual(['three', 'one', ['a/1']]);
    await erase('a/1');
    await erase('a/1', old);
    expect([await read('a/1'), await listed()]).toEqual([404, []]);
    await erase('a/1', await marker());
    expect(await read('a/1')).toBe('three');
    await erase('a/1', latest);
    expect(await read('a/1')).toBe('two');
    await erase('a/1', middle);
    expect([await read('a/1'), await versions()]).toEqual([404, []]);
  });

  it('has the version null of an object from before, and without versions a deletion is final', async () => {
    const { version, upload, versions, erase, listed } = await open();
    for (const key of ['a/0', 'a/1', 'a/2']) await upload(key, 'one');
    await erase('a/0');
    await version();
    await upload('a/1', 'two');
    expect(await versions()).toEqual([
      ['a/1', expect.stringMatching(/^\d+$/), true],
      ['a/1', 'null', false],
      ['a/2', 'null', true],
    ]);
    await erase('a/2', 'null');
    expect(await listed()).toEqual(['a/1']);
  });

  it('lists its versions page by page, after a key or a version', async () => {
    const { version, upload, versions } = await open();
    await version();
    for (const key of ['a/1', 'a/1', 'a/2', 'b/1']) await upload(key, 'x');
    const all = await versions();
    expect(all.map(([key]) => key)).toEqual(['a/1', 'a/1', 'a/2']);
    expect(await versions({ MaxKeys: 1 })).toEqual(all.slice(0, 1));
    expect(await versions({ KeyMarker: 'a/1', VersionIdMarker: all[0]?.[1] })).toEqual(all.slice(1));
    expect(await versions({ KeyMarker: 'a/1' })).toEqual(all.slice(2));
  });
});
