import { rowsOf } from '../deploy/functions.ts';
import type { Mode } from '../deploy/functions/function-row.ts';
import { arnOf, on, type Permission } from '../deploy/permissions/permission.ts';
import { capitalised, underCondition } from './deployment/cloudformation.ts';

/* Makes the roles of the functions from lib/deploy/functions.ts: one role for each function. */

const statementOf = ({ resource, partitions, condition }: Permission, actions: readonly string[]) => {
  const statement = {
    Effect: 'Allow',
    Action: [...new Set(actions)].toSorted(),
    Resource: resource,
    ...(partitions && {
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        // ForAllValues holds for a request that names no key at all.
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    }),
  };
  return condition === undefined ? statement : { 'Fn::If': [condition, statement, { Ref: 'AWS::NoValue' }] };
};

/** One statement for each resource, or part of one. */
const statements = (permissions: readonly Permission[]) => {
  const byPlace = Map.groupBy(permissions, ({ resource, partitions }) => JSON.stringify([resource, partitions]));
  return [...byPlace.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : [
          statementOf(
            first,
            group.flatMap(({ actions }) => actions),
          ),
        ];
  });
};

const roleOf = (name: string, permissions: readonly Permission[], condition: string | undefined) => ({
  Type: 'AWS::IAM::Role',
  ...underCondition(condition),
  Properties: {
    AssumeRolePolicyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }],
    },
    Policies: [
      {
        PolicyName: 'function',
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: statements([
            on('logs', arnOf(`${capitalised(name)}LogGroup`))('CreateLogStream', 'PutLogEvents'),
            ...permissions,
          ]),
        },
      },
    ],
  },
});

/** The roles of a mode's functions, as CloudFormation resources: `ApproveRole` is the role of `approve`. */
export const roleResources = (mode: Mode) =>
  Object.fromEntries(
    rowsOf(mode).map(([name, row]) => [
      `${capitalised(name)}Role`,
      roleOf(name, row.permissions[mode] ?? [], row.condition),
    ]),
  );
