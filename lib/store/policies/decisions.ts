import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { encodeTime } from 'ulid';
import type { StoredDecision } from '../../domain/policies/decision/stored-decision.ts';
import type { ReasonDefinition } from '../../domain/returns/model/return.ts';
import { partitionIndexOf } from '../../runtime/hash.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { timeOfId } from '../engine/id-time.ts';
import { decisionKey, decisionPartition, type Key, reasonsKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putNew, putVersion, type Write } from '../engine/transact.ts';

/** The reasons that the shop has changed or added, with one version for all (0 when there are none). */
type StoredReasons = { readonly changed: readonly ReasonDefinition[]; readonly version: number };

/** Reads the changed reasons. They are one item, so one read returns all. */
export const readReasons = async (session: Session): Promise<StoredReasons> => {
  const item = await getItem<{ version: number; value: string | Uint8Array }>(session, reasonsKey);
  return item === undefined
    ? { changed: [], version: 0 }
    : { changed: unpack(item.value) as ReasonDefinition[], version: item.version };
};

/** Replaces version `before` of the changed reasons. */
export const writeReasons = (changed: readonly ReasonDefinition[], before: number): Write =>
  putVersion('reasons', reasonsKey, { version: before + 1, value: pack(changed) }, before);

/** The partitions of a day's decisions. Each takes 1,000 writes a second, and is read by itself. */
export const decisionPartitionCount = 8;

const keyOf = (id: string): Key =>
  decisionKey(new Date(timeOfId(id)).toISOString().slice(0, 10), partitionIndexOf(id, decisionPartitionCount), id);

/** Returns a stored decision, or undefined. */
export const readDecision = async (session: Session, id: string): Promise<StoredDecision | undefined> => {
  const item = await getItem<{ value: string | Uint8Array }>(session, keyOf(id));
  return item === undefined ? undefined : (unpack(item.value) as StoredDecision);
};

/** Stores a decision, once. Its id contains the day of the decision. */
export const writeDecision = (decision: StoredDecision): Write =>
  putNew('decision', keyOf(decision.id), { value: pack(decision) });

/** A time range of decisions, in epoch milliseconds: `from` inclusive, `until` exclusive. */
export type Period = { readonly from: number; readonly until: number };

const timeLength = 10;
/** Returns the beginning of decision ids of a millisecond. Earlier ids are lower, later ids higher. */
const decisionIdAt = (time: number): string => `dec_${encodeTime(time, timeLength)}`;

/**
 * Returns up to `limit` decisions of one partition of a day, newest first; fewer when a response of the engine is full.
 *
 * @param after the last id of the previous page
 * @returns `after` for the next page; absent at the end
 */
export const readDecisions = async (
  session: Session,
  { day, partition, after }: { readonly day: string; readonly partition: number; readonly after?: string | undefined },
  { from, until }: Period,
  limit: number,
): Promise<{ readonly decisions: readonly StoredDecision[]; readonly after?: string }> => {
  const { Items = [], LastEvaluatedKey } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :until',
      ExpressionAttributeValues: {
        ':pk': decisionPartition(day, partition),
        ':from': decisionIdAt(from),
        ':until': decisionIdAt(until),
      },
      ScanIndexForward: false,
      Limit: limit,
      ...(after === undefined ? {} : { ExclusiveStartKey: decisionKey(day, partition, after) }),
    }),
  );
  const decisions = (Items as { value: string | Uint8Array }[]).map(({ value }) => unpack(value) as StoredDecision);
  return LastEvaluatedKey === undefined ? { decisions } : { decisions, after: String(LastEvaluatedKey['sk']) };
};
