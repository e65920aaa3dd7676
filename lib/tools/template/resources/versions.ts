import { rowsOf } from '../functions.ts';
import type { FunctionRow } from '../functions/function-row.ts';
import { rollbackBy, rolloutAlarmName, shifts } from '../rollout.ts';
import {
  aliasId,
  capitalised,
  functionId,
  liveAlias,
  type Resource,
  type TemplatePart,
  versionId,
} from './cloudformation.ts';
import type { Offer } from '../offer.ts';

/*
 * Each function has a version and the alias `live`, and all triggers use the alias. A deployment publishes a version
 * and moves the alias. With the parameter TrafficShift, CodeDeploy moves it gradually, and back if an alarm fires.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html
 */

const shiftsTraffic = 'ShiftsTraffic';

/** Returns the condition of a deployment group. */
const rolloutCondition = (condition: string | undefined): string => `${shiftsTraffic}${condition ?? ''}`;

const rolloutId = (name: string): string => `${capitalised(name)}Rollout`;

const ownAlarmId = (name: string): string => `${capitalised(name)}RolloutAlarm`;

/**
 * Returns an alarm on errors of the new version. It rings within a minute, because a canary may end after five.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 */
const ownAlarm = (name: string, condition: string | undefined): Resource => ({
  Type: 'AWS::CloudWatch::Alarm',
  Condition: rolloutCondition(condition),
  Properties: {
    AlarmName: { 'Fn::Sub': rolloutAlarmName(name) },
    AlarmDescription: `An error of the new version of ${name} rolls its deployment back. See lib/tools/guides/rollout.md`,
    Namespace: 'AWS/Lambda',
    MetricName: 'Errors',
    Dimensions: [
      { Name: 'FunctionName', Value: { Ref: functionId(name) } },
      { Name: 'Resource', Value: { 'Fn::Sub': `returns-\${Stage}-${name}:${liveAlias}` } },
      { Name: 'ExecutedVersion', Value: { 'Fn::GetAtt': [versionId(name), 'Version'] } },
    ],
    Statistic: 'Sum',
    Period: 60,
    EvaluationPeriods: 1,
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  },
});

/** Returns the name of an alarm. That of an API is a text: a reference would make a circle over its routes. */
const alarmName = (name: string, watchedBy: NonNullable<(typeof rollbackBy)[keyof typeof rollbackBy]>): object =>
  watchedBy === 'own' ? { Ref: ownAlarmId(name) } : { 'Fn::Sub': rolloutAlarmName(watchedBy.toLowerCase()) };

const resourcesOf = (name: string, row: FunctionRow): Readonly<Record<string, Resource>> => {
  const Condition = row.condition;
  const existence = Condition === undefined ? {} : { Condition };
  const FunctionName = { Ref: functionId(name) };
  const watchedBy = rollbackBy[row.trigger.kind];
  return {
    ...(watchedBy === 'own' && { [ownAlarmId(name)]: ownAlarm(name, Condition) }),
    // The deployment adds a hash to its id, because a version never changes. Old ones remain for a roll-back.
    [versionId(name)]: {
      Type: 'AWS::Lambda::Version',
      ...existence,
      // A failed deployment removes its version again.
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { FunctionName },
    },
    [aliasId(name)]: {
      Type: 'AWS::Lambda::Alias',
      ...existence,
      UpdatePolicy: {
        'Fn::If': [
          rolloutCondition(Condition),
          {
            CodeDeployLambdaAliasUpdate: {
              ApplicationName: { Ref: 'Rollouts' },
              DeploymentGroupName: { Ref: rolloutId(name) },
            },
          },
          { Ref: 'AWS::NoValue' },
        ],
      },
      Properties: {
        FunctionName,
        FunctionVersion: { 'Fn::GetAtt': [versionId(name), 'Version'] },
        Name: liveAlias,
      },
    },
    [rolloutId(name)]: {
      Type: 'AWS::CodeDeploy::DeploymentGroup',
      Condition: rolloutCondition(Condition),
      Properties: {
        ApplicationName: { Ref: 'Rollouts' },
        ServiceRoleArn: { 'Fn::GetAtt': ['RolloutRole', 'Arn'] },
        DeploymentConfigName: { 'Fn::Sub': 'CodeDeployDefault.Lambda${TrafficShift}' },
        DeploymentStyle: { DeploymentType: 'BLUE_GREEN', DeploymentOption: 'WITH_TRAFFIC_CONTROL' },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
        },
        ...(watchedBy !== undefined && {
          AlarmConfiguration: { Enabled: true, Alarms: [{ Name: alarmName(name, watchedBy) }] },
        }),
      },
    },
  };
};

/** Returns the versions, aliases and deployment groups of a mode's functions. */
export const versionTemplate = (offer: Offer): Required<Omit<TemplatePart, 'extensions' | 'Outputs'>> => {
  const rows = rowsOf(offer);
  const conditions = new Set(rows.flatMap(([, { condition }]) => condition ?? []));
  const isOn = { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'TrafficShift' }, 'off'] }] };
  return {
    Parameters: {
      TrafficShift: {
        Type: 'String',
        Default: 'off',
        AllowedValues: shifts,
        Description: 'How CodeDeploy moves traffic to a new version of each function; off moves it at once',
      },
    },
    Conditions: {
      [shiftsTraffic]: isOn,
      ...Object.fromEntries(
        [...conditions].map((condition) => [
          rolloutCondition(condition),
          { 'Fn::And': [{ Condition: shiftsTraffic }, { Condition: condition }] },
        ]),
      ),
    },
    Resources: {
      ...Object.fromEntries(rows.flatMap(([name, row]) => Object.entries(resourcesOf(name, row)))),
      Rollouts: {
        Type: 'AWS::CodeDeploy::Application',
        Condition: shiftsTraffic,
        Properties: { ComputePlatform: 'Lambda' },
      },
      RolloutRole: {
        Type: 'AWS::IAM::Role',
        Condition: shiftsTraffic,
        Properties: {
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              { Effect: 'Allow', Principal: { Service: 'codedeploy.amazonaws.com' }, Action: 'sts:AssumeRole' },
            ],
          },
          ManagedPolicyArns: [
            { 'Fn::Sub': 'arn:${AWS::Partition}:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited' },
          ],
        },
      },
    },
  };
};
