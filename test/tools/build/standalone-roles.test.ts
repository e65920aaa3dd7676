import { describe, expect, it } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { covers } from '../../../lib/tools/local/emulators/policy.ts';
import { identities, packaged, permissionsIn, tableOf } from '../../support/roles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

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
      'findReturns',
      'getHistory',
      'getMessage',
      'getOrder',
      'getReturn',
      'importReturn',
      'listReturns',
      'matchWithdrawals',
      'process',
      'registerOrder',
      'reindexReturns',
      'remindRefunds',
      'runJob',
      'searchCustomers',
      'sendMails',
      'updateParcel',
      'writeBack',
    ]);
  });

  it('let each function that shows a return read the names of the authors of its notes', async () => {
    const showing = ['getHistory', 'getReturn', 'process', 'remindRefunds'];
    expect(await reaching('USER#1', 'BatchGetItem')).toEqual(expect.arrayContaining(showing));
  });

  it('let few functions use the rows of the search, which all can be deleted with the search off', async () => {
    expect(await reaching('SEARCH#0a', 'GetItem', 'BatchGetItem', 'Query')).toEqual(['searchCustomers']);
    expect(await reaching('SEARCH#0a', 'PutItem', 'UpdateItem')).toEqual([
      'importReturn',
      'process',
      'registerOrder',
      'reindexReturns',
    ]);
    const deleting = ['applyRetention', 'importReturn', 'process', 'registerOrder', 'reindexReturns', 'runJob'];
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
      'listWithdrawals',
      'verifyChains',
      'verifyWithdrawalHistory',
      'withdrawWithdrawal',
    ]);
  });

  it('let verifyChains read all returns and withdrawals, and those that changed', async () => {
    const permissions = await permissionsIn('standalone', 'verifyChains');
    const queries = ['byCreation', 'byUpdate'].flatMap((index) =>
      ['RETURNS#0', 'WITHDRAWALS#0'].map((partition) => ({
        action: 'dynamodb:Query',
        resource: `${tableOf('standalone')}/index/${index}`,
        partitions: [partition],
      })),
    );
    expect(queries.filter((call) => permissions.some((permission) => covers(permission, call)))).toEqual(queries);
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
    const readers = functionFiles(offers.standalone).filter(({ name }) =>
      /^(?:get|list|verify|quote|diff|health)/.test(name),
    );
    expect(readers.length).toBeGreaterThan(20);
    expect(writers.filter((name) => readers.some((reader) => reader.name === name))).toEqual([]);
  });

  it('let jobs delete only personal data', async () => {
    const permissions = await permissionsIn('standalone', 'runJob');
    const may = (key: string) =>
      permissions.some((permission) =>
        covers(permission, { action: 'dynamodb:DeleteItem', resource: tableOf('standalone'), partitions: [key] }),
      );
    const personal = ['PII#web:customer:1', 'INBOX#shopify#a#t#1', 'INBOXOF#RETURN#ret_1'];
    expect(personal.filter(may)).toEqual(personal);
    const others = [
      'RETURN#ret_1',
      'ORDER#web#1',
      'IDEMPOTENCY#a#b',
      'POLICIES',
      'JOB#job_1',
      'DECISIONS#2026-11-22#0',
    ];
    expect(others.filter(may)).toEqual([]);
    const deleting = permissions.filter(({ action }) => action.startsWith('s3:Delete'));
    expect(deleting.map(({ action, resource }) => `${action} ${resource}`).toSorted()).toEqual([
      's3:DeleteObject arn:aws:s3:::returns-standalone-inboxbucket/deliveries/*',
      's3:DeleteObjectVersion arn:aws:s3:::returns-standalone-evidencebucket/pii/*',
    ]);
  });

  it('let retention delete personal data and order facts, and write no return', async () => {
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
});
