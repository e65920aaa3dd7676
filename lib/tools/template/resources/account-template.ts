import { accountParameters } from '../account-parameters.ts';
import { keyCondition, networkCondition, networkStatements } from '../permissions/account.ts';
import { tableCondition } from '../permissions/table.ts';
import type { TemplatePart } from './cloudformation.ts';
import type { Offer } from '../offer.ts';

/* The network, the key and the table of a deployment, by the parameters of lib/tools/template/account-parameters.ts. */

const noValue = { Ref: 'AWS::NoValue' };

/** Returns a condition that holds when a parameter has a value. */
export const hasValue = (parameter: string) => ({ 'Fn::Not': [{ 'Fn::Equals': [{ Ref: parameter }, ''] }] });

/** Returns the value of a property under a condition, and no property otherwise. */
export const onlyIf = (condition: string, value: unknown) => ({ 'Fn::If': [condition, value, noValue] });

/** The ARN of the customer's key, or no property. */
export const customerKey = onlyIf(keyCondition, { Ref: 'KmsKeyArn' });

const networkPolicy = 'NetworkPolicy';

/** The network of a role: a policy for Lambda itself, which the code of the function cannot use. */
export const rolePolicies = { ManagedPolicyArns: [onlyIf(networkCondition, { Ref: networkPolicy })] };

const itemsOf = (parameter: string) => ({ 'Fn::Split': [',', { Ref: parameter }] });

/** Properties of every function. osls accepts no conditions for them. */
export const functionProperties = {
  KmsKeyArn: customerKey,
  VpcConfig: onlyIf(networkCondition, {
    SubnetIds: itemsOf('VpcSubnets'),
    SecurityGroupIds: itemsOf('VpcSecurityGroups'),
  }),
};

const parametersOf = (offer: Offer): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(accountParameters)
      .filter(([, row]) => row.mode === undefined || row.mode === offer.mode)
      .map(([name, { description, pattern }]) => [
        name,
        { Type: 'String', Default: '', AllowedPattern: `(${pattern})?`, Description: description },
      ]),
  );

/** Returns the parameters and conditions of network, key and table, and what follows from them. */
export const accountTemplate = (offer: Offer): Required<Omit<TemplatePart, 'extensions' | 'Outputs'>> => ({
  Parameters: parametersOf(offer),
  Conditions: {
    [tableCondition]: { 'Fn::Equals': [{ Ref: 'ExistingTable' }, ''] },
    [networkCondition]: hasValue('VpcSubnets'),
    [keyCondition]: hasValue('KmsKeyArn'),
  },
  Resources: {
    [networkPolicy]: {
      Type: 'AWS::IAM::ManagedPolicy',
      Condition: networkCondition,
      Properties: {
        Description: 'Lets Lambda connect functions to a VPC',
        PolicyDocument: { Version: '2012-10-17', Statement: networkStatements },
      },
    },
  },
});
