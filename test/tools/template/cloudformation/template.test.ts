import { describe, expect, test } from 'vitest';
import { deploy } from '../../../../lib/tools/template/cloudformation/deployment.ts';
import { resolve, type Scope, type Template } from '../../../../lib/tools/template/cloudformation/template.ts';

const template: Template = {
  Parameters: {
    Issuer: { Type: 'String' },
    Level: { Type: 'String', Default: 'info', AllowedValues: ['info', 'debug'] },
    Claim: { Type: 'String', Default: 'client_id', AllowedPattern: '[a-z_]+' },
    Zones: { Type: 'List<String>', Default: 'a,b' },
  },
  Conditions: {
    Loud: { 'Fn::Equals': [{ Ref: 'Level' }, 'debug'] },
    Quiet: { 'Fn::Not': [{ Condition: 'Loud' }] },
    QuietByDefault: { 'Fn::And': [{ Condition: 'Quiet' }, { 'Fn::Equals': [{ Ref: 'Claim' }, 'client_id'] }] },
    Either: { 'Fn::Or': [{ Condition: 'Loud' }, { Condition: 'Quiet' }] },
    Invalid: { 'Fn::Equals': ['one'] },
  },
  Resources: {
    Table: { Type: 'AWS::DynamoDB::Table' },
    Topic: { Type: 'AWS::SNS::Topic' },
  },
};

const scope = (parameters: Record<string, string> = {}): Scope => ({
  template,
  parameters,
  resources: { Table: { ref: 'table-1', attributes: { Arn: 'arn:table-1' } } },
});

describe('resolve', () => {
  test.each([
    ['a given parameter', { Ref: 'Issuer' }, 'https://id'],
    ['the default of a missing parameter', { Ref: 'Level' }, 'info'],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-central-1'],
    ['a resource', { Ref: 'Table' }, 'table-1'],
    ['an attribute', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'arn:table-1'],
    ['an attribute written with a dot', { 'Fn::GetAtt': 'Table.Arn' }, 'arn:table-1'],
    [
      'a join of intrinsics',
      { 'Fn::Join': ['/', ['a', { Ref: 'Table' }, { 'Fn::GetAtt': ['Table', 'Arn'] }]] },
      'a/table-1/arn:table-1',
    ],
    ['a split', { 'Fn::Split': [',', { 'Fn::Join': [',', ['a', { Ref: 'Table' }]] }] }, ['a', 'table-1']],
    ['a split of one part', { 'Fn::Split': [',', { Ref: 'Issuer' }] }, ['https://id']],
    ['a split of a list', { 'Fn::Split': [',', 'a,b'] }, ['a', 'b']],
    [
      'a substitution',
      { 'Fn::Sub': '${AWS::AccountId}:${Table}:${Table.Arn}:${!Literal}' },
      '000000000000:table-1:arn:table-1:${Literal}',
    ],
    ['a substitution with variables', { 'Fn::Sub': ['${Name}-${Table}', { Name: { Ref: 'Level' } }] }, 'info-table-1'],
    ['a value without intrinsics', { a: [1, true, null], $ref: '#/x' }, { a: [1, true, null], $ref: '#/x' }],
    ['a property without a value', { a: { Ref: 'AWS::NoValue' }, b: [{ Ref: 'AWS::NoValue' }, 1] }, { b: [1] }],
    ['a choice', { 'Fn::If': ['Quiet', { Ref: 'Table' }, { Ref: 'Nothing' }] }, 'table-1'],
    ['a choice of nothing', [{ 'Fn::If': ['Loud', { Ref: 'Nothing' }, { Ref: 'AWS::NoValue' }] }, 1], [1]],
    ['a choice by two conditions', { 'Fn::If': ['QuietByDefault', 1, 2] }, 1],
    ["IAM's own Condition", { Effect: 'Allow', Condition: { Bool: {} } }, { Effect: 'Allow', Condition: { Bool: {} } }],
  ])('resolves %s', (_, value, expected) => {
    expect(resolve(value, '', scope({ Issuer: 'https://id' }))).toEqual(expected);
  });

  test.each([
    ['a parameter without a value', { Ref: 'Issuer' }, '/P/Ref: parameter Issuer has no value'],
    ['a type of parameter', { Ref: 'Zones' }, '/P/Ref: parameter Zones has the type List<String>'],
    ['an unknown name', { Ref: 'Nothing' }, '/P/Ref: there is no Nothing'],
    ['an unknown type of resource', { Ref: 'Topic' }, '/P/Ref: the local stack does not know AWS::SNS::Topic of Topic'],
    [
      'an unknown attribute',
      { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      '/P/Fn::GetAtt: the local stack does not know Table.StreamArn',
    ],
    [
      'an unknown intrinsic, with its place',
      { a: [{ 'Fn::Select': [0, ['x']] }] },
      '/P/a/0/Fn::Select: the local stack does not know',
    ],
    ['an unknown condition', { 'Fn::If': ['Absent', 1, 2] }, '/P/Fn::If/0: there is no condition "Absent"'],
    ['a choice with one branch', { 'Fn::If': ['Loud', 1] }, '/P/Fn::If: Fn::If needs a condition and two values'],
    [
      'an unknown kind of condition',
      { 'Fn::If': ['Either', 1, 2] },
      '/Conditions/Either: the local stack does not know this condition',
    ],
    [
      'a comparison with one value',
      { 'Fn::If': ['Invalid', 1, 2] },
      '/Conditions/Invalid/Fn::Equals: Fn::Equals needs two texts',
    ],
    ['an intrinsic with other keys', { Ref: 'Table', other: 1 }, '/P/Ref: the local stack does not know'],
    ['a split without a text', { 'Fn::Split': [','] }, '/P/Fn::Split: Fn::Split needs a separator and a text'],
    ['a join of a value that is no text', { 'Fn::Join': ['', [{ a: 1 }]] }, '/P/Fn::Join/1/0: must be text'],
  ])('rejects %s', (_, value, message) => {
    expect(() => resolve(value, '/P', scope())).toThrow(message);
  });

  test.each([
    ['Level', 'loud'],
    ['Claim', 'client-id'],
  ])('rejects a value of %s that the template does not allow', (Ref, value) => {
    expect(() => resolve({ Ref }, '/P', scope({ [Ref]: value }))).toThrow(`parameter ${Ref} does not allow`);
  });
});

describe('deploy', () => {
  const queuesOf = (template: Template, mode = 'connected', parameters: Record<string, string> = {}) =>
    deploy(template, { mode, parameters, sqs: 'http://127.0.0.1:9' }).ofType('AWS::SQS::Queue');

  test('deploys a template for two modes next to each other', () => {
    const RedrivePolicy = { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] } };
    const Queue = { Type: 'AWS::SQS::Queue', Properties: { RedrivePolicy } };
    const queues = { Resources: { Queue, Dead: { Type: 'AWS::SQS::Queue' } } };
    const [queue, dead] = queuesOf(queues);
    expect(queue?.local.ref).toBe('http://127.0.0.1:9/000000000000/returns-connected-Queue');
    expect(queue?.properties).toEqual({ RedrivePolicy: { deadLetterTargetArn: dead?.local.attributes['Arn'] } });
    expect(queuesOf(queues, 'standalone').map(({ local }) => local.ref)).not.toContain(queue?.local.ref);
  });

  test.each([
    ['off', ['Queue']],
    ['on', ['Queue', 'Other']],
  ])('drops a resource whose condition is false: %s', (Shared, expected) => {
    const conditional = {
      Parameters: { Shared: { Type: 'String', Default: 'off' } },
      Conditions: { IsShared: { 'Fn::Equals': [{ Ref: 'Shared' }, 'on'] } },
      Resources: { Queue: { Type: 'AWS::SQS::Queue' }, Other: { Type: 'AWS::SQS::Queue', Condition: 'IsShared' } },
    };
    expect(queuesOf(conditional, 'connected', { Shared }).map(({ logicalId }) => logicalId)).toEqual(expected);
  });
});
