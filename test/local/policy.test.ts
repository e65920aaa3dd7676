import { describe, expect, test } from 'vitest';
import { deploy } from '../../lib/local/cloudformation/deployment.ts';
import { covers, permissionsOf, type Permission } from '../../lib/local/emulators/policy.ts';

const roleWith = (statement: object, properties: object = {}) => {
  const Policies = [{ PolicyName: 'p', PolicyDocument: { Version: '2012-10-17', Statement: [statement] } }];
  const template = { Resources: { Role: { Type: 'AWS::IAM::Role', Properties: { Policies, ...properties } } } };
  const [role] = deploy(template, { mode: 'connected', parameters: {}, sqs: '' }).ofType('AWS::IAM::Role');
  if (role === undefined) throw new Error('no role');
  return role;
};

const allow = { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: 'arn:q' };

describe('permissionsOf', () => {
  test('splits a statement into one action on one resource each', () => {
    const statement = {
      Effect: 'Allow',
      Action: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      Resource: ['arn:a', 'arn:b'],
      Condition: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['INBOX#*'] },
        Null: { 'dynamodb:LeadingKeys': 'false' },
      },
    };
    const partitions = ['INBOX#*'];
    expect(permissionsOf(roleWith(statement))).toEqual([
      { action: 'dynamodb:GetItem', resource: 'arn:a', partitions },
      { action: 'dynamodb:GetItem', resource: 'arn:b', partitions },
      { action: 'dynamodb:PutItem', resource: 'arn:a', partitions },
      { action: 'dynamodb:PutItem', resource: 'arn:b', partitions },
    ]);
    expect(permissionsOf(roleWith(allow))).toEqual([{ action: 'sqs:SendMessage', resource: 'arn:q' }]);
  });

  const path = '/Resources/Role/Properties/Policies/0/PolicyDocument/Statement/0';
  test.each([
    ['a denial', { ...allow, Effect: 'Deny' }, {}, `${path}/Effect`],
    ['all but some actions', { ...allow, NotAction: 'sqs:SendMessage' }, {}, `${path}/NotAction`],
    ['another key of a condition', { ...allow, Condition: { StringEquals: { a: 'b' } } }, {}, `${path}/Condition`],
    [
      'keys that a request may leave out',
      { ...allow, Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['INBOX#*'] } } },
      {},
      `${path}/Condition`,
    ],
    ['a managed policy', allow, { ManagedPolicyArns: ['arn:p'] }, '/Resources/Role/Properties/ManagedPolicyArns'],
  ])('fails for an unknown element: %s', (_, statement, properties, message) => {
    expect(() => permissionsOf(roleWith(statement, properties))).toThrow(message);
  });
});

describe('covers', () => {
  const permission: Permission = { action: 'dynamodb:GetItem', resource: 'arn:table/t' };
  const inbox: Permission = { ...permission, partitions: ['INBOX#*', 'RECONCILE#*'] };
  const access = { action: 'dynamodb:GetItem', resource: 'arn:table/t' };
  test.each<[string, Permission, object, boolean]>([
    ['the same action and resource', permission, {}, true],
    ['an action in another case', { ...permission, action: 'dynamodb:getitem' }, {}, true],
    ['another action', permission, { action: 'dynamodb:GetItems' }, false],
    ['an index of the table', permission, { resource: 'arn:table/t/index/i' }, false],
    ['a resource in another case', permission, { resource: 'arn:table/T' }, false],
    ['any text at a star', { ...permission, resource: 'arn:table/*' }, { resource: 'arn:table/t/index/i' }, true],
    ['six characters at six question marks', { ...permission, resource: 's-??????' }, { resource: 's-AbC123' }, true],
    ['a seventh character', { ...permission, resource: 's-??????' }, { resource: 's-AbC1234' }, false],
    ['a dot only by a dot', { ...permission, resource: 'a.b' }, { resource: 'axb' }, false],
    ['a key like the first pattern', inbox, { partitions: ['INBOX#shopify#1'] }, true],
    ['a key like the second', inbox, { partitions: ['RECONCILE#shopify#1'] }, true],
    ['a key with the same beginning', inbox, { partitions: ['INBOXES#1'] }, false],
    ['one matching key and one other key', inbox, { partitions: ['INBOX#1', 'RETURN#1'] }, false],
    ['no key at all', inbox, {}, false],
  ])('%s: %#', (_, granted, wanted, expected) => {
    expect(covers(granted, { ...access, ...wanted })).toBe(expected);
  });
});
