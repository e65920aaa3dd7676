import type { Call } from '../contract/port.ts';
import { ok, type Result } from '../contract/result.ts';
import type { InboxBackend } from './backend.ts';
import { endings } from './follow.ts';

/** A return of ours, and the platform's that it follows. */
export type Gone = { readonly returnId: string; readonly externalId: string };

/** More than any order has. */
const mostReturns = 100;

/**
 * Finds returns of an order that follow one of the platform's and have not ended, where the platform's is none of those
 * that the order still has there. A return that was made just now may be missing: the next look at its order finds it.
 *
 * @param still the platform's ids of the returns that it has
 */
export const goneOf = async (
  backend: InboxBackend,
  { platform, orderId }: { readonly platform: string; readonly orderId: string },
  still: ReadonlySet<string>,
  call: Call,
): Promise<Result<readonly Gone[]>> => {
  const listed = await backend.listReturns({ platform, orderId, limit: mostReturns }, call);
  if (!listed.ok) return listed;
  const gone = listed.value.body.items
    .filter(({ managedBy, status }) => managedBy === 'platform' && !endings.has(status))
    .flatMap(({ returnId, externalRefs }) => {
      const own = externalRefs.filter((ref) => ref.platform === platform);
      return own.some(({ id }) => still.has(id)) ? [] : own.slice(0, 1).map(({ id }) => ({ returnId, externalId: id }));
    });
  return ok(gone);
};
