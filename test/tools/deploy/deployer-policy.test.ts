import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { covers, type Permission } from '../../../lib/tools/local/emulators/policy.ts';
import { readTemplate } from '../../../lib/tools/template/cloudformation/template.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { packageFile } from '../../support/bundles.ts';

type Statement = {
  readonly Sid: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: object;
};
type Policy = { readonly Statement: readonly Statement[] };

/** The second one has the rights of optional parameters: a managed policy is too small for all of them. */
const files = ['lib/tools/deploy/deployer-policy.json', 'lib/tools/deploy/deployer-options-policy.json'];
const statements = files.flatMap((file) => (JSON.parse(readFileSync(file, 'utf8')) as Policy).Statement);
const list = (value: string | readonly string[]) => (typeof value === 'string' ? [value] : value);
const permissions: readonly Permission[] = statements.flatMap(({ Action, Resource }) =>
  list(Action).flatMap((action) => list(Resource).map((resource) => ({ action, resource }))),
);

const at = (service: string, rest: string) => `arn:aws:${service}:eu-central-1:123456789012:${rest}`;
const account = (service: string, rest: string) => `arn:aws:${service}::123456789012:${rest}`;

/**
 * The calls by which CloudFormation creates, reads, updates and deletes each type, with an ARN as CloudFormation names
 * the resource of the stack `returns-prod`. Written by hand: no package has the `handlers` of AWS's resource schemas.
 * https://docs.aws.amazon.com/cloudformation-cli/latest/userguide/resource-type-schema.html
 */
const calls: Readonly<Record<string, readonly (readonly [arn: string, actions: readonly string[]])[]>> = {
  'AWS::ApiGatewayV2::Api': [
    ['arn:aws:apigateway:eu-central-1::/apis', ['apigateway:POST', 'apigateway:PUT', 'apigateway:TagResource']],
    [
      'arn:aws:apigateway:eu-central-1::/apis/a1',
      ['GET', 'PATCH', 'PUT', 'DELETE'].map((verb) => `apigateway:${verb}`),
    ],
  ],
  'AWS::ApiGatewayV2::Stage': [
    [
      'arn:aws:apigateway:eu-central-1::/apis/a1/stages/$default',
      ['POST', 'GET', 'PATCH', 'DELETE'].map((verb) => `apigateway:${verb}`),
    ],
    ['*', ['logs:CreateLogDelivery', 'logs:PutResourcePolicy', 'logs:DescribeLogGroups', 'logs:DeleteLogDelivery']],
  ],
  'AWS::ApiGatewayV2::ApiMapping': [
    [
      'arn:aws:apigateway:eu-central-1::/domainnames/returns.example.com/apimappings',
      ['POST', 'GET', 'PATCH', 'DELETE'].map((verb) => `apigateway:${verb}`),
    ],
  ],
  'AWS::ApiGatewayV2::DomainName': [
    ['arn:aws:apigateway:eu-central-1::/domainnames', ['apigateway:POST']],
    [
      'arn:aws:apigateway:eu-central-1::/domainnames/returns.example.com',
      ['GET', 'PATCH', 'PUT', 'DELETE'].map((verb) => `apigateway:${verb}`),
    ],
    ['arn:aws:s3:::returns-trust/clients.pem', ['s3:GetObject', 's3:GetObjectVersion']],
  ],
  'AWS::CloudWatch::CompositeAlarm': [
    [
      at('cloudwatch', 'alarm:returns-prod-rollout-api'),
      ['cloudwatch:PutCompositeAlarm', 'cloudwatch:DeleteAlarms', 'cloudwatch:DescribeAlarms'],
    ],
  ],
  'AWS::CloudWatch::Dashboard': [
    [
      'arn:aws:cloudwatch::123456789012:dashboard/returns-prod',
      ['cloudwatch:PutDashboard', 'cloudwatch:GetDashboard', 'cloudwatch:DeleteDashboards'],
    ],
  ],
  'AWS::CloudWatch::Alarm': [
    [
      at('cloudwatch', 'alarm:returns-prod-X-1'),
      ['cloudwatch:PutMetricAlarm', 'cloudwatch:DeleteAlarms', 'cloudwatch:DescribeAlarms'],
    ],
  ],
  'AWS::CodeDeploy::Application': [
    [
      at('codedeploy', 'application:returns-prod-Rollouts-1'),
      ['CreateApplication', 'GetApplication', 'UpdateApplication', 'DeleteApplication'].map(
        (name) => `codedeploy:${name}`,
      ),
    ],
  ],
  'AWS::CodeDeploy::DeploymentGroup': [
    [
      at('codedeploy', 'deploymentgroup:returns-prod-Rollouts-1/returns-prod-ReturnsFunctions-1-ApproveRollout-1'),
      [
        'CreateDeploymentGroup',
        'GetDeploymentGroup',
        'UpdateDeploymentGroup',
        'DeleteDeploymentGroup',
        'CreateDeployment',
        'GetDeployment',
      ].map((name) => `codedeploy:${name}`),
    ],
  ],
  'AWS::DynamoDB::Table': [
    [
      at('dynamodb', 'table/returns-prod-Table-1'),
      [
        'CreateTable',
        'DescribeTable',
        'UpdateTable',
        'DeleteTable',
        'DescribeContinuousBackups',
        'UpdateContinuousBackups',
        'DescribeTimeToLive',
        'UpdateTimeToLive',
        'TagResource',
        'ListTagsOfResource',
      ].map((name) => `dynamodb:${name}`),
    ],
    ['*', ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:GenerateDataKey']],
  ],
  'AWS::Events::EventBus': [
    [
      at('events', 'event-bus/returns-prod'),
      ['events:CreateEventBus', 'events:DescribeEventBus', 'events:DeleteEventBus'],
    ],
  ],
  'AWS::Events::Rule': [
    [
      at('events', 'rule/aws.partner/shopify.com/1/returns/returns-prod-ShopifyEvents-1'),
      [
        'events:PutRule',
        'events:DescribeRule',
        'events:DeleteRule',
        'events:PutTargets',
        'events:RemoveTargets',
        'events:ListTargetsByRule',
      ],
    ],
  ],
  'AWS::IAM::ManagedPolicy': [
    [
      account('iam', 'policy/returns-prod-NetworkPolicy-1'),
      ['CreatePolicy', 'GetPolicy', 'DeletePolicy', 'CreatePolicyVersion', 'DeletePolicyVersion'].map(
        (name) => `iam:${name}`,
      ),
    ],
    [account('iam', 'role/returns-prod-ApproveRole-1'), ['iam:AttachRolePolicy', 'iam:DetachRolePolicy']],
    ['*', ['ec2:DescribeSubnets', 'ec2:DescribeSecurityGroups', 'ec2:DescribeVpcs']],
  ],
  'AWS::IAM::Role': [
    [
      account('iam', 'role/returns-prod-ApproveRole-1'),
      [
        'CreateRole',
        'GetRole',
        'DeleteRole',
        'PutRolePolicy',
        'GetRolePolicy',
        'DeleteRolePolicy',
        'ListRolePolicies',
        'UpdateAssumeRolePolicy',
        'TagRole',
        'PassRole',
      ].map((name) => `iam:${name}`),
    ],
  ],
  'AWS::KMS::Key': [
    [
      at('kms', 'key/1'),
      [
        'CreateKey',
        'DescribeKey',
        'PutKeyPolicy',
        'EnableKeyRotation',
        'GetKeyRotationStatus',
        'ScheduleKeyDeletion',
      ].map((name) => `kms:${name}`),
    ],
  ],
  'AWS::Lambda::Alias': [
    [
      at('lambda', 'function:returns-prod-approve'),
      ['lambda:CreateAlias', 'lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:DeleteAlias'],
    ],
  ],
  'AWS::Lambda::EventInvokeConfig': [
    [
      at('lambda', 'function:returns-prod-expireReturns'),
      [
        'lambda:PutFunctionEventInvokeConfig',
        'lambda:GetFunctionEventInvokeConfig',
        'lambda:UpdateFunctionEventInvokeConfig',
        'lambda:DeleteFunctionEventInvokeConfig',
      ],
    ],
  ],
  'AWS::Lambda::EventSourceMapping': [
    [
      at('lambda', 'event-source-mapping:1'),
      [
        'lambda:CreateEventSourceMapping',
        'lambda:GetEventSourceMapping',
        'lambda:UpdateEventSourceMapping',
        'lambda:DeleteEventSourceMapping',
      ],
    ],
  ],
  'AWS::Lambda::Function': [
    [
      at('lambda', 'function:returns-prod-approve'),
      [
        'CreateFunction',
        'GetFunction',
        'UpdateFunctionCode',
        'UpdateFunctionConfiguration',
        'DeleteFunction',
        'PutFunctionConcurrency',
        'PutFunctionRecursionConfig',
        'GetFunctionRecursionConfig',
        'TagResource',
      ].map((name) => `lambda:${name}`),
    ],
    ['arn:aws:s3:::returns-prod-serverlessdeploymentbucket-1/code.zip', ['s3:GetObject', 's3:PutObject']],
  ],
  'AWS::Lambda::Permission': [
    [
      at('lambda', 'function:returns-prod-receiveEvents'),
      ['lambda:AddPermission', 'lambda:RemovePermission', 'lambda:GetPolicy'],
    ],
  ],
  'AWS::Lambda::Version': [
    [
      at('lambda', 'function:returns-prod-approve'),
      ['lambda:PublishVersion', 'lambda:GetFunction', 'lambda:ListVersionsByFunction'],
    ],
  ],
  'AWS::Logs::MetricFilter': [
    [
      at('logs', 'log-group:returns-prod-AccessLog-1'),
      ['logs:PutMetricFilter', 'logs:DescribeMetricFilters', 'logs:DeleteMetricFilter'],
    ],
  ],
  'AWS::Logs::LogGroup': ['/aws/lambda/returns-prod-approve', 'returns-prod-AccessLog-1'].map(
    (name) =>
      [
        at('logs', `log-group:${name}`),
        ['CreateLogGroup', 'PutRetentionPolicy', 'DeleteLogGroup', 'TagResource', 'ListTagsForResource'].map(
          (action) => `logs:${action}`,
        ),
      ] as const,
  ),
  'AWS::S3::Bucket': [
    [
      'arn:aws:s3:::returns-prod-evidencebucket-1',
      [
        'CreateBucket',
        'DeleteBucket',
        'PutBucketPublicAccessBlock',
        'PutBucketOwnershipControls',
        'PutEncryptionConfiguration',
        'PutLifecycleConfiguration',
        'PutBucketCORS',
        'PutBucketVersioning',
        'PutBucketObjectLockConfiguration',
        'PutBucketTagging',
        'ListBucket',
      ].map((name) => `s3:${name}`),
    ],
  ],
  'AWS::S3::BucketPolicy': [
    [
      'arn:aws:s3:::returns-prod-evidencebucket-1',
      ['s3:PutBucketPolicy', 's3:GetBucketPolicy', 's3:DeleteBucketPolicy'],
    ],
  ],
  'AWS::SNS::Topic': [
    [
      at('sns', 'returns-prod-AlarmsTopic-1'),
      ['sns:CreateTopic', 'sns:GetTopicAttributes', 'sns:SetTopicAttributes', 'sns:DeleteTopic'],
    ],
  ],
  'AWS::SNS::TopicPolicy': [
    [at('sns', 'returns-prod-AlarmsTopic-1'), ['sns:SetTopicAttributes', 'sns:GetTopicAttributes']],
  ],
  'AWS::SQS::Queue': [
    [
      at('sqs', 'returns-prod-InboxQueue-1'),
      [
        'sqs:CreateQueue',
        'sqs:GetQueueAttributes',
        'sqs:SetQueueAttributes',
        'sqs:DeleteQueue',
        'sqs:GetQueueUrl',
        'sqs:TagQueue',
      ],
    ],
  ],
  'AWS::SES::ConfigurationSet': [
    [
      at('ses', 'configuration-set/returns-prod'),
      ['Create', 'Get', 'Delete'].map((verb) => `ses:${verb}ConfigurationSet`),
    ],
    [at('ses', 'configuration-set/returns-prod'), ['ses:PutConfigurationSetSuppressionOptions', 'ses:TagResource']],
  ],
  'AWS::SES::ConfigurationSetEventDestination': [
    [
      at('ses', 'configuration-set/returns-prod'),
      ['Create', 'Update', 'Delete'].map((verb) => `ses:${verb}ConfigurationSetEventDestination`),
    ],
    [at('ses', 'configuration-set/returns-prod'), ['ses:GetConfigurationSetEventDestinations']],
  ],
  'AWS::SQS::QueuePolicy': [
    [at('sqs', 'returns-prod-EventsQueue-1'), ['sqs:SetQueueAttributes', 'sqs:GetQueueAttributes']],
  ],
  'AWS::Scheduler::Schedule': [
    [
      at('scheduler', 'schedule/default/returns-prod-ExpireReturnsSchedule-1'),
      ['CreateSchedule', 'GetSchedule', 'UpdateSchedule', 'DeleteSchedule'].map((name) => `scheduler:${name}`),
    ],
  ],
  'AWS::SecretsManager::RotationSchedule': [
    [
      at('secretsmanager', 'secret:returns/client-AbCdEf'),
      ['secretsmanager:RotateSecret', 'secretsmanager:CancelRotateSecret', 'secretsmanager:DescribeSecret'],
    ],
    [at('lambda', 'function:returns-prod-rotateClientSecret'), ['lambda:InvokeFunction']],
  ],
  'AWS::SecretsManager::Secret': [
    ...[
      'HistoryKeys-1-AbCdEf',
      'ReceiptKeys-1-AbCdEf',
      'SearchKeys-1-AbCdEf',
      'SigningSecret-1-AbCdEf',
      'SharedReadToken-1-AbCdEf',
    ].map(
      (name) =>
        [
          at('secretsmanager', `secret:${name}`),
          ['CreateSecret', 'DescribeSecret', 'UpdateSecret', 'DeleteSecret', 'TagResource'].map(
            (action) => `secretsmanager:${action}`,
          ),
        ] as const,
    ),
    ['*', ['secretsmanager:GetRandomPassword']],
  ],
};

const isAllowed = (action: string, resource: string): boolean =>
  permissions.some((permission) => covers(permission, { action, resource }));

describe('deployer policy', () => {
  it.each(modes)('allows the calls of every resource type of the %s mode', async (mode) => {
    const folder = packageFile(mode, '.');
    const types = new Set<string>();
    for (const file of ['cloudformation-template-update-stack.json', 'cloudformation-template-create-stack.json'])
      for (const { Type } of Object.values((await readTemplate(`${folder}/${file}`)).Resources)) types.add(Type);
    expect([...types].filter((type) => calls[type] === undefined)).toEqual([]);
    const denied = [...types].flatMap((type) =>
      (calls[type] ?? []).flatMap(([arn, actions]) =>
        actions.filter((action) => !isAllowed(action, arn)).map((action) => `${type}: ${action} on ${arn}`),
      ),
    );
    expect(denied).toEqual([]);
  });

  it('allows what the commands call besides', () => {
    const stack = at('cloudformation', 'stack/returns-prod/1');
    const own = ['CreateChangeSet', 'ExecuteChangeSet', 'DescribeChangeSet', 'DescribeStackEvents', 'DeleteStack'];
    expect(own.filter((name) => !isAllowed(`cloudformation:${name}`, stack))).toEqual([]);
    expect(isAllowed('cloudformation:DescribeStacks', at('cloudformation', 'stack/none'))).toBe(true);
    expect(isAllowed('sts:GetCallerIdentity', '*')).toBe(true);
    expect(isAllowed('lambda:InvokeFunction', at('lambda', 'function:returns-prod-doctor'))).toBe(true);
    expect(isAllowed('secretsmanager:CreateSecret', at('secretsmanager', 'secret:returns/client-AbCdEf'))).toBe(true);
  });

  it('allows nothing outside of the stacks', () => {
    const foreign: readonly (readonly [string, string])[] = [
      ['iam:CreateUser', account('iam', 'user/eve')],
      ['iam:PutRolePolicy', account('iam', 'role/admin')],
      ['iam:PassRole', account('iam', 'role/admin')],
      ['iam:DeleteRolePermissionsBoundary', account('iam', 'role/returns-prod-ApproveRole-1')],
      ['lambda:UpdateFunctionCode', at('lambda', 'function:billing')],
      ['s3:GetObject', 'arn:aws:s3:::invoices/1'],
      ['s3:BypassGovernanceRetention', 'arn:aws:s3:::returns-prod-anchorbucket-1/roots/1'],
      ['dynamodb:GetItem', at('dynamodb', 'table/returns-prod-Table-1')],
      ['dynamodb:DeleteTable', at('dynamodb', 'table/other')],
      ['sqs:ReceiveMessage', at('sqs', 'returns-prod-InboxQueue-1')],
      ['secretsmanager:GetSecretValue', at('secretsmanager', 'secret:other-AbCdEf')],
      ['cloudformation:DeleteStack', at('cloudformation', 'stack/other/1')],
    ];
    expect(foreign.filter(([action, resource]) => isAllowed(action, resource))).toEqual([]);
  });

  it('passes roles to the services of the stacks only, and uses keys through them only', () => {
    const conditional = statements.filter(({ Condition }) => Condition !== undefined).map(({ Sid }) => Sid);
    expect(conditional).toEqual(['PassRoles', 'Keys', 'AlarmKeys']);
  });

  it.each(files)('%s fits a managed policy, which has at most 6,144 characters without white space', (file) => {
    expect(readFileSync(file, 'utf8').replaceAll(/\s/g, '').length).toBeLessThanOrEqual(6144);
  });
});
