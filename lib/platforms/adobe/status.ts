import type { SeenReturn } from '../shared/sync/seen.ts';
import type { Item } from './items.ts';

/** The words of a return that has ended. https://developer.adobe.com/commerce/webapi/graphql/schema/orders/interfaces/ */
const ended: ReadonlySet<string> = new Set(['closed', 'processed_closed', 'processed_and_closed', 'denied']);

/** Whether a status is one that a return does not leave. */
export const isEnded = (word: unknown): boolean => typeof word === 'string' && ended.has(word.trim().toLowerCase());

/**
 * Where a return stands. Commerce has one word for the end of every return, and makes all others from the states of the
 * items: so it is the items that tell. A return is decided on when each of its items is, or when goods of it have come;
 * one that ended before any came was called off.
 */
export const statusOf = (word: unknown, items: readonly Item[]): SeenReturn['status'] => {
  if (items.every(({ kept }) => kept === 0)) return 'rejected';
  const came = items.some(({ received }) => received > 0);
  if (isEnded(word)) return came ? 'completed' : 'cancelled';
  return came || items.every(({ allowed, state }) => allowed || state === 'denied') ? 'approved' : 'requested';
};
