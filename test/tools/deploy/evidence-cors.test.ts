import { describe, expect, it } from 'vitest';
import { deploy } from '../../../lib/tools/template/cloudformation/deployment.ts';
import { corsRules } from '../../../lib/tools/local/emulators/cors.ts';
import { startObjects } from '../../../lib/tools/local/emulators/objects.ts';
import { packagedTemplate } from '../../support/bundles.ts';

const template = await packagedTemplate('standalone');
const origin = 'https://console.example';

const parameters = {
  WebApi: 'on',
  Console: 'on',
  ConsoleAudience: 'console',
  ConsoleClients: 'console',
  EvidenceCorsOrigin: origin,
};

const bucketsOf = (changes: Readonly<Record<string, string>>) =>
  deploy(template, { mode: 'cors', parameters: { ...parameters, ...changes }, sqs: '' }).ofType('AWS::S3::Bucket');

const evidenceOf = (changes: Readonly<Record<string, string>> = {}) => {
  const bucket = bucketsOf(changes).find(({ logicalId }) => logicalId === 'EvidenceBucket');
  if (bucket === undefined) throw new Error('the template has no EvidenceBucket');
  return bucket;
};

/** Anyone may upload from a page, because the signed address permits it. */
const upload = {
  AllowedOrigins: ['*'],
  AllowedMethods: ['PUT'],
  AllowedHeaders: ['content-type', 'x-amz-checksum-sha256'],
  MaxAge: 3600,
};

describe('CORS of the evidence bucket', () => {
  it('lets pages of the console read files, and no page of another origin', () => {
    const console = { ...upload, AllowedOrigins: [origin], AllowedMethods: ['GET', 'PUT'] };
    expect(evidenceOf().properties['CorsConfiguration']).toEqual({ CorsRules: [upload, console] });
  });

  it.each([{ Console: 'off' }, { WebApi: 'off' }, { EvidenceCorsOrigin: '' }])(
    'lets no page read with %j',
    (changes) => {
      expect(evidenceOf(changes).properties['CorsConfiguration']).toEqual({ CorsRules: [upload] });
    },
  );

  it('is absent at all other buckets', () => {
    const others = bucketsOf({}).filter(({ logicalId }) => logicalId !== 'EvidenceBucket');
    expect(others.filter(({ properties }) => properties['CorsConfiguration'] !== undefined)).toEqual([]);
  });

  it('decides in the local stack as in S3', async () => {
    const buckets = bucketsOf({});
    const objects = await startObjects({
      upstream: 'http://127.0.0.1:9',
      identities: new Map(),
      cors: corsRules(buckets),
    });
    const ask = async (bucket: string, method: string, from: string, headers = '') => {
      const response = await fetch(`${objects.url}/${bucket}/pii/1`, {
        method: 'OPTIONS',
        headers: {
          origin: from,
          'access-control-request-method': method,
          ...(headers !== '' && { 'access-control-request-headers': headers }),
          connection: 'close',
        },
      });
      await response.arrayBuffer();
      return [response.status, response.headers.get('access-control-allow-origin')];
    };
    const evidence = evidenceOf().local.ref;
    const other = buckets.find(({ logicalId }) => logicalId === 'ExportBucket')?.local.ref ?? '';
    try {
      expect(await ask(evidence, 'GET', origin)).toEqual([200, origin]);
      expect(await ask(evidence, 'GET', `${origin}.evil.example`)).toEqual([403, null]);
      expect(await ask(evidence, 'PUT', 'https://shop.example', 'content-type')).toEqual([200, '*']);
      expect(await ask(evidence, 'PUT', origin, 'authorization')).toEqual([403, null]);
      expect(await ask(evidence, 'DELETE', origin)).toEqual([403, null]);
      expect(await ask(other, 'GET', origin)).toEqual([403, null]);
      // A rejected request says it to the page too.
      const rejected = await fetch(`${objects.url}/${evidence}/pii/1`, { headers: { origin, connection: 'close' } });
      expect([rejected.status, rejected.headers.get('access-control-allow-origin')]).toEqual([403, origin]);
    } finally {
      await objects.close();
    }
  });
});
