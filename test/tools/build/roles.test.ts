import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { covers, permissionsOf } from '../../../lib/tools/local/emulators/policy.ts';
import { identities, isLogging, packaged } from '../../support/roles.ts';
import { modes, type Mode } from '../../../lib/tools/template/functions/function-row.ts';
import { packagedTemplate, functionBundle } from '../../support/bundles.ts';

type Function = { readonly FunctionName: string; readonly Role: string };

const functionsOf = async (mode: Mode) =>
  (await packaged(mode)).ofType('AWS::Lambda::Function').map(({ properties }) => properties as Function);

const permissionsIn = async (mode: Mode, name: string) =>
  (await identities(mode)).find((one) => one.function === name)?.permissions ?? [];

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

const tableOf = (mode: Mode) => `arn:aws:dynamodb:eu-central-1:000000000000:table/returns-${mode}-Table`;

describe.each(modes)('roles of the %s mode', (mode) => {
  it('exist for each function, the gateways and the schedules', async () => {
    const functions = await functionsOf(mode);
    const roles = (await packaged(mode)).ofType('AWS::IAM::Role').map(({ local }) => local.attributes['Arn'] ?? '');
    expect(functions).toHaveLength(functionFiles(mode).length);
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

  it('name every action in full, and no resource by a star but a log group’s streams, the files of evidence and of exports, the trees and roots of histories, the bodies of deliveries and the secrets of platforms', async () => {
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
});

it.each(modes)('roles let only the functions that need them read the secrets of platforms (%s)', async (mode) => {
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

it('roles of the connected mode let only inbox operations and schedules access the table', async () => {
  const touching = (await identities('connected'))
    .filter((one) => one.permissions.some(({ action }) => action.startsWith('dynamodb:')))
    .map((one) => one.function);
  expect(touching.toSorted()).toEqual([
    'dailySummary',
    'doctor',
    'expireReturns',
    'getInboxDelivery',
    'listInboxDeliveries',
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

describe('roles of the standalone mode', () => {
  /** Returns the functions that can run one of some actions on items of a partition. */
  const reaching = async (partition: string, ...actions: readonly string[]) =>
    (await identities('standalone'))
      .filter(({ permissions }) =>
        actions.some((action) =>
          permissions.some((permission) =>
            covers(permission, {
              action: `dynamodb:${action}`,
              resource: tableOf('standalone'),
              partitions: [partition],
            }),
          ),
        ),
      )
      .map((one) => one.function)
      .toSorted();

  it('let health, which is public, read one missing item', async () => {
    const permissions = await permissionsIn('standalone', 'health');
    expect(permissions.filter(({ action }) => action.startsWith('dynamodb:'))).toEqual([
      { action: 'dynamodb:GetItem', resource: tableOf('standalone'), partitions: ['PROBE'] },
    ]);
  });

  it('let only functions that show, store or erase personal data read it', async () => {
    expect(await reaching('PII#web:customer:1', 'GetItem', 'BatchGetItem', 'Query')).toEqual([
      'applyRetention',
      'getHistory',
      'getOrder',
      'getReturn',
      'listReturns',
      'matchWithdrawals',
      'process',
      'registerOrder',
      'reindexReturns',
      'remindRefunds',
      'runJob',
      'updateParcel',
    ]);
  });

  it('let each function that shows a return read the names of the authors of its notes', async () => {
    const showing = ['getHistory', 'getReturn', 'process', 'remindRefunds'];
    expect(await reaching('USER#1', 'BatchGetItem')).toEqual(expect.arrayContaining(showing));
  });

  it('let few functions use the rows of the search, which all can be deleted with the search off', async () => {
    expect(await reaching('SEARCH#0a', 'GetItem', 'BatchGetItem', 'Query')).toEqual(['searchCustomers']);
    expect(await reaching('SEARCH#0a', 'PutItem', 'UpdateItem')).toEqual([
      'process',
      'registerOrder',
      'reindexReturns',
    ]);
    const deleting = ['applyRetention', 'process', 'registerOrder', 'reindexReturns', 'runJob'];
    expect(await reaching('SEARCH#0a', 'DeleteItem')).toEqual(deleting);
    const off = await packaged('standalone', { CustomerSearch: 'off', SearchKmsKeyArn: 'arn:aws:kms:a:1:key/b' });
    expect(off.ofType('AWS::SecretsManager::Secret').map(({ logicalId }) => logicalId)).not.toContain('SearchKeys');
    const granted = [...identitiesOf(off, functionSpecs(off)).values()].flatMap((one) =>
      one.permissions
        .filter(({ resource, partitions }) => /Search|kms/.test(resource) || partitions?.includes('SEARCH#*'))
        .map(({ action }) => `${one.function} ${action}`),
    );
    expect(granted.toSorted()).toEqual(deleting.map((name) => `${name} dynamodb:DeleteItem`));
  });

  it('let the operations on withdrawals read their texts, and no other personal data', async () => {
    const subject = encodeURIComponent('withdrawal:wdr_1');
    const readers = await reaching(`PII#${subject}`, 'GetItem', 'BatchGetItem', 'Query');
    const others = new Set(await reaching('PII#web:customer:1', 'GetItem', 'BatchGetItem', 'Query'));
    expect(readers.filter((name) => !others.has(name))).toEqual([
      'getWithdrawal',
      'getWithdrawalHistory',
      'getWithdrawalReceipt',
      'verifyChains',
      'verifyWithdrawalHistory',
      'withdrawWithdrawal',
    ]);
  });

  it('let verifyChains walk all returns and withdrawals, and those that changed', async () => {
    const permissions = await permissionsIn('standalone', 'verifyChains');
    const walked = ['byCreation', 'byUpdate'].flatMap((index) =>
      ['RETURNS#0', 'WITHDRAWALS#0'].map((partition) => ({
        action: 'dynamodb:Query',
        resource: `${tableOf('standalone')}/index/${index}`,
        partitions: [partition],
      })),
    );
    expect(walked.filter((call) => permissions.some((permission) => covers(permission, call)))).toEqual(walked);
  });

  it('let only functions that create or use the secrets of endpoints read them', async () => {
    expect(await reaching('ENDPOINTSECRETS#whe_1', 'GetItem', 'BatchGetItem', 'Query')).toEqual([
      'createWebhookEndpoint',
      'deliverEvents',
      'rotateWebhookSecret',
      'testWebhookEndpoint',
    ]);
  });

  it('let only commands write returns, and readers write nothing', async () => {
    const writers = await reaching('RETURN#ret_1', 'PutItem', 'UpdateItem', 'DeleteItem');
    const readers = functionFiles('standalone').filter(({ name }) =>
      /^(?:get|list|verify|quote|diff|health)/.test(name),
    );
    expect(readers.length).toBeGreaterThan(20);
    expect(writers.filter((name) => readers.some((reader) => reader.name === name))).toEqual([]);
  });
});

it('roles let jobs delete only personal data', async () => {
  const permissions = await permissionsIn('standalone', 'runJob');
  const may = (key: string) =>
    permissions.some((permission) =>
      covers(permission, { action: 'dynamodb:DeleteItem', resource: tableOf('standalone'), partitions: [key] }),
    );
  const personal = ['PII#web:customer:1', 'INBOX#shopify#a#t#1', 'INBOXOF#RETURN#ret_1'];
  expect(personal.filter(may)).toEqual(personal);
  const others = ['RETURN#ret_1', 'ORDER#web#1', 'IDEMPOTENCY#a#b', 'POLICIES', 'JOB#job_1', 'DECISIONS#2026-11-22#0'];
  expect(others.filter(may)).toEqual([]);
  const deleting = permissions.filter(({ action }) => action.startsWith('s3:Delete'));
  expect(deleting.map(({ action, resource }) => `${action} ${resource}`).toSorted()).toEqual([
    's3:DeleteObject arn:aws:s3:::returns-standalone-inboxbucket/deliveries/*',
    's3:DeleteObjectVersion arn:aws:s3:::returns-standalone-evidencebucket/pii/*',
  ]);
});

it('roles let retention delete personal data and order facts, and write no return', async () => {
  const permissions = await permissionsIn('standalone', 'applyRetention');
  const may = (key: string, ...actions: readonly string[]) =>
    permissions.some((permission) =>
      actions.some((action) =>
        covers(permission, { action: `dynamodb:${action}`, resource: tableOf('standalone'), partitions: [key] }),
      ),
    );
  const removed = ['PII#web:customer:1', 'TRACKING#JJD1', 'ORDER#web#1'];
  const others = ['RETURN#ret_1', 'IDEMPOTENCY#a#b', 'POLICIES', 'JOB#job_1', 'INBOX#shopify#a#t#1', 'ENDPOINTS'];
  expect([...removed, ...others, 'ERASED#ret_1'].filter((key) => may(key, 'DeleteItem'))).toEqual(removed);
  expect(others.filter((key) => may(key, 'PutItem', 'UpdateItem', 'DeleteItem'))).toEqual([]);
  const files = permissions.filter(({ action }) => action.startsWith('s3:')).map(({ resource }) => resource);
  expect(files.every((resource) => resource.includes('evidencebucket'))).toBe(true);
});

describe.each([
  {
    keys: 'history keys',
    name: 'HistoryKeys',
    parameter: 'HistoryKmsKeyArn',
    variable: 'HISTORY_KEYS_ID',
    readers: ['approve', 'createReturn', 'process', 'runJob', 'verifyHistory', 'verifyChains', 'rotateKeys'],
    exact: false,
  },
  {
    keys: 'receipt keys',
    name: 'ReceiptKeys',
    parameter: 'ReceiptKmsKeyArn',
    variable: 'RECEIPT_KEYS_ID',
    readers: ['receiptKeys', 'rotateKeys'],
    exact: false,
  },
  {
    keys: 'search keys',
    name: 'SearchKeys',
    parameter: 'SearchKmsKeyArn',
    variable: 'SEARCH_KEYS_ID',
    readers: ['process', 'registerOrder', 'reindexReturns', 'rotateKeys', 'searchCustomers'],
    exact: true,
  },
])('$keys', ({ name: secretName, parameter, variable, readers: expected, exact }) => {
  const secret = `arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns-standalone-${secretName}`;
  const readers = async () =>
    (await identities('standalone')).filter((one) =>
      one.permissions.some(({ resource }) => resource.startsWith(secret)),
    );

  it('are read only by functions that sign with them or verify', async () => {
    const bundled = functionFiles('standalone').filter(({ name }) =>
      readFileSync(functionBundle('standalone', name), 'utf8').includes(variable),
    );
    const names = (await readers()).map((one) => one.function).toSorted();
    expect(names).toEqual(bundled.map(({ name }) => name).toSorted());
    expect(exact ? names : names.filter((name) => expected.includes(name))).toEqual(expected.toSorted());
    const others = ['health', 'getReturn', 'getHistory', 'receiveWebhook', 'publishEvents', 'doctor'];
    if (secretName !== 'HistoryKeys') others.push('runJob');
    expect(others.filter((name) => names.includes(name))).toEqual([]);
  });

  it('are only read, except by their rotation', async () => {
    const granted = (await readers())
      .filter((one) => one.function !== 'rotateKeys')
      .flatMap(({ permissions }) =>
        permissions.filter(({ resource }) => resource.startsWith(secret)).map(({ action }) => action),
      );
    expect(new Set(granted)).toEqual(new Set(['secretsmanager:GetSecretValue']));
  });

  it('are encrypted with the configured key, which their readers may use', async () => {
    const arn = 'arn:aws:kms:eu-central-1:000000000000:key/1';
    const users = (deployment: Awaited<ReturnType<typeof packaged>>) =>
      [...identitiesOf(deployment, functionSpecs(deployment)).values()]
        .filter(({ permissions }) => permissions.some(({ action }) => action === 'kms:Decrypt'))
        .map((one) => one.function);
    const keyOf = (deployment: Awaited<ReturnType<typeof packaged>>) =>
      deployment.ofType('AWS::SecretsManager::Secret').find(({ logicalId }) => logicalId === secretName)?.properties[
        'KmsKeyId'
      ];
    const [usual, own] = [await packaged('standalone'), await packaged('standalone', { [parameter]: arn })];
    expect([keyOf(usual), users(usual)]).toEqual([undefined, []]);
    expect(keyOf(own)).toBe(arn);
    expect(users(own).toSorted()).toEqual((await readers()).map((one) => one.function).toSorted());
  });
});

it.each(['GatewayRole', 'GatewayReadRole', 'ScheduleRole'])(
  'roles let the holder of the %s only invoke',
  async (name) => {
    const found = (await packaged('connected')).ofType('AWS::IAM::Role').find((role) => role.logicalId === name);
    const permissions = found === undefined ? [] : permissionsOf(found);
    expect(new Set(permissions.map(({ action }) => action))).toEqual(new Set(['lambda:InvokeFunction']));
    // A pattern for this stage would match the functions of another stage whose name starts with it.
    expect(permissions.filter(({ resource }) => resource.includes('*'))).toEqual([]);
    expect(permissions.length).toBeGreaterThan(5);
    const { AssumeRolePolicyDocument } = found?.properties ?? {};
    expect(JSON.stringify(AssumeRolePolicyDocument)).toContain('"aws:SourceAccount"');
  },
);
