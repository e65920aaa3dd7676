import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { type Key, userIdOfKey, userKey, usersPartition } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';

/*
 * The users who have sent a command, with their last names. A command writes the row with the name for its history
 * (user-names.ts). An erasure of the user deletes it.
 */

/** A user of the list. */
export type ListedUser = { readonly userId: string; readonly name: string };

/** Returns the name of a user; undefined for a user who has sent no command, or was erased. */
export const readUser = async (session: Session, userId: string): Promise<{ readonly name: string } | undefined> =>
  getItem(session, userKey(userId));

/** Returns the users, up to `maximum`, by id. Eventually consistent. */
export const listUsers = async (session: Session, maximum: number): Promise<readonly ListedUser[]> => {
  const { Items = [] } = await session.send(
    new QueryCommand({
      TableName: table(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': usersPartition },
      Limit: maximum,
    }),
  );
  return (Items as (Key & { readonly name: string })[]).map(({ sk, name }) => ({ userId: userIdOfKey(sk), name }));
};
