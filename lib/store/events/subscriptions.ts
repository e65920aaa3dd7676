import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { subscriptionKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { isConflict, remove, updateIf, type Write } from '../engine/transact.ts';
import { eventPartitionCount } from './event-partitions.ts';

/*
 * How far each endpoint is in each group of logs. Whoever works on a feed holds its lease, and all that it writes is on
 * condition of that: one that was frozen and comes back after another has taken its place changes nothing.
 */

/** As many workers as an endpoint has at once. */
export const groupCount = 4;

const partitionsPerGroup = eventPartitionCount / groupCount;

/** The logs of a group. */
export const partitionsOfGroup = (group: number): readonly number[] =>
  Array.from({ length: partitionsPerGroup }, (_, index) => group * partitionsPerGroup + index);

/** The group of a log. */
export const groupOf = (log: number): number => Math.floor(log / partitionsPerGroup);

/** Events that fail with no success between: since when, how many of them at their first attempt, when to try again. */
export type FailureStreak = { readonly since: number; readonly attempts: number; readonly retryAt: number };

/** A feed. Times are epoch milliseconds. */
export type Subscription = {
  /** How many happenings are behind it, for each log of the group in their order. */
  readonly positions: readonly number[];
  readonly failing?: FailureStreak | undefined;
  /** When something was last delivered. */
  readonly reachedAt?: number | undefined;
  /** When something is to be tried again; none where nothing waits. */
  readonly dueAt?: number | undefined;
  /** When a message comes that was sent with a delay. */
  readonly wakeAt?: number | undefined;
};

/** Which feed is held, by whom. */
export type Lease = { readonly endpointId: string; readonly group: number; readonly owner: string };

/** A feed as it was taken; `wanted` counts those who came while it was held. */
export type LeasedSubscription = Subscription & { readonly wanted: number };

type Item = LeasedSubscription & { readonly owner?: string; readonly until?: number };

/** A worker writes every few seconds. */
const leaseMs = 60_000;

/** A lease that ends later than any that is written now is of a clock that was wrong. */
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

/** Tells whoever holds a feed to look again before it lets go. Says whether somebody holds it. */
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
 * Takes a feed; a new one begins where its endpoint does. Where another worker holds it, that one is told to look again.
 *
 * @param begins how many stood in each of the logs when the endpoint was made
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
  throw new Error('a feed is neither held nor free');
};

/** How a feed stands, on condition that it is held; the lease goes on from now. */
export const writeSubscription = (
  lease: Lease,
  { positions, failing, reachedAt, dueAt }: Subscription,
  now: number,
): Write => {
  const given = Object.entries({ failing, reachedAt, dueAt });
  const removed = given.flatMap(([name, value]) => (value === undefined ? [name] : []));
  const set = given.filter(([, value]) => value !== undefined);
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
 * Lets go of a feed, unless somebody has come since `wanted` was read.
 *
 * @param wakeAt when a message comes that was sent with a delay, epoch milliseconds
 * @returns how often it is wanted now, where somebody has; `lost` where another worker has it
 */
export const releaseSubscription = async (
  session: Session,
  lease: Lease,
  wanted: number,
  wakeAt = 0,
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
        ExpressionAttributeValues: { ':owner': lease.owner, ':wanted': wanted, ':wakeAt': wakeAt },
      });
      if (released) return 'released';
      const item = await getItem<Item>(session, key);
      return item?.owner === lease.owner ? item.wanted : 'lost';
    } catch (error) {
      if (!isConflict(error, 'TransactionConflictException')) throw error;
    }
  }
  throw new Error('a feed cannot be let go');
};

/** A feed whose endpoint is gone, gone too. */
export const removeSubscription = (endpointId: string, group: number): Write =>
  remove('feed', subscriptionKey(endpointId, group));

/** When an endpoint last took something, whichever of its feeds brought it; 0 where none did. Strongly consistent. */
export const readLastDeliveredAt = async (session: Session, endpointId: string): Promise<number> => {
  const groups = Array.from({ length: groupCount }, (_, group) => subscriptionKey(endpointId, group));
  const feeds = await Promise.all(groups.map((key) => getItem<Item>(session, key)));
  return Math.max(...feeds.map((feed) => feed?.reachedAt ?? 0));
};

/** A feed as it is seen from outside, and whether somebody works on it. */
export type SubscriptionStatus = Subscription & {
  readonly endpointId: string;
  readonly group: number;
  readonly held: boolean;
  readonly left: boolean;
};

/** All feeds of these endpoints that there are. Eventually consistent. */
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
