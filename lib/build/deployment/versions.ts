import { rowsOf } from '../../deploy/functions.ts';
import type { FunctionRow, Mode } from '../../deploy/functions/function-row.ts';
import { rolloutAlarmOf, shifts } from '../../deploy/rollout.ts';
import { aliasId, capitalised, functionId, liveAlias, type Resource, type TemplatePart } from './cloudformation.ts';

/*
 * Each function has a version and the alias `live`, and all triggers use the alias. A deployment publishes a version
 * and moves the alias. With the parameter TrafficShift, CodeDeploy moves it gradually, and back if an alarm fires.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-attribute-updatepolicy.html
 */

const shiftsTraffic = 'ShiftsTraffic';

/** Returns the condition of a deployment group. */
const rolloutCondition = (condition: string | undefined): string => `${shiftsTraffic}${condition ?? ''}`;

const versionId = (name: string): string => `${capitalised(name)}Version`;
const rolloutId = (name: string): string => `${capitalised(name)}Rollout`;

const resourcesOf = (name: string, row: FunctionRow): Readonly<Record<string, Resource>> => {
  const Condition = row.condition;
  const existence = Condition === undefined ? {} : { Condition };
  const FunctionName = { Ref: functionId(name) };
  return {
    // The deployment adds a hash to its id, because a version never changes. Old ones remain for a roll-back.
    [versionId(name)]: {
      Type: 'AWS::Lambda::Version',
      ...existence,
      DeletionPolicy: 'Retain',
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
        // By name: a reference would make a circle over the APIs, which the alarms watch.
        AlarmConfiguration: { Enabled: true, Alarms: [{ Name: { 'Fn::Sub': rolloutAlarmOf(row.trigger.kind) } }] },
      },
    },
  };
};

/** Returns the versions, aliases and deployment groups of a mode's functions. */
export const versionTemplate = (mode: Mode): Required<Omit<TemplatePart, 'extensions' | 'Outputs'>> => {
  const rows = rowsOf(mode);
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
        [...conditions].map((one) => [
          rolloutCondition(one),
          { 'Fn::And': [{ Condition: shiftsTraffic }, { Condition: one }] },
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
