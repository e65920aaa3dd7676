import { randomBytes } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { digestText } from '../../domain/returns/history/history.ts';
import type { EncryptedActor } from '../../domain/returns/model/actor.ts';
import { perContainer } from '../../runtime/container.ts';
import { log } from '../../runtime/log.ts';
import { batchGet } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { digestOfUserNameKey, userKey, userNameKey, userSaltKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { put, type Write } from '../engine/transact.ts';

/*
 * Names of signed-in users. An entry of a history holds the id of the user and the salted digest of the name, so its MAC
 * covers the name that readers see. The name is in a row of the user, so that one erasure removes it from all histories.
 * A row that is overwritten no longer has the digest, and readers see no name.
 */

/** The name of a user, or the mark of its erasure. */
export type UserName = { readonly name?: string; readonly erased?: true };

/** A user of a call. `nameDigest` is that of an earlier call, whose work this call continues. */
type CallUser = { readonly id: string; readonly name?: string; readonly nameDigest?: string };

/** The name that a container has last seen of a user, and whether it has stored it. */
type SeenName = { readonly name: string; readonly salt: string; readonly digest: string; isStored: boolean };

const seenNames = perContainer(() => new Map<string, SeenName>());
const maxSeenNames = 100;
const saltBytes = 32;

/** Returns the digest of a name. The id of the user is a part of it: the name of another user does not fit. */
const digestOfName = (userId: string, name: string, salt: string): string =>
  digestText(JSON.stringify([userId, name]), Buffer.from(salt, 'base64'));

/**
 * Returns the salt of a user, and makes it at the first call. One salt for each user, and not for each container, leaves
 * one row for each name.
 */
const readOrCreateSalt = async (session: Session, userId: string): Promise<string> => {
  const { Attributes } = await session.send(
    new UpdateCommand({
      TableName: table(),
      Key: userSaltKey(userId),
      UpdateExpression: 'SET #salt = if_not_exists(#salt, :new)',
      ExpressionAttributeNames: { '#salt': 'salt' },
      ExpressionAttributeValues: { ':new': randomBytes(saltBytes).toString('base64') },
      ReturnValues: 'ALL_NEW',
    }),
  );
  return String(Attributes?.['salt']);
};

const seeName = async (session: Session, id: string, name: string): Promise<SeenName> => {
  const names = seenNames();
  const known = names.get(id);
  if (known?.name === name) return known;
  const salt = await readOrCreateSalt(session, id);
  const seen = { name, salt, digest: digestOfName(id, name, salt), isStored: false };
  if (names.size >= maxSeenNames) names.clear();
  names.set(id, seen);
  return seen;
};

/** The writes of a user's name, and what to call after them. */
export type NameWrites = { readonly writes: readonly Write[]; readonly stored: () => void };

const none: NameWrites = { writes: [], stored: () => undefined };

/**
 * Prepares the name of a user for the entries of a command, and returns its write, if this container has not stored it.
 *
 * @param user undefined for a command that stores no name
 */
export const prepareUserName = async (session: Session, user: CallUser | undefined): Promise<NameWrites> => {
  if (user?.name === undefined) return none;
  const { id, name } = user;
  const seen = await seeName(session, id, name);
  if (seen.isStored) return none;
  const { salt, digest } = seen;
  return {
    writes: [put('userName', userNameKey(id, digest), { name, salt }), put('user', userKey(id), { name })],
    stored: () => void (seen.isStored = true),
  };
};

/** Returns the digest of the user's name, which an entry holds; undefined without a prepared name. */
export const nameDigestOf = ({ id, name, nameDigest }: CallUser): string | undefined => {
  if (name === undefined) return nameDigest;
  const seen = seenNames().get(id);
  return seen?.name === name ? seen.digest : undefined;
};

/** What users did: a note, or an entry of a history. */
type Authored = { readonly actor: Pick<EncryptedActor, 'user'> };

/** Returns what a row says about a name, if it is the name that was written. */
const nameIn = (
  { name, salt, erased }: Readonly<Record<string, unknown>>,
  userId: string,
  digest: string,
): UserName | undefined => {
  if (erased === true) return { erased };
  if (digestOfName(userId, String(name), String(salt)) === digest) return { name: String(name) };
  log('error', 'user name rejected', { userId });
  return undefined;
};

/** Returns the names of the users of entries, by the digests in them. Users without a name are absent. */
export const readUserNames = async (
  session: Session,
  entries: readonly Authored[],
): Promise<ReadonlyMap<string, UserName>> => {
  const users = new Map(
    entries.flatMap(({ actor: { user } }) =>
      user?.nameDigest === undefined ? [] : [[user.nameDigest, user.id] as const],
    ),
  );
  const keys = Array.from(users, ([digest, id]) => userNameKey(id, digest));
  const rows = await batchGet(session, keys, ['sk', 'name', 'salt', 'erased'], { consistent: true });
  return new Map(
    rows.flatMap((row): [string, UserName][] => {
      const digest = digestOfUserNameKey(String(row['sk']));
      const found = nameIn(row, users.get(digest) ?? '', digest);
      return found === undefined ? [] : [[digest, found]];
    }),
  );
};
