import { describe, expect, it } from 'vitest';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { check } from './check-stage.ts';

const keyArn = 'arn:aws:kms:eu-central-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const certificateArn = 'arn:aws:acm:eu-central-1:000000000000:certificate/1234abcd-12ab-34cd-56ef-1234567890ab';
const streamOf = (table: string) =>
  `arn:aws:dynamodb:eu-central-1:000000000000:table/${table}/stream/2026-11-25T10:00:00.000`;
const everything = {
  VpcSubnets: 'subnet-0a1b,subnet-0c2d',
  VpcSecurityGroups: 'sg-0a1b',
  KmsKeyArn: keyArn,
  DomainName: 'returns.example.com',
  DomainCertificateArn: certificateArn,
  TruststoreUri: 's3://example-trust/clients.pem',
  TruststoreVersion: '3HL4kqtJlcpXroDTDmJ',
  HooksDomainName: 'hooks.example.com',
  HooksCertificateArn: certificateArn,
  ExistingTable: 'returns-restored',
  ExistingTableStreamArn: streamOf('returns-restored'),
};

describe('parameters of the account', () => {
  it('are accepted together', async () => {
    expect(await check('standalone', everything)).toEqual([]);
    const { ExistingTableStreamArn: _, ...connected } = everything;
    expect(await check('connected', connected)).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['subnets without security groups', { VpcSubnets: 'subnet-1' }, 'VpcSubnets: needs a value of VpcSecurityGroups'],
    ['security groups alone', { VpcSecurityGroups: 'sg-1' }, 'VpcSecurityGroups: needs a value of VpcSubnets'],
    [
      'more subnets than Lambda accepts',
      { VpcSubnets: Array.from({ length: 17 }, (_, id) => `subnet-${id}`).join(','), VpcSecurityGroups: 'sg-1' },
      'VpcSubnets: has more than 16 items, which Lambda rejects',
    ],
    [
      'a domain without a certificate',
      { DomainName: 'returns.example.com' },
      'DomainName: needs a value of DomainCertificateArn',
    ],
    [
      'a certificate without a domain',
      { DomainCertificateArn: certificateArn },
      'DomainCertificateArn: needs a value of DomainName or HooksDomainName',
    ],
    [
      'a certificate in another region',
      { DomainName: 'a.example', DomainCertificateArn: certificateArn.replace('eu-central-1', 'us-east-1') },
      'DomainCertificateArn: is in us-east-1, and the stage is in eu-central-1',
    ],
    [
      'authorities without a domain',
      { TruststoreUri: 's3://example-trust/clients.pem' },
      'TruststoreUri: needs a value of DomainName',
    ],
    ['a version without authorities', { TruststoreVersion: '1' }, 'TruststoreVersion: needs a value of TruststoreUri'],
    [
      'hooks without a certificate',
      { HooksDomainName: 'hooks.example.com' },
      'HooksDomainName: needs a value of HooksCertificateArn or DomainCertificateArn',
    ],
    [
      'one domain for both APIs',
      { DomainName: 'a.example', HooksDomainName: 'a.example', DomainCertificateArn: certificateArn },
      'HooksDomainName: must differ from DomainName',
    ],
    [
      'a key in another region',
      { KmsKeyArn: keyArn.replace('eu-central-1', 'eu-west-1') },
      'KmsKeyArn: is in eu-west-1, and the stage is in eu-central-1',
    ],
    [
      'a table without its stream',
      { ExistingTable: 'returns-restored' },
      'ExistingTable: needs a value of ExistingTableStreamArn',
    ],
    [
      'the stream of another table',
      { ExistingTable: 'returns-restored', ExistingTableStreamArn: streamOf('returns') },
      'ExistingTableStreamArn: is not a stream of returns-restored',
    ],
  ])('are rejected with one sentence: %s', async (_, changes, error) => {
    expect(await check('standalone', changes)).toEqual([`parameter ${error}.`]);
  });

  it.each(Object.entries({ VpcSubnets: 'vpc-1', KmsKeyArn: 'alias/returns', DomainName: 'https://a.example' }))(
    'are rejected by their patterns first: %s',
    async (name, value) => {
      expect(await check('standalone', { [name]: value })).toEqual([
        expect.stringContaining(`parameter ${name}: must match `),
      ]);
    },
  );

  it('need no stream in the connected mode, which reads none', async () => {
    expect(await check('connected', { ExistingTable: 'returns-restored' })).toEqual([]);
  });
});

describe('parameters of agents', () => {
  const mutual = {
    DomainName: 'returns.shop.example',
    DomainCertificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b',
    TruststoreUri: 's3://certificates/truststore.pem',
  };

  it('are rejected where no API would have the tools: clients need a certificate, and users have no console', async () => {
    const sentence = 'parameter Mcp: needs Console on, because an API with TruststoreUri has no tools.';
    expect(await check('standalone', { ...mutual, Mcp: 'on' })).toEqual([sentence]);
    expect(await check('standalone', { Mcp: 'on' })).toEqual([]);
  });
});

describe('parameter of the public address of the policy', () => {
  it.each(modes)('needs the API for browsers in the %s mode', async (mode) => {
    expect(await check(mode, { WebApi: 'on', PublicPolicy: 'on' })).toEqual([]);
    expect(await check(mode, { WebApi: 'off', PublicPolicy: 'on' })).toEqual([
      'parameter PublicPolicy: needs WebApi on.',
    ]);
  });
});

describe('parameters of the page for withdrawals', () => {
  const page = { WebApi: 'on', WithdrawPage: 'on', ShopName: 'Lojã & Søn', WithdrawalTimeZone: 'Atlantic/Azores' };

  it.each(modes)('are accepted together in the %s mode', async (mode) => {
    const origins = 'https://shop.example,https://*.shop.example:8443';
    expect(await check(mode, { ...page, WithdrawPageFrameAncestors: origins })).toEqual([]);
  });

  it.each([
    ['without the API for browsers', { WebApi: 'off' }, 'WithdrawPage: needs WebApi on'],
    [
      'with an unknown zone',
      { WithdrawalTimeZone: 'Mars/Base' },
      'WithdrawalTimeZone: must be a time zone such as Europe/Berlin',
    ],
  ])('are rejected with one sentence: %s', async (_, changes, error) => {
    expect(await check('standalone', { ...page, ...changes })).toEqual([`parameter ${error}.`]);
  });

  it.each(['http://shop.example', 'https://shop.example/path', "https://a.example; script-src 'unsafe-inline'", '*'])(
    'are rejected with an origin that is none: %s',
    async (WithdrawPageFrameAncestors) => {
      const error = 'must be none, or https origins separated by commas';
      expect(await check('standalone', { ...page, WithdrawPageFrameAncestors })).toEqual([
        `parameter WithdrawPageFrameAncestors: ${error}.`,
      ]);
    },
  );
});

describe('parameters of the console', () => {
  const users = { WebApi: 'on', Console: 'on', ConsoleAudience: 'https://console.example', ConsoleClients: 'one,two' };

  it.each(modes)('are accepted together in the %s mode', async (mode) => {
    expect(await check(mode, { ...users, UserClaim: 'oid', UserNameClaim: 'https://a.example/name' })).toEqual([]);
  });

  it.each([
    ['without the API for browsers', { WebApi: 'off' }, 'Console: needs WebApi on'],
    ['without an audience', { ConsoleAudience: '' }, 'Console: needs a value of ConsoleAudience'],
    ['without a client', { ConsoleClients: '' }, 'Console: needs a value of ConsoleClients'],
    [
      'with an audience of clients',
      { TokenAudience: 'a,https://console.example' },
      'ConsoleAudience: must differ from every audience of TokenAudience',
    ],
    [
      'with the claim of the client for the user',
      { UserClaim: 'client_id' },
      'UserClaim: must differ from ClientClaim, which names the client',
    ],
    [
      'with a client that may write platform facts',
      { PlatformClients: 'shop,two' },
      'ConsoleClients: must not contain two, which PlatformClients lists',
    ],
  ])('are rejected with one sentence: %s', async (_, changes, error) => {
    expect(await check('standalone', { ...users, ...changes })).toEqual([`parameter ${error}.`]);
  });

  it('may stay in a stage whose console is off', async () => {
    expect(await check('standalone', { ...users, Console: 'off' })).toEqual([]);
  });
});

describe('parameters of rotations', () => {
  const hook = 'arn:aws:lambda:eu-central-1:123456789012:function:rotation-hook';

  it('are rejected for a rotation of the client secret without its hook', async () => {
    const error = 'parameter RotationHookArn: is required.';
    expect(await check('connected', { ClientSecretRotationDays: '30' })).toEqual([error]);
    expect(await check('connected', { ClientSecretRotationDays: '30', RotationHookArn: hook })).toEqual([]);
    expect(await check('connected', { RotationHookArn: hook })).toEqual([]);
  });

  it('are rejected for keys that would end cursors early', async () => {
    expect(await check('standalone', { KeyRotationDays: '29' })).toEqual([
      expect.stringMatching(/^parameter KeyRotationDays: must match /),
    ]);
    expect(await check('standalone', { KeyRotationDays: '30' })).toEqual([]);
  });
});
