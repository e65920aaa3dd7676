import type { Stage } from './stage-file.ts';

type Values = Readonly<Record<string, string>>;

/** What a value of a parameter needs in the account. The check of a stage file cannot see it. */
const partsOfParameters: Values = {
  TokenIssuer: 'the issuer answers, and its tokens have the claims that the parameters name',
  ServiceUrl: 'the Returns Service answers; npm run deploy reads from it before it changes the stack',
  ClientSecretId: 'the secret exists, and holds clientId and clientSecret',
  PlatformSecrets: 'a secret exists for each platform',
  AlarmTopic: 'the topic exists, and alarms may publish to it',
  VpcSubnets: 'the subnets exist, and reach AWS and the Returns Service',
  VpcSecurityGroups: 'the security groups exist, and permit these connections',
  KmsKeyArn: 'the key exists, and its policy permits this deployment',
  SharedTokenKmsKeyArn: 'the key exists',
  HistoryKmsKeyArn: 'the key exists',
  ReceiptKmsKeyArn: 'the key exists',
  SearchKmsKeyArn: 'the key exists',
  DomainCertificateArn: 'the certificate is issued for the domain',
  HooksCertificateArn: 'the certificate is issued for the domain',
  TruststoreUri: 'the file exists, and holds certificates of authorities in PEM',
  ExistingTable: 'the table exists, with the keys and indexes of this service',
  RotationHookArn: 'the function exists, and Secrets Manager may invoke it',
  MailSender: 'SES has verified the sender, and the account is out of the sandbox',
  AdobeEventSource: 'the event bus of the source exists',
  CommercetoolsEventSource: 'the event bus of the source exists',
  ShopifyEventSource: 'the event bus of the source exists',
};

/** What every deployment needs in the account. */
const always = ['the rights of the deployer', 'the quotas of the account, such as 1,000 concurrent executions'];

/** Returns what a check without credentials cannot see, a line for each. */
const unseenParts = (values: Values): readonly string[] => [
  ...Object.entries(partsOfParameters).flatMap(([parameter, part]) => {
    const value = values[parameter] ?? '';
    return ['', 'none', 'create'].includes(value) ? [] : [`${parameter}=${value}: ${part}`];
  }),
  ...always,
];

/** Returns where the functions call the Returns Service: two parameters make each address. */
const addresses = ({ ServiceUrl, ServicePath = '', AuthUrl, TokenPath = '' }: Values): readonly string[] =>
  ServiceUrl === undefined || AuthUrl === undefined
    ? []
    : [
        `Operations are at ${ServiceUrl}${ServicePath === '/' ? '' : ServicePath}/… (ServiceUrl and ServicePath).`,
        `Tokens are from ${AuthUrl}${TokenPath} (AuthUrl and TokenPath), unless the client secret has an authUrl.`,
      ];

/** Returns what a person reads of a deployment before it changes anything. */
export const deploymentLines = (
  name: string,
  { mode, region, parameters }: Stage,
  values: Values,
): readonly string[] => [
  `The ${mode} mode as returns-${name} in ${region}:`,
  ...Object.entries(values).map(([parameter, value]) => `  ${parameter}=${value}`),
  `${Object.keys(parameters).length} values are from the file. The others are defaults.`,
  ...addresses(values),
  'Only the account can show the following:',
  ...unseenParts(values).map((part) => `  ${part}`),
];

/** Returns the verdict on a stage file, with the number of its errors. */
export const verdictOf = (file: string, errors: number): string =>
  errors === 0
    ? `${file} has no errors.`
    : `${file} has ${errors} ${errors === 1 ? 'error' : 'errors'}. Nothing is deployed.`;
