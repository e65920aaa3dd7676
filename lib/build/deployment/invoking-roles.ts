import { rowsOf } from '../../deploy/functions.ts';
import type { FunctionRow, Mode } from '../../deploy/functions/function-row.ts';
import { functionArn, type Resource } from './cloudformation.ts';

/** A role by which a service of AWS invokes some functions of this account. */
const invokingRole = (service: string, targets: readonly object[]): Resource => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: service },
          Action: 'sts:AssumeRole',
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    },
    Policies: [
      {
        PolicyName: 'invoke',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: targets }],
        },
      },
    ],
  },
});

/**
 * The functions of some triggers, each by its own name: a pattern such as `returns-prod-*` would cover those of another
 * stage `prod-2`.
 */
const targetsOf = (mode: Mode, kinds: readonly FunctionRow['trigger']['kind'][]) =>
  rowsOf(mode)
    .filter(([, { trigger }]) => kinds.includes(trigger.kind))
    .map(([name, { condition }]) =>
      condition === undefined
        ? functionArn(name)
        : { 'Fn::If': [condition, functionArn(name), { Ref: 'AWS::NoValue' }] },
    );

/** The roles of the gateways and of the schedules. */
export const invokingRoles = (mode: Mode): Readonly<Record<string, Resource>> => ({
  GatewayRole: invokingRole('apigateway.amazonaws.com', targetsOf(mode, ['operation', 'webhook'])),
  ScheduleRole: invokingRole('scheduler.amazonaws.com', targetsOf(mode, ['schedule'])),
});
