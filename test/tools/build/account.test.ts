import { describe, expect, it } from 'vitest';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { packaged } from '../../support/roles.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from '../../support/bundles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

const templateOf = (mode: Mode) => packagedTemplate(mode);
const key = 'arn:aws:kms:eu-central-1:000000000000:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const certificate = 'arn:aws:acm:eu-central-1:000000000000:certificate/1234abcd-12ab-34cd-56ef-1234567890ab';
const network = { VpcSubnets: 'subnet-1,subnet-2', VpcSecurityGroups: 'sg-1' };

type Properties = Readonly<Record<string, unknown>>;

const propertiesOf = async (mode: Mode, type: string, parameters: Readonly<Record<string, string>> = {}) =>
  (await packaged(mode, parameters)).ofType(type).map(({ logicalId, properties }) => [logicalId, properties] as const);

const grantedOf = async (mode: Mode, parameters: Readonly<Record<string, string>>) => {
  const deployment = await packaged(mode, parameters);
  return [...identitiesOf(deployment, functionSpecs(deployment)).values()];
};

describe.each(modes)('network of the %s mode', (mode) => {
  it('connects every function to the subnets, and none without them', async () => {
    const configOf = async (parameters: Readonly<Record<string, string>>) =>
      (await propertiesOf(mode, 'AWS::Lambda::Function', parameters)).map(([, { VpcConfig }]) => VpcConfig);
    expect(new Set(await configOf({}))).toEqual(new Set([undefined]));
    const connected = await configOf(network);
    expect(connected).toHaveLength(functionFiles(offers[mode]).length);
    for (const config of connected)
      expect(config).toEqual({ SubnetIds: ['subnet-1', 'subnet-2'], SecurityGroupIds: ['sg-1'] });
  });

  it('is for Lambda itself: a policy permits the interfaces to it, and denies them to the code', async () => {
    const attached = async (parameters: Readonly<Record<string, string>>) =>
      (await propertiesOf(mode, 'AWS::IAM::Role', parameters))
        .filter(([, { ManagedPolicyArns = [] }]) => (ManagedPolicyArns as readonly string[]).length > 0)
        .map(([name]) => name);
    expect(await attached({})).toEqual([]);
    expect(await attached(network)).toHaveLength(functionFiles(offers[mode]).length);
    expect(await propertiesOf(mode, 'AWS::IAM::ManagedPolicy')).toEqual([]);
    const [policy] = (await propertiesOf(mode, 'AWS::IAM::ManagedPolicy', network)).map(
      ([, { PolicyDocument }]) =>
        PolicyDocument as { readonly Statement: readonly { readonly Action: readonly string[] }[] },
    );
    const [allowed, denied] = policy?.Statement ?? [];
    expect(allowed).toMatchObject({ Effect: 'Allow', Resource: '*' });
    expect(allowed?.Action).toContain('ec2:CreateNetworkInterface');
    expect(denied).toEqual({
      ...allowed,
      Effect: 'Deny',
      Condition: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    });
  });
});

/** The property with the key, for each type of resource that stores data. */
const keyOf: Readonly<Record<string, (properties: Properties) => unknown>> = {
  'AWS::DynamoDB::Table': ({ SSESpecification }) => (SSESpecification as Properties)['KMSMasterKeyId'],
  'AWS::Lambda::Function': ({ KmsKeyArn }) => KmsKeyArn,
  'AWS::Logs::LogGroup': ({ KmsKeyId }) => KmsKeyId,
  'AWS::S3::Bucket': ({ BucketEncryption }) =>
    (
      BucketEncryption as {
        readonly ServerSideEncryptionConfiguration: readonly { readonly ServerSideEncryptionByDefault: Properties }[];
      }
    ).ServerSideEncryptionConfiguration[0]?.ServerSideEncryptionByDefault['KMSMasterKeyID'],
  'AWS::SQS::Queue': ({ KmsMasterKeyId }) => KmsMasterKeyId,
  'AWS::SecretsManager::Secret': ({ KmsKeyId }) => KmsKeyId,
};

describe.each(modes)('key of the %s mode', (mode) => {
  const keysOf = async (type: string, parameters: Readonly<Record<string, string>>) =>
    (await propertiesOf(mode, type, parameters))
      // The framework's own bucket holds code, and no data.
      .filter(([name]) => name !== 'ServerlessDeploymentBucket')
      .map(([, properties]) => keyOf[type]?.(properties));

  it.each(Object.keys(keyOf))('encrypts each %s, and none without the parameter', async (type) => {
    expect(new Set(await keysOf(type, {}))).toEqual(new Set([undefined]));
    expect(new Set(await keysOf(type, { KmsKeyArn: key }))).toEqual(new Set([key]));
  });

  it('replaces the encryption of SQS, which is on without it', async () => {
    const own = async (parameters: Readonly<Record<string, string>>) =>
      new Set(
        (await propertiesOf(mode, 'AWS::SQS::Queue', parameters)).map(
          ([, properties]) => properties['SqsManagedSseEnabled'],
        ),
      );
    expect(await own({})).toEqual(new Set([true]));
    expect(await own({ KmsKeyArn: key })).toEqual(new Set([false]));
  });

  it('may be used by each role as far as its calls need it, and by none without the parameter', async () => {
    const uses = ({ permissions }: Awaited<ReturnType<typeof grantedOf>>[number]) =>
      permissions.filter(({ action }) => action.startsWith('kms:'));
    expect((await grantedOf(mode, {})).flatMap(uses)).toEqual([]);
    const granted = await grantedOf(mode, { KmsKeyArn: key });
    expect(granted.flatMap(uses).filter(({ resource }) => resource !== key)).toEqual([]);
    // Lambda decrypts the variables of each function with its role.
    expect(granted.filter((one) => !uses(one).some(({ action }) => action === 'kms:Decrypt'))).toEqual([]);
    const writing =
      /^(?:s3:PutObject|sqs:SendMessage|dynamodb:(?:Put|Update|Delete)Item|secretsmanager:PutSecretValue)$/;
    for (const one of granted) {
      const makesKeys = uses(one).some(({ action }) => action === 'kms:GenerateDataKey');
      const writes = one.permissions.some(({ action }) => writing.test(action));
      expect({ function: one.function, makesKeys }).toEqual({ function: one.function, makesKeys: writes });
    }
  });
});

it.each([
  ['standalone', 'HistoryKeys', 'HistoryKmsKeyArn'],
  ['standalone', 'ReceiptKeys', 'ReceiptKmsKeyArn'],
  ['standalone', 'SearchKeys', 'SearchKmsKeyArn'],
  ['connected', 'SharedReadToken', 'SharedTokenKmsKeyArn'],
] as const)('key of the %s mode leaves %s the key of its own', async (mode, secret, parameter) => {
  const own = key.replace('1234', '9999');
  const secrets = new Map(
    await propertiesOf(mode, 'AWS::SecretsManager::Secret', { KmsKeyArn: key, [parameter]: own }),
  );
  expect(secrets.get(secret)?.['KmsKeyId']).toBe(own);
});

describe.each(modes)('domains of the %s mode', (mode) => {
  const domain = { DomainName: 'returns.example.com', DomainCertificateArn: certificate };

  it('close the default address of their API, and of no other', async () => {
    const closed = async (parameters: Readonly<Record<string, string>>) =>
      (await propertiesOf(mode, 'AWS::ApiGatewayV2::Api', parameters))
        .filter(([, { Body }]) => 'servers' in (Body as object))
        .map(([name, { Body }]) => [name, (Body as { readonly servers: unknown }).servers]);
    const endpoint = { 'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true } };
    expect(await closed({})).toEqual([]);
    expect(await closed(domain)).toEqual([['Api', [{ url: 'https://returns.example.com', ...endpoint }]]]);
    const hooks = { HooksDomainName: 'hooks.example.com', HooksCertificateArn: certificate };
    expect(await closed(hooks)).toEqual([['Hooks', [{ url: 'https://hooks.example.com', ...endpoint }]]]);
  });

  it('ask callers of the API for a certificate, and never a platform', async () => {
    const { Resources, ...rest } = await templateOf(mode);
    const { Outputs } = rest as unknown as { readonly Outputs: Readonly<Record<string, object>> };
    const conditions = ['ApiDomain', 'ApiMapping', 'HooksDomain', 'HooksMapping'].map(
      (name) => Resources[name]?.Condition,
    );
    expect(conditions).toEqual(['NamesDomain', 'NamesDomain', 'NamesHooksDomain', 'NamesHooksDomain']);
    expect(Resources['ApiDomain']?.Properties).toMatchObject({
      DomainNameConfigurations: [{ EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' }],
      MutualTlsAuthentication: { 'Fn::If': ['TrustsClients', expect.anything(), { Ref: 'AWS::NoValue' }] },
    });
    expect(Resources['HooksDomain']?.Properties).not.toHaveProperty('MutualTlsAuthentication');
    expect(Object.keys(Outputs)).toEqual(
      expect.arrayContaining(['ApiUrl', 'ApiDomainTarget', 'HooksUrl', 'HooksDomainTarget']),
    );
  });
});

describe.each(modes)('existing table of the %s mode', (mode) => {
  const parameters = {
    ExistingTable: 'returns-restored',
    ExistingTableStreamArn: 'arn:aws:dynamodb:eu-central-1:000000000000:table/returns-restored/stream/1',
  };

  it('replaces the table of the stack in variables, roles and stream mappings', async () => {
    const deployment = await packaged(mode, parameters);
    expect(deployment.ofType('AWS::DynamoDB::Table')).toEqual([]);
    expect(deployment.adoptedTables().map(({ local }) => local.ref)).toEqual(['returns-restored']);
    const specs = functionSpecs(deployment);
    expect(new Set(specs.map(({ environment }) => environment['TABLE_NAME']))).toEqual(new Set(['returns-restored']));
    const resources = [...identitiesOf(deployment, specs).values()]
      .flatMap(({ permissions }) => permissions)
      .filter(({ action }) => action.startsWith('dynamodb:'))
      .map(({ resource }) => resource.split('/')[1]);
    expect(new Set(resources)).toEqual(new Set(['returns-restored']));
    const streams = deployment
      .ofType('AWS::Lambda::EventSourceMapping')
      .map(({ properties }) => String(properties['EventSourceArn']))
      .filter((arn) => arn.includes(':dynamodb:'));
    expect(streams).toEqual(
      mode === 'standalone' ? [parameters.ExistingTableStreamArn, parameters.ExistingTableStreamArn] : [],
    );
  });

  it('is reached only through a condition, so that CloudFormation accepts the template without a table', async () => {
    const { Resources } = await templateOf(mode);
    const naming = Object.entries(Resources).filter(([name, resource]) => {
      const text = JSON.stringify(resource, (field, value: unknown) => (field === 'Fn::If' ? undefined : value));
      return name !== 'Table' && (text.includes('"Ref":"Table"') || /"Table","|"Table[.]|[$][{]Table[.}]/.test(text));
    });
    expect(naming.map(([name]) => name)).toEqual([]);
    expect(Resources['Table']?.Condition).toBe('MakesTable');
  });
});
