import type { Output } from '../../lib/contract/contract.ts';
import type { Entry } from '../../lib/returns/history/entry.ts';

/** Returns the stored form of an entry of getHistory: without the fields that its hash does not cover. */
export const storedEntry = (shown: Output<'getHistory'>['items'][number]): Entry => {
  const { erased: _, ...entry } = shown;
  const { onBehalfOf: __, erased: ___, user, ...actor } = entry.actor;
  return { ...entry, actor: { ...actor, ...(user && { user: { id: user.id } }) } } as unknown as Entry;
};
