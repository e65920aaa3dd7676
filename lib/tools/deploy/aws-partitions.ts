import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, TransactionCanceledException, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { parseObject } from '../../runtime/json.ts';
import { clientSettings, elementIn, failed, type Finding, iam, isRejected, passed, reasonOf, sts } from './aws-call.ts';
import type { DeployedStage } from './stack-outputs.ts';

/*
 * Proves in a deployed stage that a role reaches its partitions only, in transactions too. It writes nothing: each write
 * has a condition that never holds. AWS checks the permissions before the conditions.
 */

/** Returns the name of the stage's table. A stage with ExistingTable makes none. */
export const tableName = ({ parameters, physical }: DeployedStage): string =>
  parameters['ExistingTable'] || physical('Table');

type Credentials = { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken: string };

type Statement = {
  readonly Action?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
};

const actionsOf = ({ Action = [] }: Statement): readonly string[] => [Action].flat();

const leadingKeysOf = ({ Condition }: Statement): readonly string[] =>
  [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat();

/**
 * Reads the statements of a function's role about items of the table, and about the key that encrypts them.
 * https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetRolePolicy.html
 */
const tableStatements = async (stage: DeployedStage, role: string): Promise<readonly Statement[]> => {
  const answer = await iam(stage, 'GetRolePolicy', { RoleName: role, PolicyName: 'function' });
  const document = parseObject(decodeURIComponent(elementIn(answer, 'PolicyDocument')));
  const statements = (document?.['Statement'] ?? []) as readonly Statement[];
  return statements.filter((statement) => actionsOf(statement).some((action) => /^(dynamodb|kms):/.test(action)));
};

/**
 * New roles and policies of IAM take some seconds to become effective everywhere.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot.html#troubleshoot_general_eventual-consistency
 */
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

/** Assumes a role that this command has created. Returns the reason as text when AWS rejects the call. */
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
    return reasonOf(error);
  }
};

const documentOf = (Statement: readonly object[]) => JSON.stringify({ Version: '2012-10-17', Statement });

type RolePolicy = { readonly RoleName: string; readonly PolicyName: string };

/** Deletes a role of this command with its policy. Returns what remains, in one sentence; empty when nothing remains. */
const deleteRole = async (stage: DeployedStage, policy: RolePolicy): Promise<string> => {
  const { RoleName } = policy;
  try {
    // The policy does not exist when its creation failed. IAM deletes no role with a policy.
    await iam(stage, 'DeleteRolePolicy', policy).catch(() => undefined);
    await iam(stage, 'DeleteRole', { RoleName });
    return '';
  } catch (error) {
    return `the role ${RoleName} of this check was not deleted (${reasonOf(error)}): delete it by hand`;
  }
};

/** Creates a role that callers of this account can assume with an external id, and returns its ARN. */
const createRole = async (stage: DeployedStage, RoleName: string, externalId: string): Promise<string> => {
  const caller = elementIn(await sts(stage, 'GetCallerIdentity', {}), 'Arn');
  const [, partition = 'aws', , , account = ''] = caller.split(':');
  const trust = {
    Effect: 'Allow',
    Principal: { AWS: `arn:${partition}:iam::${account}:root` },
    Action: 'sts:AssumeRole',
    Condition: { StringEquals: { 'sts:ExternalId': externalId } },
  };
  try {
    const answer = await iam(stage, 'CreateRole', { RoleName, AssumeRolePolicyDocument: documentOf([trust]) });
    return elementIn(answer, 'Arn');
  } catch (error) {
    if (error instanceof Error && isRejected(error)) throw error;
    const rest = await deleteRole(stage, { RoleName, PolicyName: 'function' });
    throw new Error([reasonOf(error), rest].filter((text) => text !== '').join('; '), { cause: error });
  }
};

/**
 * Runs work with a role that has these statements, and deletes the role. Only callers of this account with the random
 * external id can assume it. https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_common-scenarios_third-party.html
 */
const withRole = async (
  stage: DeployedStage,
  statements: readonly Statement[],
  work: (credentials: Credentials) => Promise<Finding>,
): Promise<Finding> => {
  const externalId = randomBytes(16).toString('hex');
  const policy: RolePolicy = { RoleName: `returns-aws-check-${externalId.slice(0, 12)}`, PolicyName: 'function' };
  const arn = await createRole(stage, policy.RoleName, externalId);
  const run = async (): Promise<Finding> => {
    await iam(stage, 'PutRolePolicy', { ...policy, PolicyDocument: documentOf(statements) });
    const credentials = await untilEffective(
      () => assume(stage, arn, externalId),
      (found) => typeof found !== 'string',
    );
    return typeof credentials === 'string' ? failed(credentials) : work(credentials);
  };
  const finding = await run().catch((error: unknown) => failed(reasonOf(error)));
  const rest = await deleteRole(stage, policy);
  return rest === '' ? finding : failed(`${finding.why}; ${rest}`);
};

/** A write of one item. `sk` differs by action, because a transaction writes an item once. */
type Write = { readonly action: 'Delete' | 'Put'; readonly pk: string };

/** The result of a transaction that its conditions ended, after AWS had granted its permissions. */
const permitted = 'a permission';
const denied = 'AccessDeniedException';
/** Errors of credentials and policies that are not yet effective everywhere. */
const ineffective = new Set([denied, 'UnrecognizedClientException', 'InvalidClientTokenId']);

/**
 * Writes items on conditions that never hold, and returns the name of the error. Nothing is stored.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const writeNothing = async (client: DynamoDBClient, table: string, writes: readonly Write[]): Promise<string> => {
  const TransactItems = writes.map(({ action, pk }) => {
    const key = { pk: { S: pk }, sk: { S: `AWS-CHECK#${action}` } };
    const rest = { TableName: table, ConditionExpression: 'attribute_exists(pk)' };
    return action === 'Put' ? { Put: { ...rest, Item: key } } : { Delete: { ...rest, Key: key } };
  });
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    return 'a success';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) return error instanceof Error ? error.name : String(error);
    const codes = (error.CancellationReasons ?? []).flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]));
    const isByCondition = codes.length > 0 && codes.every((code) => code === 'ConditionalCheckFailed');
    return isByCondition ? permitted : `${error.name} ${codes.join(', ')}`.trim();
  }
};

/** Returns the patterns of the partitions that statements permit an action on. */
const patternsOf = (statements: readonly Statement[], action: string): readonly string[] => [
  ...new Set(statements.filter((statement) => actionsOf(statement).includes(action)).flatMap(leadingKeysOf)),
];

/**
 * Writes transactions under the policy of a deployed function: within its partitions, beyond them, and within them
 * again. A transaction needs the permissions of its items. Where the function writes by two actions, AWS must compare
 * each item with the statement of its own action. The last transaction proves that the policy was still effective when
 * AWS denied the one before.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html
 */
export const checkPartitions = async (stage: DeployedStage): Promise<Finding> => {
  // In the standalone mode, this function has the transaction with most partitions and both actions.
  const logicalId = stage.mode === 'standalone' ? 'UpdateParcelRole' : 'ReceiveWebhookRole';
  const statements = await tableStatements(stage, stage.physical(logicalId));
  const unique = randomBytes(8).toString('hex');
  const patterns = {
    Put: patternsOf(statements, 'dynamodb:PutItem'),
    Delete: patternsOf(statements, 'dynamodb:DeleteItem'),
  };
  const writes = (['Put', 'Delete'] as const).flatMap((action) =>
    patterns[action].map((pattern): Write => ({ action, pk: pattern.replace('*', `aws-check-${unique}`) })),
  );
  const [first] = writes;
  if (first?.action !== 'Put') return failed(`the policy of ${logicalId} limits no writes to partitions`);
  const names = [...new Set([...patterns.Put, ...patterns.Delete])].join(', ');
  return withRole(stage, statements, async (credentials) => {
    const client = new DynamoDBClient({ ...clientSettings, region: stage.region, credentials });
    const attempt = (tried: readonly Write[]) => writeNothing(client, tableName(stage), tried);
    const within = () =>
      untilEffective(
        () => attempt(writes),
        (found) => !ineffective.has(found),
      );
    try {
      const before = await within();
      if (before !== permitted) return failed(`a transaction within ${names} gets ${before}`);
      const beyond = await attempt([first, { action: 'Put', pk: `AWSCHECK#${unique}` }]);
      if (beyond !== denied) return failed(`a transaction with a partition outside ${names} gets ${beyond}`);
      const after = await attempt(writes);
      return after === permitted
        ? passed(`${logicalId} writes ${names}, and a transaction with one other partition is denied`)
        : failed(`a repeated transaction within ${names} gets ${after}`);
    } finally {
      client.destroy();
    }
  });
};
