import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { templatePart } from '../../../lib/tools/template/resources/template-part.ts';
import { functionFiles } from '../../../lib/tools/template/function-files.ts';
import { basePath } from '../../../lib/contract/operation.ts';
import { apiBody } from '../../../lib/tools/template/gateway.ts';
import { checkRows, stanzas } from '../../../lib/tools/build/generated.ts';
import { getReturn, waiveFee } from '../../../lib/contract/operations.ts';
import { rowsOf } from '../../../lib/tools/template/functions.ts';
import { modes } from '../../../lib/tools/template/functions/function-row.ts';
import { rowOfOperation } from '../../../lib/tools/template/functions/operations.ts';
import { command, storeUserName } from '../../../lib/tools/template/permissions/table.ts';
import { offers } from '../../../lib/tools/template/offer.ts';

describe('serverless.yml', () => {
  it('has at most 580 lines', () => {
    expect(readFileSync('serverless.yml', 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(580);
  });
});

describe.each(modes)('functions of the %s mode', (mode) => {
  const names = functionFiles(offers[mode]).map(({ name }) => name);

  it('have one row each', () => {
    expect(() => checkRows(offers[mode])).not.toThrow();
    expect(Object.keys(stanzas(offers[mode])).toSorted()).toEqual(names.toSorted());
  });

  it('are rejected when a file has no row', () => {
    expect(() => checkRows(offers[mode], [...names, 'unheardOf'])).toThrow('has no row for unheardOf');
  });

  it('are rejected when a row has no file', () => {
    const others = names.filter((name) => name !== 'approve');
    expect(() => checkRows(offers[mode], others)).toThrow('has a row for approve, and no file');
  });

  it('have a schedule and an alarm when their file is in functions/schedules', () => {
    const scheduled = rowsOf(offers[mode]).filter(([, { trigger }]) => trigger.kind === 'schedule');
    const files = functionFiles(offers[mode]).filter(({ group }) => group === 'schedules');
    expect(scheduled.map(([name]) => name).toSorted()).toEqual(files.map(({ name }) => name).toSorted());
    expect(scheduled.filter(([, { alarm }]) => alarm === undefined)).toEqual([]);
  });

  it('have roles, schedules and alarms under the condition of the function', () => {
    const { Resources, extensions } = templatePart(offers[mode]);
    const conditional = rowsOf(offers[mode]).flatMap(([name, { condition }]) =>
      condition === undefined ? [] : [name],
    );
    const under = (condition: string) =>
      [...Object.entries(Resources), ...Object.entries(extensions)]
        .flatMap(([id, resource]) => (resource['Condition'] === condition ? [id] : []))
        .toSorted();
    expect(conditional).toEqual(
      mode === 'connected'
        ? ['refreshToken', 'docs', 'console', 'withdraw', 'publishedPolicy', 'mcp', 'rotateClientSecret', 'authorize']
        : [
            'sendMails',
            'sweepIntents',
            'docs',
            'console',
            'receiptKeys',
            'withdraw',
            'publishedPolicy',
            'mcp',
            'rotateKeys',
            'authorize',
          ],
    );
    const parts = ['Role', 'Schedule', 'Invocations', 'Alarm', 'HeartbeatAlarm', 'LogGroup', 'Version', 'Live'];
    expect(under('SharesTokens')).toEqual(
      mode === 'connected' ? parts.map((part) => `RefreshToken${part}`).toSorted() : [],
    );
    expect(under('WritesBack')).toEqual(
      mode === 'standalone' ? ['IntentsParkedAlarm', ...parts.map((part) => `SweepIntents${part}`).toSorted()] : [],
    );
    expect(under('SendsMails')).toEqual(
      mode === 'standalone'
        ? [
            ...['Bounces', 'Complaints', 'Configuration', 'Feedback', 'Messages'].map((part) => `Mail${part}`),
            ...['AgeAlarm', 'DeadLettersAlarm', 'NotQueuedAlarm', 'QueuePolicy'].map((part) => `Mails${part}`),
            ...['ErrorsAlarm', 'Live', 'LogGroup', 'Role', 'Source', 'Version'].map((part) => `SendMails${part}`),
          ]
        : [],
    );
    const served = ['Live', 'LogGroup', 'Role', 'Version'];
    expect(under('ServesWeb')).toEqual([
      ...served.map((part) => `Docs${part}`),
      ...(mode === 'standalone' ? served.map((part) => `ReceiptKeys${part}`) : []),
      ...['Errors', 'Latency', 'Throttles'].map((name) => `Web${name}Alarm`),
    ]);
    expect(under('ServesWithdrawals')).toEqual(['WithdrawKey', ...served.map((part) => `Withdraw${part}`)]);
    expect(under('ServesPolicy')).toEqual(served.map((part) => `PublishedPolicy${part}`));
    expect(under('AuthorizesByFunction')).toEqual([
      'AuthorizeLive',
      'AuthorizeLogGroup',
      'AuthorizeRole',
      'AuthorizeVersion',
    ]);
    const rotated = ['Alarm', 'Live', 'LogGroup', 'Permission', 'Role', 'Version'];
    expect(under('RotatesClientSecret')).toEqual(
      mode === 'connected' ? ['ClientSecretRotation', ...rotated.map((part) => `RotateClientSecret${part}`)] : [],
    );
    expect(under('RotatesSearchKeys')).toEqual(mode === 'standalone' ? ['SearchKeysRotation'] : []);
    expect(under('RotatesWithdrawKey')).toEqual(mode === 'standalone' ? ['WithdrawKeyRotation'] : []);
    expect(under('SearchesCustomers')).toEqual(mode === 'standalone' ? ['SearchKeys'] : []);
    expect(under('RotatesKeys')).toEqual(
      mode === 'standalone'
        ? [
            'HistoryKeysRotation',
            'ReceiptKeysRotation',
            ...rotated.map((part) => `RotateKeys${part}`),
            'SigningSecretRotation',
          ]
        : [],
    );
  });
});

describe('functions of the API', () => {
  it('have one route each in the gateway', () => {
    const routes = Object.entries(apiBody(offers.standalone).paths).flatMap(([path, methods]) =>
      path.startsWith(basePath) ? Object.values(methods) : [],
    );
    const rows = rowsOf(offers.standalone).filter(([, { trigger }]) => trigger.kind === 'operation');
    expect(rows).toHaveLength(routes.length);
  });

  it('need no row for a command on a return', () => {
    const added = { ...waiveFee, name: 'waiveAll', path: '/returns/{returnId}/waive-all' };
    expect(rowOfOperation(added).permissions.standalone).toEqual([...command, ...storeUserName]);
    expect(rowOfOperation(added).permissions.connected).toEqual(rowOfOperation(waiveFee).permissions.connected);
  });

  it('are rejected without permissions when the operation is no command on a return', () => {
    expect(() => rowOfOperation({ ...getReturn, name: 'getLabel' })).toThrow('has no permissions for getLabel');
  });
});

describe('queues of the deployment', () => {
  it('hide a message for six times the timeout of the function that reads it', () => {
    const { Resources } = templatePart(offers.standalone);
    const ids = ['InboxQueue', 'EventsQueue', 'JobsQueue', 'OutboxQueue'];
    const properties = ids.map((id) => Resources[id]?.['Properties']);
    expect(properties).toMatchObject([360, 60, 180, 540].map((seconds) => ({ VisibilityTimeout: seconds })));
  });
});
