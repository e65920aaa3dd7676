import { describe, expect, it } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { covers, permissionsOf } from '../../../lib/tools/local/emulators/policy.ts';
import { identities, isLogging, packaged, permissionsIn, tableOf } from '../../support/roles.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate } from '../../support/bundles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

type Function = { readonly FunctionName: string; readonly Role: string };

const functionsOf = async (mode: Mode) =>
  (await packaged(mode)).ofType('AWS::Lambda::Function').map(({ properties }) => properties as Function);

type RoleProperties = {
  readonly Policies?: readonly {
    readonly PolicyDocument: {
      readonly Statement: readonly {
        readonly Action?: string | readonly string[];
        readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
      }[];
    };
  }[];
};

describe.each(modes)('roles of the %s mode', (mode) => {
  it('exist for each function, the gateways and the schedules', async () => {
    const functions = await functionsOf(mode);
    const roles = (await packaged(mode)).ofType('AWS::IAM::Role').map(({ local }) => local.attributes['Arn'] ?? '');
    expect(functions).toHaveLength(functionFiles(offers[mode]).length);
    expect(new Set(functions.map(({ Role }) => Role)).size).toBe(functions.length);
    const others = ['GatewayRole', 'GatewayReadRole', 'ScheduleRole'].map(
      (name) => `arn:aws:iam::000000000000:role/${name}`,
    );
    expect([...functions.map(({ Role }) => Role), ...others].toSorted()).toEqual(roles.toSorted());
  });

  it('have no additional policies but that of the network, which exists in a VPC only', async () => {
    const { Resources } = await packagedTemplate(mode);
    const others = Object.entries(Resources).filter(
      ([, { Type }]) => Type.startsWith('AWS::IAM::') && Type !== 'AWS::IAM::Role',
    );
    expect(others.map(([name, { Condition }]) => [name, Condition])).toEqual([['NetworkPolicy', 'InVpc']]);
  });

  it('name every action in full, and no resource by a star but a log group’s streams, the files of evidence and of exports, the trees and roots of histories, the bodies of deliveries, the secrets of platforms and the identities of the sender of mails', async () => {
    const permissions = (await identities(mode)).flatMap((one) => one.permissions);
    expect(permissions.filter(({ action }) => !/^[a-z0-9]+:[A-Za-z]+$/.test(action))).toEqual([]);
    const starred = permissions.filter(({ resource }) => resource.includes('*'));
    const known = new Set([
      'arn:aws:s3:::returns-standalone-evidencebucket/pii/*',
      'arn:aws:s3:::returns-standalone-exportbucket/exports/*',
      'arn:aws:s3:::returns-standalone-exportbucket/anchors/*',
      'arn:aws:s3:::returns-standalone-anchorbucket/roots/*',
      'arn:aws:s3:::returns-standalone-anchorbucket/trees/*',
      `arn:aws:s3:::returns-${mode}-inboxbucket/deliveries/*`,
      'arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns/platforms/webhooks/*',
      'arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns/platforms/api/*',
      'arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns/platforms/effects/*',
      'arn:aws:ses:eu-central-1:000000000000:identity/*',
    ]);
    expect(starred.filter((one) => !isLogging(one) && !known.has(one.resource))).toEqual([]);
    expect(permissions.filter(({ resource }) => !resource.startsWith('arn:aws:'))).toEqual([]);
  });

  it('let a function write to its own log group only', async () => {
    const logging = (await identities(mode)).map((one) => [
      one.function,
      one.permissions.filter(isLogging).map(({ action, resource }) => `${action} ${resource}`),
    ]);
    const group = (name: string) =>
      `arn:aws:logs:eu-central-1:000000000000:log-group:/aws/lambda/returns-dev-${name}:*`;
    expect(logging).toEqual(
      (await functionsOf(mode))
        .map(({ FunctionName }) => FunctionName.replace('returns-dev-', ''))
        .map((name) => [name, [`logs:CreateLogStream ${group(name)}`, `logs:PutLogEvents ${group(name)}`]]),
    );
  });

  it('name the partitions of every item, and permit no scan of the whole table', async () => {
    const { Resources } = await packagedTemplate(mode);
    const statements = Object.values(Resources)
      .filter(({ Type }) => Type === 'AWS::IAM::Role')
      .flatMap(({ Properties }) => (Properties as RoleProperties).Policies ?? [])
      .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const items = /^dynamodb:(?:Get|Put|Update|Delete|BatchGet|BatchWrite|ConditionCheck)Item$|^dynamodb:Query$/;
    const onItems = statements.filter(({ Action = [] }) => [Action].flat().some((action) => items.test(action)));
    const conditions = onItems.map(({ Condition }) => Condition);
    expect(conditions.length).toBeGreaterThan(20);
    for (const condition of conditions) {
      expect(condition).toMatchObject({ Null: { 'dynamodb:LeadingKeys': 'false' } });
      const patterns = condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
      const named = /^[A-Z]+(?:#(?:withdrawal%3A)?\*)?$/;
      expect(patterns).toEqual([patterns].flat().filter((pattern) => named.test(String(pattern))));
    }
    const actions = statements.flatMap(({ Action = [] }) => Action);
    const known =
      /^dynamodb:(?:Describe(?:Table|TimeToLive|ContinuousBackups|Stream)|GetRecords|GetShardIterator|ListStreams)$/;
    const others = actions.filter(
      (action) => action.startsWith('dynamodb:') && !items.test(action) && !known.test(action),
    );
    expect(others).toEqual([]);
  });

  it('let the receiver access deliveries, but no returns', async () => {
    const permissions = await permissionsIn(mode, 'receiveWebhook');
    const may = (operation: string, key: string) =>
      permissions.some((permission) =>
        covers(permission, { action: `dynamodb:${operation}`, resource: tableOf(mode), partitions: [key] }),
      );
    for (const key of ['INBOX#shopify#a.example#t#1', 'PROVENKEYS#adobe#1'])
      expect(['GetItem', 'PutItem'].filter((operation) => may(operation, key))).toHaveLength(2);
    const operations = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem', 'Query', 'Scan'];
    const kinds = ['RETURN#ret_1', 'ORDER#web#1', 'PII#web:customer:1', 'IDEMPOTENCY#a#b', 'EXTERNAL#web#1', 'RMA#1'];
    expect(operations.filter((operation) => kinds.some((key) => may(operation, key)))).toEqual([]);
    expect(permissions.filter(({ action }) => action === 'dynamodb:Query' || action === 'dynamodb:Scan')).toEqual([]);
    // A public receiver may store large bodies, and read none of them.
    expect(permissions.flatMap(({ action }) => (action.startsWith('s3:') ? [action] : []))).toEqual(['s3:PutObject']);
  });

  it('let only the functions that need them read the secrets of platforms', async () => {
    const secretOf = (name: string) =>
      `arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns/platforms/${name}-AbCdEf`;
    const readers = async (name: string) =>
      (await identities(mode))
        .filter(({ permissions }) =>
          permissions.some((one) => covers(one, { action: 'secretsmanager:GetSecretValue', resource: secretOf(name) })),
        )
        .map((one) => one.function)
        .toSorted();
    const receiving = ['doctor', 'receiveEvents', 'receiveWebhook'];
    expect(await readers('webhooks/shopify')).toEqual(receiving);
    expect(await readers('webhooks/front')).toEqual(receiving);
    expect(await readers('api/shopify')).toEqual(['doctor', 'process', 'reconcilePlatforms']);
    expect(await readers('shopify')).toEqual([]);
  });
});

describe('roles of the connected mode', () => {
  it('let only inbox operations, schedules and the tools of agents access the table', async () => {
    const touching = (await identities('connected'))
      .filter((one) => one.permissions.some(({ action }) => action.startsWith('dynamodb:')))
      .map((one) => one.function);
    expect(touching.toSorted()).toEqual([
      'dailySummary',
      'doctor',
      'expireReturns',
      'getInboxDelivery',
      'listInboxDeliveries',
      'mcp',
      'process',
      'purgeInbox',
      'receiveEvents',
      'receiveWebhook',
      'reconcilePlatforms',
      'redrive',
      'redriveDeadLetters',
      'remindRefunds',
      'replay',
      'replayRange',
      'sweepInbox',
      'verifyChains',
    ]);
  });
});

describe('roles of gateways and schedules', () => {
  it.each(['GatewayRole', 'GatewayReadRole', 'ScheduleRole'])('let the %s only invoke', async (name) => {
    const found = (await packaged('connected')).ofType('AWS::IAM::Role').find((role) => role.logicalId === name);
    const permissions = found === undefined ? [] : permissionsOf(found);
    expect(new Set(permissions.map(({ action }) => action))).toEqual(new Set(['lambda:InvokeFunction']));
    // A pattern for this stage would match the functions of another stage whose name starts with it.
    expect(permissions.filter(({ resource }) => resource.includes('*'))).toEqual([]);
    expect(permissions.length).toBeGreaterThan(5);
    const { AssumeRolePolicyDocument } = found?.properties ?? {};
    expect(JSON.stringify(AssumeRolePolicyDocument)).toContain('"aws:SourceAccount"');
  });
});
