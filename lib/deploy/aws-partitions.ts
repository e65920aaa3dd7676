import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SignatureV4 } from '@smithy/signature-v4';
import { parseObject } from '../runtime/json.ts';
import type { DeployedStage } from './stack-outputs.ts';

/*
 * Proves in a deployed stage that a role reaches its partitions only, in transactions too. It writes nothing: each write
 * has a condition that never holds. AWS checks the permissions before the conditions.
 */

/** Returns the name of the stage's table. A stage with ExistingTable makes none. */
export const tableName = ({ parameters, physical }: DeployedStage): string =>
  parameters['ExistingTable'] || physical('Table');

/** What a check found, with the reason in one sentence. */
export type Finding = { readonly result: 'pass' | 'FAIL' | 'skipped'; readonly why: string };

export const pass = (why: string): Finding => ({ result: 'pass', why });
export const failed = (why: string): Finding => ({ result: 'FAIL', why });

/** Each call ends after this time. No call by hand is repeated: the command can be run again. */
export const timeoutMs = 15_000;
export const clientSettings = {
  maxAttempts: 3,
  requestHandler: { requestTimeout: timeoutMs, throwOnRequestTimeout: true },
};

type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string };

type Call = {
  readonly service: 'apigateway' | 'iam' | 'sts';
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
};

/** The variable that replaces an endpoint. https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html */
const endpointVariables = { apigateway: 'APIGATEWAYV2', iam: 'IAM', sts: 'STS' } as const;

/**
 * Returns the origin of a service and the region of its signatures. IAM has one endpoint for each partition.
 * https://docs.aws.amazon.com/general/latest/gr/iam-service.html
 */
const endpointOf = (service: Call['service'], region: string): readonly [string, string] => {
  const own = process.env[`AWS_ENDPOINT_URL_${endpointVariables[service]}`] || process.env['AWS_ENDPOINT_URL'];
  const isChina = region.startsWith('cn-');
  const isGov = region.startsWith('us-gov-');
  const global = isChina ? 'cn-north-1' : isGov ? 'us-gov-west-1' : 'us-east-1';
  const suffix = isChina ? 'amazonaws.com.cn' : 'amazonaws.com';
  if (service !== 'iam') return [own || `https://${service}.${region}.${suffix}`, region];
  return [own || `https://iam${isChina ? '.cn-north-1' : isGov ? '.us-gov' : ''}.${suffix}`, global];
};

/**
 * Sends a signed request to a service for which the bundle has no client, and returns the text of its answer.
 *
 * @throws {Error} with the status and the code of AWS when it refuses
 */
export const callAws = async (
  { region }: DeployedStage,
  { service, method, path, query = {}, form }: Call,
): Promise<string> => {
  const [origin, signingRegion] = endpointOf(service, region);
  const { protocol, hostname, host, port } = new URL(origin);
  const { credentials, sha256 } = new LambdaClient({ region }).config;
  const signer = new SignatureV4({ service, region: signingRegion, credentials, sha256 });
  const body = form === undefined ? undefined : new URLSearchParams(form).toString();
  const { headers } = await signer.sign({
    method,
    protocol,
    hostname,
    ...(port !== '' && { port: Number(port) }),
    path,
    query: { ...query },
    headers: { host, ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }) },
    ...(body !== undefined && { body }),
  });
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`;
  const { host: _, ...sent } = headers;
  const response = await fetch(`${origin}${path}${search}`, {
    method,
    headers: sent,
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (response.ok) return text;
  const code = /<Code>([^<]+)</.exec(text)?.[1] ?? response.headers.get('x-amzn-errortype') ?? '';
  throw new Error(`${service} ${form?.['Action'] ?? path} answers ${response.status} ${code}`.trim());
};

const iam = async (stage: DeployedStage, Action: string, form: Readonly<Record<string, string>>): Promise<string> =>
  callAws(stage, { service: 'iam', method: 'POST', path: '/', form: { Action, Version: '2010-05-08', ...form } });

const sts = async (stage: DeployedStage, Action: string, form: Readonly<Record<string, string>>): Promise<string> =>
  callAws(stage, { service: 'sts', method: 'POST', path: '/', form: { Action, Version: '2011-06-15', ...form } });

export const elementIn = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

type Statement = {
  readonly Action?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

const actionsOf = ({ Action = [] }: Statement): readonly string[] => [Action].flat();

const leadingKeysOf = ({ Condition }: Statement): readonly string[] =>
  [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat();

/** Reads the statements of a function's role about items of the table, and about the key that encrypts them. */
const tableStatements = async (stage: DeployedStage, role: string): Promise<readonly Statement[]> => {
  const answer = await iam(stage, 'GetRolePolicy', { RoleName: role, PolicyName: 'function' });
  const document = parseObject(decodeURIComponent(elementIn(answer, 'PolicyDocument')));
  const statements = (document?.['Statement'] ?? []) as readonly Statement[];
  return statements.filter((one) => actionsOf(one).some((action) => /^(dynamodb|kms):/.test(action)));
};

/** New roles and policies of IAM take some seconds to become effective everywhere. */
const consistencyMs = 60_000;
const pauseMs = 2_000;

/** Repeats an attempt until it succeeds or the time is over, and returns its last result. */
const untilEffective = async <Result>(
  attempt: () => Promise<Result>,
  isEffective: (result: Result) => boolean,
): Promise<Result> => {
  const deadline = Date.now() + consistencyMs;
  for (;;) {
    const result = await attempt();
    if (isEffective(result) || Date.now() + pauseMs > deadline) return result;
    await pause(pauseMs);
  }
};

/** Assumes a role that this command has created. Returns the reason as text when AWS refuses. */
const assume = async (stage: DeployedStage, roleArn: string, externalId: string): Promise<Credentials | string> => {
  try {
    const answer = await sts(stage, 'AssumeRole', {
      RoleArn: roleArn,
      RoleSessionName: 'aws-check',
      ExternalId: externalId,
      DurationSeconds: '900',
    });
    const [accessKeyId, secretAccessKey, sessionToken] = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].map(
      (name) => elementIn(answer, name),
    ) as [string, string, string];
    return { accessKeyId, secretAccessKey, sessionToken };
  } catch (error) {
    return error instanceof Error ? error.message : 'the role cannot be assumed';
  }
};

const documentOf = (Statement: readonly object[]) => JSON.stringify({ Version: '2012-10-17', Statement });

/**
 * Runs work with a role that has these statements, and deletes the role. Only callers of this account with the random
 * external id can assume it. https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
const withRole = async <Result>(
  stage: DeployedStage,
  statements: readonly Statement[],
  work: (credentials: Credentials) => Promise<Result>,
): Promise<Result> => {
  const externalId = randomBytes(16).toString('hex');
  const RoleName = `returns-aws-check-${externalId.slice(0, 12)}`;
  const caller = elementIn(await sts(stage, 'GetCallerIdentity', {}), 'Arn');
  const [, partition = 'aws', , , account = ''] = caller.split(':');
  const trust = {
    Effect: 'Allow',
    Principal: { AWS: `arn:${partition}:iam::${account}:root` },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  };
  const created = await iam(stage, 'CreateRole', { RoleName, AssumeRolePolicyDocument: documentOf([trust]) });
  const policy = { RoleName, PolicyName: 'function' };
  try {
    await iam(stage, 'PutRolePolicy', { ...policy, PolicyDocument: documentOf(statements) });
    const credentials = await untilEffective(
      () => assume(stage, elementIn(created, 'Arn'), externalId),
      (found) => typeof found !== 'string',
    );
    if (typeof credentials === 'string') throw new Error(credentials);
    return await work(credentials);
  } finally {
    await iam(stage, 'DeleteRolePolicy', policy).catch(() => undefined);
    await iam(stage, 'DeleteRole', { RoleName }).catch(() => {
      throw new Error(`the role ${RoleName} of this check was not deleted: delete it by hand`);
    });
  }
};

/** Writes items on a condition that never holds, and returns the name of the error. Nothing is stored. */
const writeNothing = async (client: DynamoDBClient, table: string, keys: readonly string[]): Promise<string> => {
  const TransactItems = keys.map((pk) => ({
    Put: {
      TableName: table,
      Item: { pk: { S: pk }, sk: { S: 'AWS-CHECK' } },
      ConditionExpression: 'attribute_exists(pk)',
    },
  }));
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    return 'a success';
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
};

/** The refusal of a transaction by its conditions, after the permissions were granted. */
const permitted = 'TransactionCanceledException';
const denied = 'AccessDeniedException';

/**
 * Writes transactions under the policy of a deployed function: within its partitions, and beyond them. A transaction
 * needs the permissions of its items, and the condition on `dynamodb:LeadingKeys` must hold for all of them.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export const checkPartitions = async (stage: DeployedStage): Promise<Finding> => {
  const logicalId = stage.mode === 'standalone' ? 'ApproveRole' : 'ReceiveWebhookRole';
  const statements = await tableStatements(stage, stage.physical(logicalId));
  const patterns = statements.filter((one) => actionsOf(one).includes('dynamodb:PutItem')).flatMap(leadingKeysOf);
  if (patterns.length === 0) return failed(`the policy of ${logicalId} limits no writes to partitions`);
  const unique = randomBytes(8).toString('hex');
  const own = patterns.map((pattern) => pattern.replace('*', `aws-check-${unique}`));
  return withRole(stage, statements, async (credentials) => {
    const client = new DynamoDBClient({ ...clientSettings, region: stage.region, credentials });
    try {
      const table = tableName(stage);
      const within = await untilEffective(
        () => writeNothing(client, table, own),
        (found) => found !== denied && found !== 'UnrecognizedClientException',
      );
      if (within !== permitted) return failed(`a transaction within ${patterns.join(', ')} gets ${within}`);
      const beyond = await writeNothing(client, table, [...own.slice(0, 1), `AWSCHECK#${unique}`]);
      return beyond === denied
        ? pass(`${logicalId} writes ${patterns.join(', ')}, and a transaction with one other partition is denied`)
        : failed(`a transaction with a partition outside ${patterns.join(', ')} gets ${beyond}`);
    } finally {
      client.destroy();
    }
  });
};
