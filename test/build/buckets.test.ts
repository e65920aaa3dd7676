import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ways, type Way } from '../../lib/build/functions.ts';

type Template = {
  readonly Resources: Record<string, { Type: string; DeletionPolicy?: string; Properties: Record<string, unknown> }>;
};

const resourcesOf = (way: Way, type: string) => {
  const text = readFileSync(`dist/package/${way}/cloudformation-template-update-stack.json`, 'utf8');
  const { Resources } = JSON.parse(text) as Template;
  // The framework's own holds code, and nothing of anybody's.
  return Object.entries(Resources).filter(([name, { Type }]) => Type === type && name !== 'ServerlessDeploymentBucket');
};

describe.each(ways)('the buckets of the %s way', (way) => {
  const buckets = resourcesOf(way, 'AWS::S3::Bucket');
  const policies = resourcesOf(way, 'AWS::S3::BucketPolicy').map(([, { Properties }]) => Properties);

  it('hold deliveries in both ways, and evidence and exports where the service is', () => {
    const names = way === 'connected' ? ['InboxBucket'] : ['EvidenceBucket', 'ExportBucket', 'InboxBucket'];
    expect(buckets.map(([name]) => name).toSorted()).toEqual(names);
  });

  it.each(buckets)('are private, encrypted, kept and not versioned: %s', (_, { DeletionPolicy, Properties }) => {
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
    expect(Properties).not.toHaveProperty('VersioningConfiguration');
  });

  it.each(buckets)('take nothing without TLS: %s', (name) => {
    expect(policies).toContainEqual({
      Bucket: { Ref: name },
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: '*',
            Action: 's3:*',
            Resource: [{ 'Fn::GetAtt': [name, 'Arn'] }, { 'Fn::Sub': `\${${name}.Arn}/*` }],
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
        ],
      },
    });
  });

  it('forget deliveries a day after their rows', () => {
    const inbox = buckets.find(([name]) => name === 'InboxBucket')?.[1].Properties;
    expect(inbox).toMatchObject({
      LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: 31 }] },
    });
  });

  it('forget exports after a week', () => {
    const exported = buckets.filter(([name]) => name === 'ExportBucket').map(([, { Properties }]) => Properties);
    for (const properties of exported)
      expect(properties).toMatchObject({
        LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: 7 }] },
      });
    expect(exported).toHaveLength(way === 'standalone' ? 1 : 0);
  });
});
