import { describe, expect, inject, it } from 'vitest';
import { readCallRecord, type Call } from '../../lib/local/emulators/call-record.ts';
import { covers, type Permission } from '../../lib/local/emulators/policy.ts';
import { identities, isLogging } from '../support/roles.ts';
import { runsEveryCase } from '../support/samples.ts';
import { callRecordIn, modes, type Mode } from '../support/stack.ts';

const recorded = await readCallRecord(callRecordIn(inject('dataDir')));

const callsOf = (mode: Mode, name: string): readonly Call[] =>
  recorded.filter((call) => call.mode === mode && call.function === name);

type Granted = Permission & { readonly function: string };

/** A permission with the partitions that it names as a text: functions share it that have the very same. */
const nameOf = ({ action, resource, partitions = [] }: Permission): string =>
  JSON.stringify([action, resource, partitions]);

const granted = (permissions: readonly Permission[]): readonly Permission[] =>
  permissions.filter((permission) => !isLogging(permission));

const onlyOn = (permission: Permission, partition: string): Permission => ({ ...permission, partitions: [partition] });

/** What was used of a function's permissions, with the partitions that were touched. */
const usesOf = (
  permissions: readonly Permission[],
  calls: readonly Call[],
): ReadonlyMap<string, ReadonlySet<string>> => {
  const uses = new Map<string, Set<string>>();
  for (const permission of granted(permissions)) {
    const covered = calls.filter((call) => covers(permission, call));
    const touched = (permission.partitions ?? []).filter((partition) =>
      covered.some((call) => covers(onlyOn(permission, partition), call)),
    );
    if (covered.length > 0) uses.set(nameOf(permission), new Set(touched));
  }
  return uses;
};

describe('the calls of AWS that the tests made the functions make', () => {
  it.each(modes)('are all permitted by the function’s own role (%s)', async (mode) => {
    const permissions = new Map((await identities(mode)).map((one) => [one.function, one.permissions]));
    const isPermitted = (call: Call) =>
      call.permitted && permissions.get(call.function)?.some((permission) => covers(permission, call));
    expect(recorded.filter((call) => call.mode === mode && !isPermitted(call))).toEqual([]);
  });

  /**
   * Calls for which a test of the stack is too short: a job that continues in another run of its worker, a list of returns
   * with a second page, an order whose return has no decision yet, a parcel whose number a platform changes, deliveries
   * that are 30 days old, batches that fail several times, events that were left out, policies whose day comes, returns
   * that are ten minutes old, the export of such returns with their proofs, a root that is kept twice, retention,
   * which is off there, and shared tokens.
   * Tests without a stack make these calls.
   */
  const rare: Readonly<Partial<Record<string, readonly string[]>>> = {
    runJob: ['sqs:SendMessage', 's3:GetObject'],
    publishEvents: ['sqs:SendMessage', 'dynamodb:Query', 'dynamodb:PutItem'],
    countReturns: ['sqs:SendMessage'],
    activatePolicies: ['dynamodb:PutItem'],
    repairEvents: [
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'events:PutEvents',
    ],
    registerOrder: ['dynamodb:GetItem REASONS'],
    process: ['dynamodb:DeleteItem TRACKING#*'],
    expireReturns: ['secretsmanager:GetSecretValue'],
    dailySummary: ['secretsmanager:GetSecretValue'],
    remindRefunds: ['secretsmanager:GetSecretValue'],
    verifyChains: ['secretsmanager:GetSecretValue'],
    purgeInbox: ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem'],
    anchorChains: ['dynamodb:BatchGetItem', 's3:PutObject', 's3:GetObject'],
    applyRetention: [
      ...['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map((one) => `dynamodb:${one}`),
      's3:DeleteObject',
      's3:ListBucket',
    ],
  };
  const isRare = ({ function: name, action, partitions = [] }: Granted) =>
    rare[name]?.some((one) => one === action || one === `${action} ${partitions.join(' ')}`) === true;

  // A sample of the tests uses a part of the grants: `npm run soak -- every-case` runs this.
  it.each(inject('wholeRun') && runsEveryCase() ? modes : [])('use all that the roles permit (%s)', async (mode) => {
    const all = (await identities(mode)).map((one) => ({
      ...one,
      uses: usesOf(one.permissions, callsOf(mode, one.function)),
    }));
    const unused: Granted[] = all.flatMap(({ function: name, permissions, uses }) =>
      granted(permissions)
        .filter((permission) => !uses.has(nameOf(permission)))
        .map((permission) => ({ function: name, ...permission })),
    );
    // Of partitions that functions share, one function may touch some and another the others.
    const untouched: Granted[] = all.flatMap(({ function: name, permissions }) =>
      granted(permissions).flatMap((permission) =>
        (permission.partitions ?? [])
          .filter((partition) => !all.some(({ uses }) => uses.get(nameOf(permission))?.has(partition)))
          .map((partition) => ({ function: name, ...onlyOn(permission, partition) })),
      ),
    );
    const idle = [...unused, ...untouched];
    expect(idle.filter((grant) => !isRare(grant))).toEqual([]);
  });
});
