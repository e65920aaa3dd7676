import { deploy, type Deployment } from '../../../lib/tools/template/cloudformation/deployment.ts';
import type { Resource } from '../../../lib/tools/template/cloudformation/template.ts';

/* Resources of a template, as osls writes them. */

type Resources = Readonly<Record<string, Resource>>;

/** Deploys resources to this machine. */
export const deployed = (Resources: Resources, { mode = 'standalone', sqs = '' } = {}): Deployment =>
  deploy({ Resources }, { mode, parameters: {}, sqs });

/** Returns attributes of a key: all are texts. */
export const attributes = (...names: readonly string[]) =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));

/** Returns a key of one or two attributes. */
export const keyOf = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];

/** Returns the properties of a table with a stream, and the keys of ours. */
export const tableWith = (properties: object = {}) => ({
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: attributes('pk', 'sk'),
  KeySchema: keyOf('pk', 'sk'),
  StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
  ...properties,
});

export const allow = (Action: string | readonly string[], Resource: unknown, Condition?: object) => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...(Condition !== undefined && { Condition }),
});

export const roleWith = (Statement: readonly object[], properties: object = {}) => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyName: 'p', PolicyDocument: { Statement } }], ...properties },
});

/** Returns a function `returns-dev-<name>` with its role, and the alias by which alone triggers reach it. */
export const functionWith = (name: string, statements: readonly object[] = [], properties: object = {}) => ({
  [`${name}Role`]: roleWith(statements),
  [`${name}Live`]: {
    Type: 'AWS::Lambda::Alias',
    Properties: { FunctionName: { Ref: name }, FunctionVersion: '1', Name: 'live' },
  },
  [name]: {
    Type: 'AWS::Lambda::Function',
    Properties: {
      FunctionName: `returns-dev-${name}`,
      Role: { 'Fn::GetAtt': [`${name}Role`, 'Arn'] },
      Handler: `${name}/index.handler`,
      Timeout: 1,
      MemorySize: 128,
      ...properties,
    },
  },
});
