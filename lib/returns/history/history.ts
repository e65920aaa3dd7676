import { createHmac } from 'node:crypto';
import type { SealedActor } from '../model/actor.ts';
import { sha256Of } from './canonical-json.ts';
import type { Entry, Event } from './entry.ts';
import { after, fold } from './fold.ts';
import type { Return } from '../model/return.ts';

/** What stands before the first entry. */
export const origin = '0'.repeat(64);

/** Who acts, when, and what made them act. */
export type Circumstances = {
  readonly at: string;
  readonly actor: SealedActor;
  readonly causationId: string;
  readonly correlationId: string;
  readonly policyVersion: string | null;
};

/** SHA-256 over the RFC 8785 JSON of an entry without its hash and its MAC, in hex. */
export const hashOf = (entry: Omit<Entry, 'hash'>): string => sha256Of({ ...entry, hash: undefined, mac: undefined });

/** The digest by which personal text enters the history: without the salt it tells nothing of the text. */
export const digestText = (text: string, salt: Uint8Array): string =>
  createHmac('sha256', salt).update(text).digest('hex');

/** Puts events into the history of a return: each entry tied to the one before, and the state they lead to. */
export const append = (
  state: Return | undefined,
  events: readonly [Event, ...Event[]],
  circumstances: Circumstances,
): { entries: readonly Entry[]; state: Return } => {
  const entries: Entry[] = [];
  let current = state;
  for (const event of events) {
    // Clocks differ: a history never goes back in time, so that what was recorded by then is a part from its start.
    const at = current !== undefined && current.updatedAt > circumstances.at ? current.updatedAt : circumstances.at;
    const unhashed = {
      ...event,
      ...circumstances,
      at,
      sequence: (current?.version ?? 0) + 1,
      from: current?.status ?? null,
      to: after(current, { ...event, at }).status,
      previousHash: current?.head ?? origin,
    };
    const entry: Entry = { ...unhashed, hash: hashOf(unhashed) };
    entries.push(entry);
    current = fold(current, entry);
  }
  if (current === undefined) throw new Error('no event to append');
  return { entries, state: current };
};
