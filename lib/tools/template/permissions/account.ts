import type { Permission } from './permission.ts';

/* Permissions that a role needs because of the account's network or key. They exist only with these parameters. */

/** The condition under which the functions are in a VPC. */
export const networkCondition = 'InVpc';
/** The condition under which the key of the customer encrypts the deployment's data. */
export const keyCondition = 'EncryptsByKey';

const networkActions = [
  'CreateNetworkInterface',
  'DescribeNetworkInterfaces',
  'DescribeSubnets',
  'DeleteNetworkInterface',
  'AssignPrivateIpAddresses',
  'UnassignPrivateIpAddresses',
].map((name) => `ec2:${name}`);

/**
 * The statements of the policy with which Lambda connects functions to a VPC, the actions of
 * AWSLambdaVPCAccessExecutionRole. Lambda needs them on all resources. The second statement denies them to the code of
 * a function: only calls of the code have the key lambda:SourceFunctionArn.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 * https://docs.aws.amazon.com/lambda/latest/dg/permissions-source-function-arn.html
 */
export const networkStatements = [
  { Effect: 'Allow', Action: networkActions, Resource: '*' },
  {
    Effect: 'Deny',
    Action: networkActions,
    Resource: '*',
    Condition: { Null: { 'lambda:SourceFunctionArn': 'false' } },
  },
] as const;

/** Calls whose data the service encrypts with a new data key. */
const encryptedWrites: ReadonlySet<string> = new Set([
  's3:PutObject',
  'sqs:SendMessage',
  'secretsmanager:PutSecretValue',
]);
const tableWrites: ReadonlySet<string> = new Set(
  ['PutItem', 'UpdateItem', 'DeleteItem'].map((name) => `dynamodb:${name}`),
);

/**
 * Returns the use of the key of the customer that a role needs. Lambda decrypts the variables of each function with its
 * role. SQS, S3 and Secrets Manager use the key with the rights of the caller, and so does DynamoDB.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars-encryption.html
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
export const keyPermission = (permissions: readonly Permission[]): Permission => {
  const actions = permissions.flatMap((permission) => permission.actions);
  const writesTable = actions.some((action) => tableWrites.has(action));
  const isWriting = writesTable || actions.some((action) => encryptedWrites.has(action));
  const readsTable = actions.some((action) => action.startsWith('dynamodb:'));
  const names = [
    'Decrypt',
    ...(isWriting ? ['GenerateDataKey'] : []),
    ...(readsTable ? ['DescribeKey'] : []),
    ...(writesTable ? ['Encrypt', 'ReEncryptFrom', 'ReEncryptTo'] : []),
  ];
  return {
    actions: names.map((name) => `kms:${name}`),
    resource: { Ref: 'KmsKeyArn' },
    condition: keyCondition,
  };
};
