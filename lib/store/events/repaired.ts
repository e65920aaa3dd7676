import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Summary } from '../../returns/summary.ts';
import { table } from '../engine/client.ts';
import { getItem } from '../engine/get-item.ts';
import { updateLookup } from '../engine/indexes.ts';
import { returnKey, type Key } from '../engine/keys.ts';
import { unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { putVersion, transact } from '../engine/transact.ts';

/** The returns in the order of their last change are in so many parts, which are walked apart. */
export const repairParts = updateLookup().partitions.length;

const keyOf = (part: number): Key => ({ pk: `REPAIR#${part}`, sk: 'CURSOR' });

/**
 * Up to where the returns of a part were compared with their logs: an `updatedKey`; and the places before it that could not
 * be carried. `version` is 0 where none were compared yet.
 */
export type Repaired = { readonly version: number; readonly position: string; readonly stuck: readonly string[] };

export const readRepaired = async (session: Session, part: number): Promise<Repaired> =>
  (await getItem<Repaired>(session, keyOf(part))) ?? { version: 0, position: '!', stuck: [] };

/**
 * Writes how far a part was compared, unless another run has meanwhile.
 *
 * @returns what was written, or nothing where another run was faster
 */
export const writeRepaired = async (
  session: Session,
  part: number,
  version: number,
  repaired: Omit<Repaired, 'version'>,
): Promise<Repaired | undefined> => {
  const next = { version: version + 1, ...repaired };
  const { written } = await transact(session, [putVersion('repaired', keyOf(part), next, version)]);
  return written ? next : undefined;
};

/** A return by its place, and how far its history goes. */
export type Changed = { readonly position: string; readonly place: string; readonly sequence: number };

/** Those of a part that changed last between two positions, the first `limit` of them, oldest first; late, as an index is. */
export const readChanged = async (
  session: Session,
  part: number,
  { after, upTo }: { readonly after: string; readonly upTo: string },
  limit: number,
): Promise<Changed[]> => {
  const { name, attribute, sort, partitions } = updateLookup();
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      IndexName: name,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :after AND :upTo',
      ExpressionAttributeNames: { '#partition': attribute, '#sort': sort },
      ExpressionAttributeValues: { ':partition': partitions[part], ':after': after, ':upTo': upTo },
      Limit: limit,
    }),
  );
  return (Items as { [name: string]: string | Uint8Array }[]).map((item) => {
    const { id, version } = unpack(item['summary'] ?? '') as Summary;
    return { position: String(item[sort]), place: returnKey(id).pk, sequence: version };
  });
};
