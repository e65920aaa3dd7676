import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { functionSpecs } from '../../../lib/tools/local/emulators/functions.ts';
import { identitiesOf } from '../../../lib/tools/local/emulators/identities.ts';
import { identities, packaged } from '../../support/roles.ts';
import { functionBundle } from '../../support/bundles.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

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
    readers: ['importReturn', 'process', 'registerOrder', 'reindexReturns', 'rotateKeys', 'searchCustomers'],
    exact: true,
  },
])('$keys', ({ name: secretName, parameter, variable, readers: expected, exact }) => {
  const secret = `arn:aws:secretsmanager:eu-central-1:000000000000:secret:returns-standalone-${secretName}`;
  const readers = async () =>
    (await identities('standalone')).filter((one) =>
      one.permissions.some(({ resource }) => resource.startsWith(secret)),
    );

  it('are read only by functions that sign with them or verify', async () => {
    const bundled = functionFiles(offers.standalone).filter(({ name }) =>
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
