import type { Output } from '../../lib/contract/contract.ts';
import type { Entry } from '../../lib/domain/returns/history/entry.ts';

/** Returns the stored form of an entry of getHistory: without the fields that its hash does not cover. */
export const storedEntry = (shown: Output<'getHistory'>['items'][number]): Entry => {
  const { erased: _, ...entry } = shown;
  const { onBehalfOf: __, erased: ___, user: shownUser, ...actor } = entry.actor;
  const { name: ____, erased: _____, ...user } = shownUser ?? { id: '' };
  return { ...entry, actor: { ...actor, ...(shownUser && { user }) } } as unknown as Entry;
};
