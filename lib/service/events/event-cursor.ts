import { fail, ok, type Result } from '../../contract/result.ts';
import { logCount } from '../../store/events/event-log.ts';
import type { Call } from '../../contract/port.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';

/** Where a walk over all logs is: a position in each of them, and in which it looks first, so that each has its turn. */
export type Walk = { readonly positions: readonly number[]; readonly turn: number };

/** A walk as a cursor holds it, and when that was given, in epoch milliseconds. */
export type Issued = Walk & { readonly issuedAt: number };

/** Logs are kept longer than that: what a cursor goes on with is there. */
const longestMs = 30 * 24 * 3600 * 1000;

export const expired = fail({
  code: 'cursor_expired' as const,
  detail: 'What comes after this cursor is not kept any more: begin without one.',
  errors: [{ path: '/cursor', code: 'expired', message: 'must be a nextCursor of the last 30 days' }],
});

const scopeOf = (call: Call) => cursorScope('listEvents', call, {});

/** Numbers to the base of 36: most are short, and an empty log's takes nothing. */
const written = (value: number): string => (value === 0 ? '' : value.toString(36));

/** A walk as a token that is bound to whoever asked. */
export const signWalk = async ({ positions, turn }: Walk, call: Call, now: number): Promise<Result<string>> =>
  signCursor([now, turn, ...positions].map(written).join('.'), scopeOf(call));

/** The walk of a cursor of ours, unless it is too old. */
export const openWalk = async (cursor: string, call: Call, now: number): Promise<Result<Issued>> => {
  const opened = await openCursor(cursor, scopeOf(call));
  if (!opened.ok) return opened;
  const [issuedAt = 0, turn = 0, ...positions] = opened.value
    .split('.')
    .map((text) => (text === '' ? 0 : Number.parseInt(text, 36)));
  // As many as there are logs: were there ever others, what it knows would be of no use.
  if (positions.length !== logCount || now - issuedAt > longestMs) return expired;
  return ok({ issuedAt, turn, positions });
};
