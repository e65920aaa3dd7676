import { describe, expect, inject, it } from 'vitest';
import { readCallRecord, type Call } from '../../lib/local/call-record.ts';
import { covers, type Permission } from '../../lib/local/policy.ts';
import { identities, isLogging } from '../support/roles.ts';
import { callRecordIn, ways, type Way } from '../support/stack.ts';

const recorded = await readCallRecord(callRecordIn(inject('dataDir')));

const callsOf = (way: Way, name: string): readonly Call[] =>
  recorded.filter((call) => call.way === way && call.function === name);

/** Apart by pattern of keys, the narrower first: what a narrow grant covers does not prove a wide one. */
const grants = (permissions: readonly Permission[]): readonly Permission[] =>
  permissions
    .filter((permission) => !isLogging(permission))
    .flatMap(({ partitions, ...grant }) => partitions?.map((one) => ({ ...grant, partitions: [one] })) ?? [grant])
    .toSorted((a, b) => Number('partitions' in b) - Number('partitions' in a));

const unused = (permissions: readonly Permission[], calls: readonly Call[]): readonly Permission[] => {
  const all = grants(permissions);
  const used = new Set(calls.map((call) => all.find((permission) => covers(permission, call))));
  return all.filter((permission) => !used.has(permission));
};

describe('the calls of AWS that the tests made the functions make', () => {
  it.each(ways)('are all permitted by the function’s own role (%s)', async (way) => {
    const permissions = new Map((await identities(way)).map((one) => [one.function, one.permissions]));
    const isPermitted = (call: Call) =>
      call.permitted && permissions.get(call.function)?.some((permission) => covers(permission, call));
    expect(recorded.filter((call) => call.way === way && !isPermitted(call))).toEqual([]);
  });

  /**
   * What takes more than a test of the stack has: a job that goes on in another run of its worker, a list of returns with a
   * second page, deliveries that are 30 days old, batches that fail over and over, events that were left out, policies whose day comes, and tokens that are shared beside. Tests without a stack have them.
   */
  const rare: Readonly<Partial<Record<string, readonly string[]>>> = {
    runJob: ['sqs:SendMessage'],
    publishEvents: ['sqs:SendMessage'],
    countReturns: ['sqs:SendMessage'],
    activatePolicies: ['dynamodb:PutItem'],
    repairEvents: ['dynamodb:BatchGetItem', 'dynamodb:PutItem', 'events:PutEvents'],
    expireReturns: ['secretsmanager:GetSecretValue'],
    dailySummary: ['secretsmanager:GetSecretValue'],
    remindRefunds: ['secretsmanager:GetSecretValue'],
    verifyChains: ['secretsmanager:GetSecretValue'],
    purgeInbox: ['dynamodb:BatchGetItem', 'dynamodb:DeleteItem'],
  };
  const isRare = ({ function: name, action }: { readonly function: string; readonly action: string }) =>
    rare[name]?.includes(action) === true;

  // Some of the tests alone use some of the grants.
  it.each(inject('wholeRun') ? ways : [])('use all that the roles permit (%s)', async (way) => {
    const idle = (await identities(way)).flatMap((one) =>
      unused(one.permissions, callsOf(way, one.function)).map((grant) => ({ function: one.function, ...grant })),
    );
    expect(idle.filter((grant) => !isRare(grant))).toEqual([]);
  });
});
