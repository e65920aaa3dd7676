import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Output } from '../../contract/contract.ts';
import { listUsers } from '../../contract/operations.ts';
import { call } from '../api/call.ts';

export type Users = Output<'listUsers'>['items'];

const users = signal<Users>([]);

const maxAgeMs = 60_000;
/** A user who is not listed may have sent the first command since. */
const unlistedAgeMs = 2_000;
/** Epoch milliseconds. */
let readAt = 0;

/** Reads the users again: a first command has put the person at the screen into the list. */
export const readUsers = async (): Promise<void> => {
  readAt = Date.now();
  const answer = await call(listUsers, {});
  if (answer.ok) users.value = answer.value.items;
};

/**
 * Returns the users with their names, and none before they are read. All parts of the page share one list.
 *
 * @param wanted the user whose name is shown, or undefined for all; null reads nothing
 */
export const useUsers = (wanted?: string | null): Users => {
  useEffect(() => {
    if (wanted === null) return;
    const isListed = wanted === undefined || users.peek().some(({ userId }) => userId === wanted);
    if (Date.now() - readAt > (isListed ? maxAgeMs : unlistedAgeMs)) void readUsers();
  }, [wanted]);
  return users.value;
};

/** Returns the name of a user, or the id of one who is not listed. */
export const userText = (listed: Users, userId: string): string =>
  listed.find((user) => user.userId === userId)?.name ?? userId;
