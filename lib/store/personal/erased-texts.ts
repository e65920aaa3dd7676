import { batchGet, getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { erasedKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { updateIf } from '../engine/transact.ts';

/*
 * Marks of erased texts. An erasure deletes all existing texts of a return, and texts are added with the entries of its
 * history. So one sequence is enough: that of the last entry whose texts are erased.
 */

type ErasedMark = { readonly through: number };

/** Marks the texts of all entries up to a sequence as erased. A repeat, or an earlier sequence, changes nothing. */
export const markTextsErased = async (session: Session, returnId: string, through: number): Promise<void> =>
  void (await updateIf(session, {
    TableName: table(),
    Key: erasedKey(returnId),
    UpdateExpression: 'SET #through = :through',
    ConditionExpression: 'attribute_not_exists(#through) OR #through < :through',
    ExpressionAttributeNames: { '#through': 'through' },
    ExpressionAttributeValues: { ':through': through },
  }));

/** Returns the sequence of the last entry whose texts are erased; 0 when none are. */
export const readErasedSequence = async (session: Session, returnId: string): Promise<number> =>
  (await getItem<ErasedMark>(session, erasedKey(returnId)))?.through ?? 0;

/** Returns the marks of many returns, by id, without those that have none. Eventually consistent. */
export const readErasedSequences = async (
  session: Session,
  returnIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  const marks = await batchGet(session, returnIds.map(erasedKey), ['pk', 'through']);
  return new Map(marks.map(({ pk, through }) => [String(pk).slice(String(pk).indexOf('#') + 1), Number(through)]));
};
