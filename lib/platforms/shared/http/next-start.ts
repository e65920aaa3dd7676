/*
 * Where walks through a shop's changes go on. A change with a time to come, of which shops have some after an import or by
 * a wrong time zone, must not take a walk past all that changes until then.
 */

/** An instant, or now where that is earlier. */
export const notAhead = (at: string): string => new Date(Math.min(Date.parse(at), Date.now())).toISOString();

/** Whether a walk that goes by time, the oldest first, has come past now: what is behind has not happened yet. */
export const isAhead = (last: string | undefined): boolean => last !== undefined && Date.parse(last) > Date.now();

/**
 * Where the next walk begins, once this one has come to its end: at the last change that it told of. Not within the last
 * moments, though: what was written then may be seen after what was written later.
 *
 * @param began the instant that this walk, or its last part, began at
 * @param last the latest instant that it told of; nothing where it told of nothing
 * @param lateMs how much later a change may be seen than one that was written after it
 */
export const nextStart = (began: string, last: string | undefined, lateMs: number): string =>
  last === undefined
    ? notAhead(began)
    : new Date(Math.min(Math.max(Date.parse(began), Date.parse(last)), Date.now() - lateMs)).toISOString();
