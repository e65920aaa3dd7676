import { describe, expect, it } from 'vitest';
import { versionIds, withVersionIds } from '../../lib/deploy/version-ids.ts';

const template = {
  Resources: {
    ApproveLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Handler: 'dist/standalone/approve/index.handler',
        Timeout: 10,
        Role: { 'Fn::GetAtt': ['ApproveRole', 'Arn'] },
        Environment: { Variables: { QUEUE_URL: { Ref: 'Queue' }, LOG_LEVEL: { Ref: 'LogLevel' } } },
        Code: { S3Key: 'a/1/approve.zip' },
      },
    },
    ApproveVersion: { Type: 'AWS::Lambda::Version' },
    ApproveRole: { Type: 'AWS::IAM::Role', Properties: { Policies: ['read'] } },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: false } },
    Other: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: false } },
  },
};

const idOf = ({
  resources = {},
  code = 'one',
  level = 'info',
}: {
  resources?: object;
  code?: string;
  level?: string;
}) =>
  versionIds(
    { Resources: { ...template.Resources, ...resources } },
    { codeHash: () => code, parameters: { LogLevel: level, Stage: 'dev' } },
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
    ['parameters', { level: 'debug' }],
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
