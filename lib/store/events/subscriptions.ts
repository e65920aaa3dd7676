import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { subscriptionKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { isConflict, remove, updateIf, type Write } from '../engine/transact.ts';
import { eventPartitionCount } from './event-partitions.ts';

/*
 * The progress of each endpoint in each group of partitions. A worker holds the lease of its subscription, and each of
 * its writes is on condition of the lease. So a worker that was frozen while another took the lease changes nothing.
 */

/** The maximum of concurrent workers of an endpoint. */
export const groupCount = 4;

const partitionsPerGroup = eventPartitionCount / groupCount;

/** Returns the partitions of a group. */
export const partitionsOfGroup = (group: number): readonly number[] =>
  Array.from({ length: partitionsPerGroup }, (_, index) => group * partitionsPerGroup + index);

/** Returns the group of a partition. */
export const groupOf = (log: number): number => Math.floor(log / partitionsPerGroup);

/**
 * Failures without a success in between: the first time, the number of failed first attempts, and the time of the next
 * one.
 */
export type FailureStreak = { readonly since: number; readonly attempts: number; readonly retryAt: number };

/** A subscription. Times are epoch milliseconds. */
export type Subscription = {
  /** The offset in each partition of the group. */
  readonly positions: readonly number[];
  readonly failing?: FailureStreak | undefined;
  /** The time of the last delivery. */
  readonly reachedAt?: number | undefined;
  /** The time of the next attempt; absent when no event waits. */
  readonly dueAt?: number | undefined;
  /** The arrival time of the delayed message. */
  readonly wakeAt?: number | undefined;
};

/** A leased subscription, and its worker. */
export type Lease = { readonly endpointId: string; readonly group: number; readonly owner: string };

/** A subscription as it was leased. `wanted` counts the workers that came during the lease. */
export type LeasedSubscription = Subscription & { readonly wanted: number };

type Item = LeasedSubscription & { readonly owner?: string; readonly until?: number };

/** A worker writes every few seconds. */
const leaseMs = 60_000;

/** A lease that ends later than any lease written now comes from a wrong clock. */
const leaseIsFree = '(attribute_not_exists(#owner) OR #until <= :now OR #until > :latest)';
const leaseAttributeNames = { '#owner': 'owner', '#until': 'until' };

const acquireLease = async (session: Session, lease: Lease, begins: readonly number[], now: number) => {
  try {
    const { Attributes } = await session.send(
      new UpdateCommand({
        TableName: table(),
        Key: subscriptionKey(lease.endpointId, lease.group),
        UpdateExpression:
          'SET #owner = :owner, #until = :until, positions = if_not_exists(positions, :begins), wanted = if_not_exists(wanted, :none)',
        ConditionExpression: leaseIsFree,
        ExpressionAttributeNames: leaseAttributeNames,
        ExpressionAttributeValues: {
          ':owner': lease.owner,
          ':until': now + leaseMs,
          ':now': now,
          ':latest': now + 2 * leaseMs,
          ':begins': partitionsOfGroup(lease.group).map((log) => begins[log] ?? 0),
          ':none': 0,
        },
        ReturnValues: 'ALL_NEW',
      }),
    );
    return Attributes as Item;
  } catch (error) {
    if (isConflict(error, 'ConditionalCheckFailedException', 'TransactionConflictException')) return undefined;
    throw error;
  }
};

/** Requests the holder of a lease to check again before it releases. Returns whether there is a holder. */
const requestRecheck = async (session: Session, { endpointId, group }: Lease, now: number): Promise<boolean> => {
  try {
    return await updateIf(session, {
      TableName: table(),
      Key: subscriptionKey(endpointId, group),
      UpdateExpression: 'ADD wanted :one',
      ConditionExpression: `attribute_exists(#owner) AND NOT ${leaseIsFree}`,
      ExpressionAttributeNames: leaseAttributeNames,
      ExpressionAttributeValues: { ':one': 1, ':now': now, ':latest': now + 2 * leaseMs },
    });
  } catch (error) {
    // The holder writes at this moment.
    if (isConflict(error, 'TransactionConflictException')) return false;
    throw error;
  }
};

const maxTries = 10;

/**
 * Leases a subscription. A new one begins at the offsets of its endpoint. When another worker holds it, that worker is
 * requested to check again.
 *
 * @param begins the end offset of each partition at the creation of the endpoint
 * @param now epoch milliseconds
 */
export const leaseSubscription = async (
  session: Session,
  lease: Lease,
  begins: readonly number[],
  now: number,
): Promise<LeasedSubscription | 'held'> => {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const taken = await acquireLease(session, lease, begins, now);
    if (taken !== undefined) return taken;
    if (await requestRecheck(session, lease, now)) return 'held';
  }
  throw new Error('a subscription is neither held nor free');
};

/** Writes a subscription on condition of the lease, and extends the lease. */
export const writeSubscription = (
  lease: Lease,
  { positions, failing, reachedAt, dueAt }: Subscription,
  now: number,
): Write => {
  const optionalFields = Object.entries({ failing, reachedAt, dueAt });
  const removed = optionalFields.flatMap(([name, value]) => (value === undefined ? [name] : []));
  const set = optionalFields.filter(([, value]) => value !== undefined);
  return {
    guards: 'lease',
    action: {
      Update: {
        TableName: table(),
        Key: subscriptionKey(lease.endpointId, lease.group),
        UpdateExpression: [
          `SET #until = :until, positions = :positions${set.map(([name]) => `, ${name} = :${name}`).join('')}`,
          ...(removed.length > 0 ? [`REMOVE ${removed.join(', ')}`] : []),
        ].join(' '),
        ConditionExpression: '#owner = :owner',
        ExpressionAttributeNames: leaseAttributeNames,
        ExpressionAttributeValues: {
          ':owner': lease.owner,
          ':until': now + leaseMs,
          ':positions': positions,
          ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
        },
      },
    },
  };
};

/**
 * Releases a subscription, unless another worker has come since `wanted` was read.
 *
 * @param wakeAt the arrival time of the delayed message, epoch milliseconds
 * @returns the new value of `wanted` when another worker has come; `lost` when another worker has the lease
 */
export const releaseSubscription = async (
  session: Session,
  lease: Lease,
  wanted: number,
  notifyAt = 0,
): Promise<number | 'released' | 'lost'> => {
  const key = subscriptionKey(lease.endpointId, lease.group);
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      const released = await updateIf(session, {
        TableName: table(),
        Key: key,
        UpdateExpression: 'REMOVE #owner, #until SET wakeAt = :wakeAt',
        ConditionExpression: '#owner = :owner AND wanted = :wanted',
        ExpressionAttributeNames: leaseAttributeNames,
        ExpressionAttributeValues: { ':owner': lease.owner, ':wanted': wanted, ':wakeAt': notifyAt },
      });
      if (released) return 'released';
      const item = await getItem<Item>(session, key);
      return item?.owner === lease.owner ? item.wanted : 'lost';
    } catch (error) {
      if (!isConflict(error, 'TransactionConflictException')) throw error;
    }
  }
  throw new Error('a subscription cannot be released');
};

/** Deletes the subscription of a deleted endpoint. */
export const removeSubscription = (endpointId: string, group: number): Write =>
  remove('subscription', subscriptionKey(endpointId, group));

/**
 * Returns the time of the last delivery to an endpoint over all of its subscriptions; 0 without one. Strongly
 * consistent.
 */
export const readLastDeliveredAt = async (session: Session, endpointId: string): Promise<number> => {
  const groups = Array.from({ length: groupCount }, (_, group) => subscriptionKey(endpointId, group));
  const subscriptions = await Promise.all(groups.map((key) => getItem<Item>(session, key)));
  return Math.max(...subscriptions.map((subscription) => subscription?.reachedAt ?? 0));
};

/** The status of a subscription, and whether a worker holds it. */
export type SubscriptionStatus = Subscription & {
  readonly endpointId: string;
  readonly group: number;
  readonly held: boolean;
  readonly left: boolean;
};

/** Returns the existing subscriptions of these endpoints. Eventually consistent. */
export const readSubscriptions = async (
  session: Session,
  endpointIds: readonly string[],
  now: number,
): Promise<readonly SubscriptionStatus[]> => {
  const keys = endpointIds.flatMap((id) =>
    Array.from({ length: groupCount }, (_, group) => subscriptionKey(id, group)),
  );
  const names = ['pk', 'sk', 'positions', 'failing', 'dueAt', 'owner', 'until'];
  const items = (await batchGet(session, keys, names)) as (Item & { pk: string; sk: string })[];
  return items.map(({ pk, sk, positions, failing, dueAt, owner, until = 0 }) => {
    const held = owner !== undefined && until > now && until <= now + 2 * leaseMs;
    return {
      endpointId: pk.slice(pk.indexOf('#') + 1),
      group: Number(sk.slice(sk.indexOf('#') + 1)),
      positions,
      failing,
      dueAt,
      held,
      left: owner !== undefined && !held,
    };
  });
};
