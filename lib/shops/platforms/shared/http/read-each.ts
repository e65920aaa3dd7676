import { ok, type Result } from '../../../../runtime/result.ts';
import { log } from '../../../../runtime/log.ts';
import { type ShopFailure, permanentFailure } from '../../platform.ts';

/*
 * The positions of scans through a shop's changes. Shops have changes with a future time after an import or a wrong
 * time zone. Such a change must not move a scan past all changes until then.
 */

/** Returns an instant, or now if that is earlier. */
export const notInFuture = (at: string): string => new Date(Math.min(Date.parse(at), Date.now())).toISOString();

/** Whether a scan in order of time, the oldest first, has passed now. Later entries have not happened yet. */
export const isInFuture = (last: string | undefined): boolean => last !== undefined && Date.parse(last) > Date.now();

/**
 * Returns the start of the next scan after this one has ended: the last change that it returned.
 * The start is not within the last moments, because an earlier write may become visible after a later one.
 *
 * @param began the instant at which this scan, or its last part, began
 * @param last the latest instant that it returned; undefined if it returned nothing
 * @param lateMs the maximum delay after which a change becomes visible
 */
export const nextScanStart = (began: string, last: string | undefined, lateMs: number): string =>
  last === undefined
    ? notInFuture(began)
    : new Date(Math.min(Math.max(Date.parse(began), Date.parse(last)), Date.now() - lateMs)).toISOString();

/** Returns a second, some seconds later or earlier. Both are in UTC, without a zone. */
export const addSeconds = (at: string, seconds: number): string =>
  new Date(Date.parse(`${at}Z`) + seconds * 1000).toISOString().slice(0, 19);

/**
 * Reads a response in the shape that the platform's API promises.
 * If it has another shape, its part is unreadable. The failure is permanent, because another attempt would get the same
 * response.
 *
 * @param reason the reason of the failure
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

/** The readable parts, and why one part is unreadable. */
export type PartialRead<Reading> = { readonly read: readonly Reading[]; readonly unread?: ShopFailure };

/**
 * Reads an order's returns or refunds one by one: an unreadable one does not block others.
 * A temporary failure of one fails all, because the delivery is retried then.
 */
export const readEach = <Node, Reading>(
  nodes: readonly Node[],
  readOne: (node: Node) => Result<Reading, ShopFailure>,
): Result<PartialRead<Reading>, ShopFailure> => {
  const read: Reading[] = [];
  let unread: ShopFailure | undefined;
  for (const node of nodes) {
    const reading = readOne(node);
    if (reading.ok) read.push(reading.value);
    else if (reading.failure.kind === 'retryable') return reading;
    else unread ??= reading.failure;
  }
  return ok({ read, ...(unread !== undefined && { unread }) });
};
