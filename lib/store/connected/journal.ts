import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { getItem } from '../engine/batch-get.ts';
import { table } from '../engine/client.ts';
import { idempotencyKey } from '../engine/keys.ts';
import { pack, unpack } from '../engine/pack.ts';
import type { Session } from '../engine/session.ts';
import { isConflict, put, putOne, putUnlessAlive } from '../engine/transact.ts';

/*
 * The journal of commands that connected mode sends to a Returns Service without idempotency keys. A row is written
 * before the request leaves, so that a repeat knows of it.
 */

/** A command of a caller: its key, and the fingerprint of its operation and input. */
export type JournalledCommand = {
  readonly owner: readonly string[];
  readonly key: string;
  readonly fingerprint: string;
};

/** What the journal knows of a command. */
export type JournalEntry = {
  readonly fingerprint: string;
  /** Epoch milliseconds from which no function works on the command any more. */
  readonly endsAt: number;
  /** Absent while the effect is unknown. */
  readonly answer?: unknown;
};

/** A row of the journal, besides its key. */
export type JournalRow = {
  readonly fingerprint: string;
  readonly endsAt: number;
  readonly expiresAt: number;
  readonly value?: string | Uint8Array;
};

const lifetimeSeconds = 24 * 3600;

/** Returns the entry of a caller's key from the last 24 hours, or undefined. */
export const readEntry = async (
  session: Session,
  { owner, key }: JournalledCommand,
  nowMs: number,
): Promise<JournalEntry | undefined> => {
  const row = await getItem<JournalRow>(session, idempotencyKey(owner, key));
  if (row === undefined || row.expiresAt <= nowMs / 1000) return undefined;
  const { fingerprint, endsAt, value } = row;
  return { fingerprint, endsAt, ...(value !== undefined && { answer: unpack(value) }) };
};

const rowOf = ({ fingerprint }: JournalledCommand, endsAt: number, nowMs: number): JournalRow => ({
  fingerprint,
  endsAt,
  expiresAt: Math.floor(nowMs / 1000) + lifetimeSeconds,
});

/** Writes that the request of a command leaves. Returns whether no other request with the key is in the journal. */
export const writeSent = async (
  session: Session,
  command: JournalledCommand,
  endsAt: number,
  nowMs: number,
): Promise<boolean> => {
  const key = idempotencyKey(command.owner, command.key);
  const write = putUnlessAlive('journal', key, rowOf(command, endsAt, nowMs), Math.floor(nowMs / 1000));
  return (await putOne(session, write)).written;
};

/**
 * Replaces the entry of a command that this request works on.
 *
 * @param answer the answer to the command: no customer, and no free text. Absent while the effect is unknown
 */
export const writeEntry = async (
  session: Session,
  command: JournalledCommand,
  { endsAt, answer }: Pick<JournalEntry, 'endsAt' | 'answer'>,
  nowMs: number,
): Promise<void> => {
  const row: JournalRow = { ...rowOf(command, endsAt, nowMs), ...(answer !== undefined && { value: pack(answer) }) };
  await putOne(session, put('journal', idempotencyKey(command.owner, command.key), row));
};

/**
 * Removes a command that had no effect: its key may be used again.
 *
 * @param endsAt of the entry. Another request may have removed it, and sent the command again under the same key
 */
export const removeEntry = async (
  session: Session,
  { owner, key }: JournalledCommand,
  endsAt: number,
): Promise<void> => {
  const removal = {
    TableName: table(),
    Key: idempotencyKey(owner, key),
    ConditionExpression: 'endsAt = :endsAt',
    ExpressionAttributeValues: { ':endsAt': endsAt },
  };
  await session.send(new DeleteCommand(removal)).catch((error: unknown) => {
    if (!isConflict(error, 'ConditionalCheckFailedException')) throw error;
  });
};
