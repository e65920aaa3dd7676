import { getItem } from '../engine/batch-get.ts';
import { type Key, userIdOfKey, userKey, usersPartition } from '../engine/keys.ts';
import { queryAll } from '../engine/query-pages.ts';
import type { Session } from '../engine/session.ts';

/*
 * The users who have sent a command, with their last names. A command writes the row with the name for its history
 * (user-names.ts). An erasure of the user deletes it.
 */

/** A user of the list. */
export type ListedUser = { readonly userId: string; readonly name: string };

/** Returns whether a user is in the list: one who has sent a command, and was not erased. Strongly consistent. */
export const isListedUser = async (session: Session, userId: string): Promise<boolean> =>
  (await getItem(session, userKey(userId))) !== undefined;

/** Returns the users, up to `maximum`, by id. Eventually consistent. */
export const listUsers = async (session: Session, maximum: number): Promise<readonly ListedUser[]> => {
  const rows = await queryAll<Key & { readonly name: string }>(
    session,
    { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': usersPartition } },
    maximum,
  );
  return rows.map(({ sk, name }) => ({ userId: userIdOfKey(sk), name }));
};
