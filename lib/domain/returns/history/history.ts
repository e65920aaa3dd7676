import { createHmac } from 'node:crypto';
import type { EncryptedActor } from '../model/actor.ts';
import { sha256Of } from './canonical-json.ts';
import type { Entry, Event } from './entry.ts';
import { applyEvent, atEntry } from './fold.ts';
import type { Return } from '../model/return.ts';

/** The previous hash of the first entry. */
export const initialHash = '0'.repeat(64);

/** The actor, the time and the cause of an event. */
export type EventMetadata = {
  readonly at: string;
  readonly actor: EncryptedActor;
  readonly causationId: string;
  readonly correlationId: string;
  readonly policyVersion: string | null;
};

/** Returns the SHA-256 of the RFC 8785 JSON of an entry without its hash and its MAC, in hex. */
export const entryHash = (entry: object): string => sha256Of({ ...entry, hash: undefined, mac: undefined });

/** Returns the digest of a personal text for the history. Without the salt it reveals nothing about the text. */
export const digestText = (text: string, salt: Uint8Array): string =>
  createHmac('sha256', salt).update(text).digest('hex');

/**
 * Appends events to the history of a return. It links each entry to the one before, and returns the resulting state.
 */
export const appendEntries = (
  state: Return | undefined,
  events: readonly [Event, ...Event[]],
  circumstances: EventMetadata,
): { entries: readonly Entry[]; state: Return } => {
  const entries: Entry[] = [];
  let current = state;
  for (const event of events) {
    // Clocks differ, but times never decrease in a history. So the entries until a time are always a prefix of it.
    const at = current !== undefined && current.updatedAt > circumstances.at ? current.updatedAt : circumstances.at;
    const applied = applyEvent(current, { ...event, at });
    const unhashed = {
      ...event,
      ...circumstances,
      at,
      sequence: (current?.version ?? 0) + 1,
      from: current?.status ?? null,
      to: applied.status,
      previousHash: current?.head ?? initialHash,
    };
    const entry: Entry = { ...unhashed, hash: entryHash(unhashed) };
    entries.push(entry);
    current = atEntry(applied, entry);
  }
  if (current === undefined) throw new Error('no event to append');
  return { entries, state: current };
};
