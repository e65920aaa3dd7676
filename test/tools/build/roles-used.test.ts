import { describe, expect, it } from 'vitest';
import { type Mode, modes } from '../../../lib/tools/template/functions/function-row.ts';
import type { Call } from '../../../lib/tools/local/emulators/call-record.ts';
import { covers, type Permission } from '../../../lib/tools/local/emulators/policy.ts';
import { callsOfRun } from '../../support/emitted/whole-run.ts';
import { identities, isLogging } from '../../support/roles.ts';

const recorded = await callsOfRun();

const callsOf = (mode: Mode, name: string): readonly Call[] =>
  recorded.filter((call) => call.mode === mode && call.function === name);

type Granted = Permission & { readonly function: string };

/** Returns the name of a permission with its partitions. Functions with exactly the same permission share it. */
const nameOf = ({ action, resource, partitions = [] }: Permission): string =>
  JSON.stringify([action, resource, partitions]);

const granted = (permissions: readonly Permission[]): readonly Permission[] =>
  permissions.filter((permission) => !isLogging(permission));

const onlyOn = (permission: Permission, partition: string): Permission => ({ ...permission, partitions: [partition] });

/** Returns the used permissions of a function, with the touched partitions. */
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

describe('AWS calls of the functions in the tests', () => {
  it.each(modes)('are all permitted by the function’s own role (%s)', async (mode) => {
    const permissions = new Map((await identities(mode)).map((one) => [one.function, one.permissions]));
    const isPermitted = (call: Call) =>
      call.permitted && permissions.get(call.function)?.some((permission) => covers(permission, call));
    expect(recorded.filter((call) => call.mode === mode && !isPermitted(call))).toEqual([]);
  });

  /**
   * Calls that tests on a stack do not make, because a stack test is too short. Tests without a stack make these calls.
   * They are: a job that continues in another run of its worker, a list of returns with a second page, an order whose
   * return has no decision yet, deliveries that are 30 days old, batches that fail several times, events that were left
   * out, policies whose day has arrived, receipts that are a day old, returns that are ten minutes old, the export of such
   * returns with their proofs, a root that is stored twice, a tree whose page is missing, retention, which is off there,
   * shared tokens, and rotations, which are off there. Nor a withdrawal whose customer has several orders, whose order is
   * decided again or cancelled at its shop, an event of a withdrawal that is repeated, and an index that is built again.
   */
  const rotating = ['DescribeSecret', 'GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
    (one) => `secretsmanager:${one}`,
  );
  const rare: Readonly<Partial<Record<string, readonly string[]>>> = {
    rotateClientSecret: [...rotating, 'lambda:InvokeFunction'],
    rotateKeys: rotating,
    publishEvents: [
      'sqs:SendMessage',
      'dynamodb:Query',
      'dynamodb:PutItem',
      ...['WITHDRAWAL#*', 'INTENT#*', 'WRITEBACKSETTING#*'].map((one) => `dynamodb:BatchGetItem ${one}`),
    ],
    countReturns: ['sqs:SendMessage'],
    activatePolicies: ['dynamodb:PutItem'],
    repairEvents: [
      'dynamodb:GetItem',
      'dynamodb:Query',
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'events:PutEvents',
    ],
    // A new fact approves a waiting return: test/edge/backend/re-evaluate-returns.test.ts.
    registerOrder: [
      'dynamodb:GetItem REASONS',
      'dynamodb:Query RETURN#*',
      ...['IDEMPOTENCY#*', 'EXTERNAL#*'].flatMap((one) => [`dynamodb:GetItem ${one}`, `dynamodb:PutItem ${one}`]),
    ],
    // Tests without a stack: test/service/write-back.
    writeBack: [
      'secretsmanager:GetSecretValue',
      'dynamodb:Query RETURN#*',
      'dynamodb:BatchGetItem USER#*',
      'dynamodb:UpdateItem WRITEBACKSETTING#*',
      ...['EXTERNAL#*', 'IDEMPOTENCY#*', 'RETURN#*', 'ORDER#*'].flatMap((one) => [
        `dynamodb:GetItem ${one}`,
        `dynamodb:PutItem ${one}`,
      ]),
    ],
    redriveDeadLetters: ['sqs:ChangeMessageVisibility'],
    runJob: [
      'sqs:SendMessage',
      's3:GetObject',
      's3:ListBucket',
      ...['ORDER#*', 'WRITEBACK#*'].map((one) => `dynamodb:PutItem ${one}`),
    ],
    // Tests without a stack: test/service/schedules/match-withdrawals.test.ts and test/domain/withdrawals.
    matchWithdrawal: [
      'dynamodb:Query CUSTOMER#*',
      'dynamodb:BatchGetItem RETURN#* ORDER#* ERASED#*',
      'dynamodb:PutItem EXTERNAL#*',
      'dynamodb:PutItem WRITEBACK#*',
    ],
    matchWithdrawals: [
      'dynamodb:Query CUSTOMER#*',
      'dynamodb:BatchGetItem RETURN#* ORDER#* ERASED#*',
      'dynamodb:Query RETURN#*',
      'dynamodb:GetItem IDEMPOTENCY#*',
      ...['EXTERNAL#*', 'DECISIONS#*', 'WRITEBACK#*'].map((one) => `dynamodb:PutItem ${one}`),
      'dynamodb:UpdateItem WITHDRAWAL#*',
    ],
    // Tests without a stack: test/service/schedules/reindex-returns.test.ts.
    reindexReturns: ['BatchGetItem', 'PutItem', 'Query', 'UpdateItem', 'DeleteItem'].map((one) => `dynamodb:${one}`),
    // Tests without a stack: test/service/outbox.
    ...Object.fromEntries(
      ['listEvents', 'getWebhookDelivery'].map((one) => [
        one,
        ['WITHDRAWAL#*', 'INTENT#*', 'WRITEBACKSETTING#*'].map((partition) => `dynamodb:BatchGetItem ${partition}`),
      ]),
    ),
    deliverEvents: ['WITHDRAWAL#*', 'INTENT#*', 'WRITEBACKSETTING#*'].map((one) => `dynamodb:Query ${one}`),
    // Tests without a stack: test/shops/inbox/proven-keys.test.ts.
    receiveWebhook: ['dynamodb:GetItem PROVENKEYS#*', 'dynamodb:PutItem PROVENKEYS#*'],
    // A return with a note of a signed-in user: test/tools/build/roles.test.ts. Conduct: test/service/decisions.
    process: ['secretsmanager:GetSecretValue', 'dynamodb:BatchGetItem USER#*', 'dynamodb:BatchGetItem ORDER#*'],
    expireReturns: ['secretsmanager:GetSecretValue', 'dynamodb:BatchGetItem RETURN#*', 'dynamodb:PutItem WRITEBACK#*'],
    dailySummary: ['secretsmanager:GetSecretValue'],
    remindReceipts: [
      'secretsmanager:GetSecretValue',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:Query',
    ],
    // Tests without a stack: test/service/schedules/remind-refunds.test.ts.
    remindRefunds: [
      'secretsmanager:GetSecretValue',
      'dynamodb:BatchGetItem',
      'dynamodb:GetItem IDEMPOTENCY#*',
      'dynamodb:Query RETURN#*',
    ],
    // The reads of everything begin after some days, and no withdrawal is old enough for a root.
    verifyChains: [
      'secretsmanager:GetSecretValue',
      's3:GetObject',
      's3:ListBucket',
      'dynamodb:Query RETURNS#*',
      'dynamodb:Query WITHDRAWALS#*',
      'dynamodb:Query RETURNS#* WITHDRAWALS#*',
    ],
    verifyHistory: ['s3:GetObject', 's3:ListBucket'],
    verifyWithdrawalHistory: ['s3:GetObject', 's3:ListBucket'],
    purgeInbox: ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem'],
    anchorChains: ['dynamodb:BatchGetItem', 's3:PutObject', 's3:GetObject', 's3:ListBucket'],
    applyRetention: [
      ...['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'].map((one) => `dynamodb:${one}`),
      's3:DeleteObjectVersion',
      's3:ListBucketVersions',
    ],
  };
  /** A signed-in user with a name, who makes few of the commands on a stack: test/edge/backend/user-names.test.ts. */
  const isOfUser = ({ action, partitions }: Granted) =>
    action === 'dynamodb:UpdateItem' && partitions?.join() === 'USERSALT#*';
  const isRare = ({ function: name, action, partitions = [] }: Granted) =>
    rare[name]?.some((one) => one === action || one === `${action} ${partitions.join(' ')}`) === true;

  it.each(modes)('use every permission of the roles (%s)', async (mode) => {
    const all = (await identities(mode)).map((one) => ({
      ...one,
      uses: usesOf(one.permissions, callsOf(mode, one.function)),
    }));
    const unused: Granted[] = all.flatMap(({ function: name, permissions, uses }) =>
      granted(permissions)
        .filter((permission) => !uses.has(nameOf(permission)))
        .map((permission) => ({ function: name, ...permission })),
    );
    // Functions that share partitions may touch different ones of them.
    const untouched: Granted[] = all.flatMap(({ function: name, permissions }) =>
      granted(permissions).flatMap((permission) =>
        (permission.partitions ?? [])
          .filter((partition) => !all.some(({ uses }) => uses.get(nameOf(permission))?.has(partition)))
          .map((partition) => ({ function: name, ...onlyOn(permission, partition) })),
      ),
    );
    const idle = [...unused, ...untouched];
    expect(idle.filter((grant) => !isRare(grant) && !isOfUser(grant))).toEqual([]);
  });
});
