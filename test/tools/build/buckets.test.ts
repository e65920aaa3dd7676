import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packaged } from '../../support/roles.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packageFiles } from '../../../lib/tools/template/package/package-offer.ts';
import { packageFile } from '../../support/bundles.ts';

type Template = {
  readonly Resources: Record<string, { Type: string; DeletionPolicy?: string; Properties: Record<string, unknown> }>;
};

const resourcesOf = (mode: Mode, type: string) => {
  const text = readFileSync(packageFile(mode, packageFiles.template), 'utf8');
  const { Resources } = JSON.parse(text) as Template;
  // The framework's own bucket holds code, and no data.
  return Object.entries(Resources).filter(([name, { Type }]) => Type === type && name !== 'ServerlessDeploymentBucket');
};

describe.each(modes)('buckets of the %s mode', (mode) => {
  const buckets = resourcesOf(mode, 'AWS::S3::Bucket');
  const policies = resourcesOf(mode, 'AWS::S3::BucketPolicy').map(([, { Properties }]) => Properties);

  it('hold deliveries in both modes, and evidence, exports and roots of histories where the service is', () => {
    const names =
      mode === 'connected' ? ['InboxBucket'] : ['AnchorBucket', 'EvidenceBucket', 'ExportBucket', 'InboxBucket'];
    expect(buckets.map(([name]) => name).toSorted()).toEqual(names);
  });

  it.each(buckets)(
    'are private, encrypted and retained; all but that of the deliveries have versions: %s',
    (name, { DeletionPolicy, Properties }) => {
      expect(DeletionPolicy).toBe('RetainExceptOnCreate');
      expect(Properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
        BucketEncryption: {
          ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms' } }],
        },
      });
      expect('VersioningConfiguration' in Properties).toBe(name !== 'InboxBucket');
    },
  );

  it.each(buckets)('reject requests without TLS: %s', (name) => {
    expect(policies).toContainEqual({
      Bucket: { Ref: name },
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: expect.arrayContaining([
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 's3:*',
            Resource: [{ 'Fn::GetAtt': [name, 'Arn'] }, { 'Fn::Sub': `\${${name}.Arn}/*` }],
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ]),
      },
    });
  });

  it('lock roots in compliance mode for the configured time', async () => {
    if (mode === 'connected') return;
    const bucketIn = async (changes: Readonly<Record<string, string>>) =>
      (await packaged(mode, changes)).ofType('AWS::S3::Bucket').find(({ logicalId }) => logicalId === 'AnchorBucket')
        ?.properties;
    const lock = (Days: unknown) => ({
      ObjectLockEnabled: true,
      VersioningConfiguration: { Status: 'Enabled' },
      ObjectLockConfiguration: {
        ObjectLockEnabled: 'Enabled',
        Rule: { DefaultRetention: { Mode: 'COMPLIANCE', Days } },
      },
    });
    expect(await bucketIn({ HistoryAnchors: 'off' })).toBeUndefined();
    expect(await bucketIn({})).toMatchObject(lock(expect.anything()));
    const { ObjectLockConfiguration } = (await bucketIn({ HistoryAnchorDays: '30' })) ?? {};
    expect(JSON.stringify(ObjectLockConfiguration)).toMatch(/"Days":"?30"?/);
    const denied = policies.find(({ Bucket }) => JSON.stringify(Bucket) === '{"Ref":"AnchorBucket"}');
    expect(JSON.stringify(denied)).toContain('"s3:DeleteObject"');
  });

  it('remove deliveries a day after their rows', () => {
    const inbox = buckets.find(([name]) => name === 'InboxBucket')?.[1].Properties;
    expect(inbox).toMatchObject({
      LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: 31 }] },
    });
  });

  it('remove evidence after the configured days, and never without them', async () => {
    if (mode === 'connected') return;
    const lifecycle = async (changes: Readonly<Record<string, string>>) =>
      (await packaged(mode, changes)).ofType('AWS::S3::Bucket').find(({ logicalId }) => logicalId === 'EvidenceBucket')
        ?.properties['LifecycleConfiguration'];
    const versions = {
      Id: 'versions',
      Status: 'Enabled',
      NoncurrentVersionExpiration: { NoncurrentDays: 3 },
      ExpiredObjectDeleteMarker: true,
    };
    expect(await lifecycle({})).toEqual({ Rules: [versions] });
    const [first, rule, ...others] = ((await lifecycle({ EvidenceRetentionDays: '365' })) as { Rules: object[] }).Rules;
    expect([first, others]).toEqual([versions, []]);
    expect(rule).toMatchObject({ Status: 'Enabled' });
    expect(JSON.stringify(rule)).toMatch(/"ExpirationInDays":"?365"?/);
  });

  it('remove exports after a week, and their old versions three days later', () => {
    const exported = buckets.filter(([name]) => name === 'ExportBucket').map(([, { Properties }]) => Properties);
    for (const properties of exported)
      expect(properties).toMatchObject({
        LifecycleConfiguration: {
          Rules: [{ Status: 'Enabled', ExpirationInDays: 7, NoncurrentVersionExpiration: { NoncurrentDays: 3 } }],
        },
      });
    expect(exported).toHaveLength(mode === 'standalone' ? 1 : 0);
  });
});
