import { ok, type Result } from '../../../contract/result.ts';
import type { ShopFailure } from '../../platform.ts';

/** Parts that were read, and why one of them could not be. */
export type EachRead<Reading> = { readonly read: readonly Reading[]; readonly unread?: ShopFailure };

/**
 * Reads an order's returns, or its refunds, one by one: one that nobody can read holds up no other. What may be read later
 * is a failure of all, because the delivery is looked at again then.
 */
export const eachPart = <Node, Reading>(
  nodes: readonly Node[],
  readOne: (node: Node) => Result<Reading, ShopFailure>,
): Result<EachRead<Reading>, ShopFailure> => {
  const read: Reading[] = [];
  let unread: ShopFailure | undefined;
  for (const node of nodes) {
    const one = readOne(node);
    if (one.ok) read.push(one.value);
    else if (one.failure.kind === 'retryable') return one;
    else unread ??= one.failure;
  }
  return ok({ read, ...(unread !== undefined && { unread }) });
};
