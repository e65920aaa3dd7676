import type { Mode } from './functions/function-row.ts';

/*
 * The parameters that connect a deployment to resources of the account: networks, a key, domains and an existing table.
 * Each is empty by default. lib/tools/template/resources/account-template.ts and domain-template.ts make the template from them.
 */

/** A parameter of the template. */
export type AccountParameter = {
  readonly description: string;
  /** The pattern of a value; the empty text is valid too. */
  readonly pattern: string;
  /** Parameters of which one must have a value when this one has. */
  readonly needs?: readonly string[];
  /** Whether the value is an ARN in the region of the deployment. */
  readonly regional?: true;
  /** The only mode that has the parameter. @default both */
  readonly mode?: Mode;
};

const listOf = (item: string): string => `${item}(,${item})*`;
const certificate = 'arn:[^:]+:acm:[^:]+:[0-9]{12}:certificate/[0-9a-f-]+';
const domain = '([a-z0-9]([a-z0-9-]*[a-z0-9])?[.])+[a-z]{2,}';
const table = '[A-Za-z0-9_.-]{3,255}';

/** The parameters by name. */
export const accountParameters: Readonly<Record<string, AccountParameter>> = {
  VpcSubnets: {
    description: 'Subnets of the functions, separated by commas; the functions are in no VPC when empty',
    pattern: listOf('subnet-[0-9a-f]+'),
    needs: ['VpcSecurityGroups'],
  },
  VpcSecurityGroups: {
    description: 'Security groups of the functions, separated by commas, with VpcSubnets',
    pattern: listOf('sg-[0-9a-f]+'),
    needs: ['VpcSubnets'],
  },
  KmsKeyArn: {
    description: 'KMS key of table, buckets, queues, logs, secrets and variables; keys of AWS when empty',
    pattern: 'arn:[^:]+:kms:[^:]+:[0-9]{12}:key/[0-9a-z-]+',
    regional: true,
  },
  DomainName: {
    description: 'Domain of the API, whose default address is then closed; the default address when empty',
    pattern: domain,
    needs: ['DomainCertificateArn'],
  },
  DomainCertificateArn: {
    description: 'ACM certificate of DomainName, and of HooksDomainName unless HooksCertificateArn names another',
    pattern: certificate,
    needs: ['DomainName', 'HooksDomainName'],
    regional: true,
  },
  TruststoreUri: {
    description: 'File of S3 with the certificate authorities of callers, who then need a client certificate',
    pattern: 's3://[a-z0-9.-]{3,63}/[^\\s]+',
    needs: ['DomainName'],
  },
  TruststoreVersion: {
    description: 'Version of the file at TruststoreUri, in a bucket with versions',
    pattern: '[^\\s]{1,1024}',
    needs: ['TruststoreUri'],
  },
  HooksDomainName: {
    description: 'Domain of the webhooks of platforms, whose default address is then closed',
    pattern: domain,
    needs: ['HooksCertificateArn', 'DomainCertificateArn'],
  },
  HooksCertificateArn: {
    description: 'ACM certificate of HooksDomainName',
    pattern: certificate,
    needs: ['HooksDomainName'],
    regional: true,
  },
  ExistingTable: {
    description: 'Table to use, such as a restored one; the stack makes a table when empty',
    pattern: table,
    needs: ['ExistingTableStreamArn'],
  },
  ExistingTableStreamArn: {
    description: 'Stream of ExistingTable, with keys only',
    pattern: `arn:[^:]+:dynamodb:[^:]+:[0-9]{12}:table/${table}/stream/[^/]+`,
    needs: ['ExistingTable'],
    regional: true,
    mode: 'standalone',
  },
};

/** An error of a deployment, as the end of a sentence about its parameter, when that is known. */
export type ParameterError = { readonly parameter: string | undefined; readonly error: string };

type Values = Readonly<Record<string, string>>;

/** Lambda accepts so many subnets and security groups. https://docs.aws.amazon.com/lambda/latest/api/API_VpcConfig.html */
const maxItems: Readonly<Record<string, number>> = { VpcSubnets: 16, VpcSecurityGroups: 5 };

const errorsOf = (name: string, { needs, regional }: AccountParameter, values: Values, region: string) => {
  const value = values[name] ?? '';
  if (value === '') return [];
  // A mode does not have each parameter.
  const needed = (needs ?? []).filter((other) => Object.hasOwn(values, other));
  const [, , , arnRegion = ''] = value.split(':');
  const limit = maxItems[name] ?? Infinity;
  return [
    ...(needed.length === 0 || needed.some((other) => values[other] !== '')
      ? []
      : [`needs a value of ${needed.join(' or ')}`]),
    ...(regional !== true || arnRegion === region ? [] : [`is in ${arnRegion}, and the stage is in ${region}`]),
    ...(value.split(',').length > limit ? [`has more than ${limit} items, which Lambda rejects`] : []),
  ];
};

/** Returns what the console lacks, and what would make a token of a client valid as one of a user. */
const consoleErrors = (values: Values): readonly ParameterError[] => {
  const { Console, WebApi, TokenAudience = '', ConsoleAudience = '', ConsoleClients = '' } = values;
  const { UserClaim, ClientClaim, PlatformClients = '' } = values;
  const platformClients = PlatformClients.split(',');
  const both = ConsoleClients.split(',').find((client) => client !== '' && platformClients.includes(client));
  return [
    ...(Console === 'on' && WebApi !== 'on' ? [{ parameter: 'Console', error: 'needs WebApi on' }] : []),
    ...(Console === 'on'
      ? Object.entries({ ConsoleAudience, ConsoleClients })
          .filter(([, value]) => value === '')
          .map(([name]) => ({ parameter: 'Console', error: `needs a value of ${name}` }))
      : []),
    ...(ConsoleAudience !== '' && TokenAudience.split(',').includes(ConsoleAudience)
      ? [{ parameter: 'ConsoleAudience', error: 'must differ from every audience of TokenAudience' }]
      : []),
    ...(Console === 'on' && UserClaim !== undefined && UserClaim === ClientClaim
      ? [{ parameter: 'UserClaim', error: 'must differ from ClientClaim, which names the client' }]
      : []),
    ...(both === undefined
      ? []
      : [{ parameter: 'ConsoleClients', error: `must not contain ${both}, which PlatformClients lists` }]),
  ];
};

/** Returns the combinations of two values that AWS rejects, or that would not work. */
const pairErrors = (values: Values): readonly ParameterError[] => {
  const { DomainName = '', HooksDomainName = '', ExistingTable = '', ExistingTableStreamArn = '' } = values;
  const { WebApi, Mcp, Console, TruststoreUri = '' } = values;
  return [
    ...(HooksDomainName !== '' && HooksDomainName === DomainName
      ? [{ parameter: 'HooksDomainName', error: 'must differ from DomainName' }]
      : []),
    ...(ExistingTable !== '' &&
    ExistingTableStreamArn !== '' &&
    !ExistingTableStreamArn.includes(`:table/${ExistingTable}/stream/`)
      ? [{ parameter: 'ExistingTableStreamArn', error: `is not a stream of ${ExistingTable}` }]
      : []),
    ...['WithdrawPage', 'PublicPolicy'].flatMap((parameter) =>
      values[parameter] === 'on' && WebApi !== 'on' ? [{ parameter, error: 'needs WebApi on' }] : [],
    ),
    ...(Mcp === 'on' && TruststoreUri !== '' && Console !== 'on'
      ? [{ parameter: 'Mcp', error: 'needs Console on, because an API with TruststoreUri has no tools' }]
      : []),
    ...consoleErrors(values),
  ];
};

/**
 * Finds parameters that do not fit each other or the region. CloudFormation would fail on them after
 * minutes.
 *
 * @param values a value for each parameter of the template
 */
export const findCombinationErrors = (values: Values, region: string): readonly ParameterError[] => [
  ...Object.entries(accountParameters).flatMap(([parameter, row]) =>
    errorsOf(parameter, row, values, region).map((error) => ({ parameter, error })),
  ),
  ...pairErrors(values),
];
