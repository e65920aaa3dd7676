import { ok, type Result } from '../../../contract/result.ts';
import { log } from '../../../runtime/log.ts';
import type { ShopFailure } from '../../platform.ts';
import { permanentFailure } from './shop-failure.ts';

/*
 * Where walks through a shop's changes go on. A change with a time to come, of which shops have some after an import or by
 * a wrong time zone, must not take a walk past all that changes until then.
 */

/** An instant, or now where that is earlier. */
export const notInFuture = (at: string): string => new Date(Math.min(Date.parse(at), Date.now())).toISOString();

/** Whether a walk that goes by time, the oldest first, has come past now: what is behind has not happened yet. */
export const isInFuture = (last: string | undefined): boolean => last !== undefined && Date.parse(last) > Date.now();

/**
 * Where the next walk begins, once this one has come to its end: at the last change that it told of. Not within the last
 * moments, though: what was written then may be seen after what was written later.
 *
 * @param began the instant that this walk, or its last part, began at
 * @param last the latest instant that it told of; nothing where it told of nothing
 * @param lateMs how much later a change may be seen than one that was written after it
 */
export const nextScanStart = (began: string, last: string | undefined, lateMs: number): string =>
  last === undefined
    ? notInFuture(began)
    : new Date(Math.min(Math.max(Date.parse(began), Date.parse(last)), Date.now() - lateMs)).toISOString();

/**
 * Reads an answer in the shape that the platform's API promises. Where it has another, the part that it is of cannot be
 * read: that is named, since another attempt would meet the same answer.
 *
 * @param reason what cannot be read then
 */
export const readExpectedShape = <Value>(
  reason: string,
  read: () => Result<Value, ShopFailure>,
): Result<Value, ShopFailure> => {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    log('error', 'shop response rejected', { reason });
    return permanentFailure(reason);
  }
};

/** Parts that were read, and why one of them could not be. */
export type PartialRead<Reading> = { readonly read: readonly Reading[]; readonly unread?: ShopFailure };

/**
 * Reads an order's returns, or its refunds, one by one: one that nobody can read holds up no other. What may be read later
 * is a failure of all, because the delivery is looked at again then.
 */
export const readEach = <Node, Reading>(
  nodes: readonly Node[],
  readOne: (node: Node) => Result<Reading, ShopFailure>,
): Result<PartialRead<Reading>, ShopFailure> => {
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
