import { describe, expect, it } from 'vitest';
import { versionIds, withVersionIds } from '../../../lib/tools/deploy/version-ids.ts';

const template = {
  Resources: {
    ApproveLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Handler: 'dist/standalone/approve/index.handler',
        Timeout: 10,
        Role: { 'Fn::GetAtt': ['ApproveRole', 'Arn'] },
        Environment: { Variables: { QUEUE_URL: { Ref: 'Queue' }, LOG_LEVEL: { Ref: 'LogLevel' } } },
        VpcConfig: { 'Fn::If': ['InVpc', 'vpc', { Ref: 'AWS::NoValue' }] },
        Code: { S3Key: 'a/1/approve.zip' },
      },
    },
    ApproveVersion: { Type: 'AWS::Lambda::Version' },
    ApproveRole: { Type: 'AWS::IAM::Role', Properties: { Policies: ['read'] } },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: false } },
    Other: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: false } },
  },
};

type Change = {
  readonly resources?: object;
  readonly code?: string;
  readonly parameters?: Readonly<Record<string, string>>;
};

const idOf = ({ resources = {}, code = 'one', parameters = {} }: Change) =>
  versionIds(
    {
      Resources: { ...template.Resources, ...resources },
      Conditions: { InVpc: { 'Fn::Equals': [{ Ref: 'Network' }, 'on'] } },
    },
    {
      codeHash: () => code,
      parameters: { LogLevel: 'info', Stage: 'dev', AlarmTopic: 'none', Network: 'off', ...parameters },
    },
  ).get('ApproveVersion');

const changed = (Properties: object) => ({
  ApproveLambdaFunction: {
    ...template.Resources.ApproveLambdaFunction,
    Properties: { ...template.Resources.ApproveLambdaFunction.Properties, ...Properties },
  },
});

describe('versionIds', () => {
  it('adds a hash to the id of each version', () => {
    expect(idOf({})).toMatch(/^ApproveVersion[0-9a-f]{12}$/);
  });

  it.each<[string, Parameters<typeof idOf>[0]]>([
    ['code', { code: 'other' }],
    ['settings', { resources: changed({ Timeout: 20 }) }],
    ['a parameter that its variables name', { parameters: { LogLevel: 'debug' } }],
    ['a parameter of a condition that it uses', { parameters: { Network: 'on' } }],
    [
      'a queue that its variables name',
      { resources: { Queue: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } } },
    ],
  ])('changes with %s', (_, change) => {
    expect(idOf(change)).not.toBe(idOf({}));
  });

  it.each<[string, Parameters<typeof idOf>[0]]>([
    ['the place of the code', { resources: changed({ Code: { S3Key: 'a/2/approve.zip' } }) }],
    [
      'the permissions',
      { resources: { ApproveRole: { Type: 'AWS::IAM::Role', Properties: { Policies: ['write'] } } } },
    ],
    ['a parameter that it does not use', { parameters: { AlarmTopic: 'create' } }],
    ['another queue', { resources: { Other: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } } }],
  ])('does not change with %s', (_, change) => {
    expect(idOf(change)).toBe(idOf({}));
  });
});

describe('withVersionIds', () => {
  it('replaces the ids as keys and in references, and nothing else', () => {
    const text = JSON.stringify({
      ApproveVersion: 1,
      v: { 'Fn::GetAtt': ['ApproveVersion', 'Version'] },
      FunctionVersion: 2,
    });
    const replaced: unknown = JSON.parse(withVersionIds(text, new Map([['ApproveVersion', 'ApproveVersion1']])));
    expect(replaced).toEqual({
      ApproveVersion1: 1,
      v: { 'Fn::GetAtt': ['ApproveVersion1', 'Version'] },
      FunctionVersion: 2,
    });
  });
});
