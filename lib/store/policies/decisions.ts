import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { decodeTime, encodeTime } from 'ulid';
import type { StoredDecision } from '../../policies/decision/stored-decision.ts';
import type { ReasonDefinition } from '../../returns/model/reason.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { decisionKey, decisionPartition, type Key, reasonsKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putVersion, type Write } from '../engine/transact.ts';

/** The reasons that the shop has changed or added, and the version of all of them together (0 where there are none). */
type StoredReasons = { readonly changed: readonly ReasonDefinition[]; readonly version: number };

/** What the shop has changed of the reasons: one item, so that whoever needs a few of them reads once. */
export const readReasons = async (session: Session): Promise<StoredReasons> => {
  const item = await getItem<{ version: number; value: string | Uint8Array }>(session, reasonsKey);
  return item === undefined
    ? { changed: [], version: 0 }
    : { changed: unpack(item.value) as ReasonDefinition[], version: item.version };
};

/** The changed reasons in place of version `before` of them. */
export const writeReasons = (changed: readonly ReasonDefinition[], before: number): Write =>
  putVersion('reasons', reasonsKey, { version: before + 1, value: pack(changed) }, before);

/** A day's decisions are in so many partitions: each takes 1,000 writes a second, and each is read by itself. */
export const decisionPartitionCount = 8;

const keyOf = (id: string): Key => {
  const at = decodeTime(id.slice(id.indexOf('_') + 1));
  return decisionKey(new Date(at).toISOString().slice(0, 10), partitionIndexOf(id, decisionPartitionCount), id);
};

/** A decision as it was made, or undefined. */
export const readDecision = async (session: Session, id: string): Promise<StoredDecision | undefined> => {
  const item = await getItem<{ value: string | Uint8Array }>(session, keyOf(id));
  return item === undefined ? undefined : (unpack(item.value) as StoredDecision);
};

/** Keeps a decision, once. Its id is of the day on which it was made. */
export const writeDecision = (decision: StoredDecision): Write =>
  putNew('decision', keyOf(decision.id), { value: pack(decision) });

/** When decisions were made: from one time until before another, in epoch milliseconds. */
export type Period = { readonly from: number; readonly until: number };

const timeLength = 10;
/** What ids of decisions of that millisecond begin with: the id of an earlier one is less, of a later one more. */
const decisionIdAt = (time: number): string => `dec_${encodeTime(time, timeLength)}`;

/**
 * Up to `limit` decisions of one shard of a day, the newest first; fewer than there are where they do not fit into one
 * answer of the engine.
 *
 * @param after the id of the last one that is known already
 * @returns `after` for the next page; without, there is none
 */
export const readDecisions = async (
  session: Session,
  { day, shard, after }: { readonly day: string; readonly shard: number; readonly after?: string | undefined },
  { from, until }: Period,
  limit: number,
): Promise<{ readonly decisions: readonly StoredDecision[]; readonly after?: string }> => {
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :until',
      ExpressionAttributeValues: {
        ':pk': decisionPartition(day, shard),
        ':from': decisionIdAt(from),
        ':until': decisionIdAt(until),
      },
      ScanIndexForward: false,
      Limit: limit,
      ...(after === undefined ? {} : { ExclusiveStartKey: decisionKey(day, shard, after) }),
    }),
  );
  const decisions = (Items as { value: string | Uint8Array }[]).map(({ value }) => unpack(value) as StoredDecision);
  return LastEvaluatedKey === undefined ? { decisions } : { decisions, after: String(LastEvaluatedKey['sk']) };
};
