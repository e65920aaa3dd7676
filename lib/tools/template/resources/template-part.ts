import { agentTemplate } from '../agent-gateway.ts';
import { hasInbox, permissionsIn, rowsOf } from '../functions.ts';
import type { FunctionRow } from '../functions/function-row.ts';
import { observabilityConditions, observabilityParameters, sendTraces } from '../observability.ts';
import { keyPermission } from '../permissions/account.ts';
import { arnOf, actionsOn, type Permission } from '../permissions/permission.ts';
import { byFunction, namesEvidenceCorsOrigin, servesConsole, tokenParameters } from '../token-parameters.ts';
import { policyTemplate, servesWithdrawals, withdrawTemplate } from '../web-gateway.ts';
import { accountTemplate, rolePolicies } from './account-template.ts';
import { alarmTemplate } from './alarm-template.ts';
import { capitalised, liveArn, type Resource, type TemplatePart, underCondition } from './cloudformation.ts';
import { domainTemplate } from './domain-template.ts';
import { eventSourceTemplate } from './event-source-template.ts';
import { gatewayRoleOf } from '../routes.ts';
import { keyRingTemplate } from './key-ring-template.ts';
import { mailTemplate } from './mail-template.ts';
import { messageTemplate } from './message-template.ts';
import { functionExtensions, functionResources } from './function-resources.ts';
import { queueResources } from './queue-resources.ts';
import { rotationTemplate } from './rotation-template.ts';
import { versionTemplate } from './versions.ts';
import { type Offer, ownAdapter } from '../offer.ts';

/*
 * Makes the roles from lib/tools/template/functions.ts, one for each function, and joins all generated parts of the template.
 */

const statementOf = ({ actions, resource, partitions, sender, condition }: Permission) => {
  const statement = {
    Effect: 'Allow',
    Action: actions,
    Resource: resource,
    ...(partitions && {
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        // ForAllValues also holds for a request that names no key.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
    ...(sender && { Condition: { StringEquals: { 'ses:FromAddress': sender } } }),
  };
  return condition === undefined ? statement : { 'Fn::If': [condition, statement, { Ref: 'AWS::NoValue' }] };
};

/** Joins permissions with the same key: the first one gets the joint part of all. */
const joined = (
  permissions: readonly Permission[],
  keyOf: (permission: Permission) => readonly unknown[],
  jointOf: (group: readonly Permission[]) => Partial<Permission>,
): readonly Permission[] =>
  [...Map.groupBy(permissions, (permission) => JSON.stringify(keyOf(permission))).values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, ...jointOf(group) }];
  });

/**
 * Returns the statements of permissions. Permissions on the same partitions share one, then those with the same actions
 * do: a role has a size limit, and each statement on items repeats the ARN of the table.
 */
const statements = (permissions: readonly Permission[]) => {
  const byPartitions = joined(
    permissions,
    ({ resource, partitions, sender, condition }) => [resource, partitions, sender, condition],
    (group) => ({ actions: [...new Set(group.flatMap(({ actions }) => actions))].toSorted() }),
  );
  const byActions = joined(
    byPartitions,
    ({ resource, actions, sender, condition, partitions }) => [
      resource,
      actions,
      sender,
      condition,
      partitions !== undefined,
    ],
    (group) => {
      const partitions = [...new Set(group.flatMap((statement) => statement.partitions ?? []))];
      return partitions.length === 0 ? {} : { partitions };
    },
  );
  return byActions.map(statementOf);
};

const roleOf = (name: string, permissions: readonly Permission[], condition: string | undefined) => ({
  Type: 'AWS::IAM::Role',
  ...underCondition(condition),
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    ...rolePolicies,
    Policies: [
      {
        PolicyName: 'function',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: statements([
            actionsOn('logs', arnOf(`${capitalised(name)}LogGroup`))('CreateLogStream', 'PutLogEvents'),
            ...permissions,
            keyPermission(permissions),
            sendTraces,
          ]),
        },
      },
    ],
  },
});

/** Returns the roles of a mode's functions, as CloudFormation resources: `ApproveRole` is the role of `approve`. */
const roleResources = (offer: Offer) =>
  Object.fromEntries(
    rowsOf(offer).map(([name, row]) => [
      `${capitalised(name)}Role`,
      roleOf(name, permissionsIn(row, offer), row.condition),
    ]),
  );

/** Returns a role with which a service of AWS invokes some functions of this account. */
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
 * Returns the functions of some triggers, each by its own name. A pattern such as `returns-prod-*` would also match
 * those of another stage `prod-2`.
 */
const targetsOf = (
  offer: Offer,
  kinds: readonly FunctionRow['trigger']['kind'][],
  isTarget: (name: string) => boolean = () => true,
) =>
  rowsOf(offer)
    .filter(([name, { trigger }]) => kinds.includes(trigger.kind) && isTarget(name))
    .map(([name, { condition }]) =>
      condition === undefined ? liveArn(name) : { 'Fn::If': [condition, liveArn(name), { Ref: 'AWS::NoValue' }] },
    );

const behindGateways = ['operation', 'webhook', 'web', 'authorizer'] as const;

/** Returns a role of the gateways, for the functions that it invokes. */
const gatewayRole = (offer: Offer, role: ReturnType<typeof gatewayRoleOf>): Resource =>
  invokingRole(
    'apigateway.amazonaws.com',
    targetsOf(offer, behindGateways, (name) => gatewayRoleOf(name) === role),
  );

/** Returns the roles of the gateways and of the schedules. */
const invokingRoles = (offer: Offer): Readonly<Record<string, Resource>> => ({
  GatewayRole: gatewayRole(offer, 'GatewayRole'),
  GatewayReadRole: gatewayRole(offer, 'GatewayReadRole'),
  ScheduleRole: invokingRole('scheduler.amazonaws.com', targetsOf(offer, ['schedule'])),
});

/** The adapter of a package. A deployment compares it with the adapter of the stage. */
const adapterParameter = ({ adapter }: Offer) => {
  const name = adapter?.name ?? ownAdapter;
  return {
    Adapter: {
      Type: 'String',
      Default: name,
      AllowedValues: [name],
      Description: 'Adapter of the package; the member adapter of the stage file chooses it',
    },
  };
};

/** Returns the parameters of tokens that a mode has, and the conditions of the authorizer function and of users. */
const tokenTemplate = (offer: Offer): TemplatePart => ({
  Parameters: {
    ...(offer.mode === 'connected' && adapterParameter(offer)),
    ...Object.fromEntries(
      Object.entries(tokenParameters).flatMap(([name, { modes: owners, ...parameter }]) =>
        owners.includes(offer.mode) ? [[name, parameter]] : [],
      ),
    ),
  },
  Conditions: {
    [byFunction]: { 'Fn::Equals': [{ Ref: 'TokenAuthorizer' }, 'function'] },
    [servesConsole]: { 'Fn::And': [{ Condition: 'ServesWeb' }, { 'Fn::Equals': [{ Ref: 'Console' }, 'on'] }] },
    ...(tokenParameters['EvidenceCorsOrigin']?.modes.includes(offer.mode) === true && {
      [namesEvidenceCorsOrigin]: {
        'Fn::And': [
          { Condition: servesConsole },
          { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'EvidenceCorsOrigin' }, ''] }] },
        ],
      },
    }),
  },
});

/** Returns the generated part of a mode's template, which `resources` of serverless.yml includes. */
export const templatePart = (offer: Offer): Required<TemplatePart> => {
  const domains = domainTemplate(offer);
  const parts: readonly TemplatePart[] = [
    tokenTemplate(offer),
    agentTemplate(),
    accountTemplate(offer),
    domains,
    ...(hasInbox(offer) ? [eventSourceTemplate()] : []),
    versionTemplate(offer),
    rotationTemplate(offer),
    keyRingTemplate(offer),
    messageTemplate(offer),
    mailTemplate(offer),
    ...(servesWithdrawals(offer) ? [withdrawTemplate()] : []),
    policyTemplate(offer),
    alarmTemplate(offer),
    { Parameters: observabilityParameters, Conditions: observabilityConditions },
  ];
  return {
    Parameters: Object.fromEntries(parts.flatMap(({ Parameters = {} }) => Object.entries(Parameters))),
    Conditions: Object.fromEntries(parts.flatMap(({ Conditions = {} }) => Object.entries(Conditions))),
    // The parameter has no other use in the template.
    Outputs: { ...domains.Outputs, ...(offer.mode === 'connected' && { Adapter: { Value: { Ref: 'Adapter' } } }) },
    Resources: {
      ...roleResources(offer),
      ...invokingRoles(offer),
      ...functionResources(offer),
      ...queueResources(offer),
      ...Object.fromEntries(parts.flatMap(({ Resources = {} }) => Object.entries(Resources))),
    },
    extensions: functionExtensions(offer),
  };
};
