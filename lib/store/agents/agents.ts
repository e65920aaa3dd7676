import { sha256 } from '../../runtime/hash.ts';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { agentLimitKey, confirmationKey } from '../engine/keys.ts';
import type { Session } from '../engine/session.ts';
import { put, putNew, putOne, updateIf } from '../engine/transact.ts';

/*
 * What the function `mcp` stores: the commands that agents have rehearsed, and how many a client sends in a minute. No row
 * has an input, only its digest.
 */

/** A rehearsed command that its caller may send within five minutes. */
export type Confirmation = {
  /** The digest of the operation, its input and its caller. */
  readonly binding: string;
  /** The version of the resource at the rehearsal. Absent where the command takes no If-Match. */
  readonly version?: number;
  /** The digest of the return at the rehearsal, where no version guards the command. Absent once the command is sent. */
  readonly current?: string;
  /** Epoch milliseconds. */
  readonly until: number;
};

const confirmationMs = 5 * 60_000;
const minuteMs = 60_000;

const expiryAt = (ms: number): number => Math.ceil(ms / 1000);

/**
 * Stores a rehearsed command under a new id.
 *
 * @param now epoch milliseconds
 * @returns the time until which the caller may send it, in epoch milliseconds
 */
export const storeConfirmation = async (
  session: Session,
  id: string,
  confirmation: Omit<Confirmation, 'until'>,
  now: number,
): Promise<number> => {
  const until = now + confirmationMs;
  const attributes = { ...confirmation, until, expiresAt: expiryAt(until) };
  await putOne(session, putNew('confirmation', confirmationKey(id), attributes));
  return until;
};

/** Stores that a command is sent, so that its repeat is not compared with a return that it has changed itself. */
export const storeSent = async (
  session: Session,
  id: string,
  { binding, until }: Pick<Confirmation, 'binding' | 'until'>,
): Promise<void> => {
  await putOne(session, put('confirmation', confirmationKey(id), { binding, until, expiresAt: expiryAt(until) }));
};

/** Returns a rehearsed command; undefined for an unknown id and after its time. */
export const readConfirmation = async (
  session: Session,
  id: string,
  now: number,
): Promise<Confirmation | undefined> => {
  const found = await getItem<Confirmation>(session, confirmationKey(id));
  return found !== undefined && now < found.until ? found : undefined;
};

/**
 * Counts a command of a caller, unless it has sent the limit in this minute.
 *
 * @param caller the texts that identify the caller
 * @param now epoch milliseconds
 * @returns whether the caller may send it
 */
export const countCommand = async (
  session: Session,
  caller: readonly string[],
  limit: number,
  now: number,
): Promise<boolean> => {
  const minute = Math.floor(now / minuteMs);
  return updateIf(session, {
    TableName: table(),
    Key: agentLimitKey(sha256(JSON.stringify(caller), 'base64url'), minute),
    UpdateExpression: 'ADD commands :one SET expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(commands) OR commands < :limit',
    ExpressionAttributeValues: { ':one': 1, ':limit': limit, ':expiry': expiryAt((minute + 2) * minuteMs) },
  });
};
