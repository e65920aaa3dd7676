import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import { cloudEvent } from '../../events/cloud-event.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { withStore } from '../../execution/execute.ts';
import { eventsConfig } from '../../runtime/config.ts';
import { configured } from '../../runtime/container.ts';
import { takeFitting } from '../../store/engine/pack.ts';
import type { Session } from '../../store/engine/session.ts';
import {
  eventPartitionCount,
  type PartitionEvent,
  readEndOffsets,
  readEventPartition,
} from '../../store/events/event-partitions.ts';
import { fetchDomainEvents } from '../../store/events/outbox.ts';

/** Where a walk over all logs is: a position in each of them, and in which it looks first, so that each has its turn. */
type ReadPosition = { readonly positions: readonly number[]; readonly turn: number };

/** A walk as a cursor holds it, and when that was given, in epoch milliseconds. */
type IssuedPosition = ReadPosition & { readonly issuedAt: number };

/** Partitions are stored longer than this, so the events after a valid cursor exist. */
const maxCursorAgeMs = 30 * 24 * 3600 * 1000;

const cursorExpired = fail({
  code: 'cursor_expired' as const,
  detail: 'The events after this cursor are no longer stored. Start without a cursor.',
  errors: [{ path: '/cursor', code: 'expired', message: 'must be a nextCursor of the last 30 days' }],
});

const scopeOf = (call: Call) => cursorScope('listEvents', call, {});

/** Numbers to the base of 36: most are short, and an empty log's takes nothing. */
const toBase36 = (value: number): string => (value === 0 ? '' : value.toString(36));

/** Signs the position as a cursor that is bound to the caller. */
const signPosition = async ({ positions, turn }: ReadPosition, call: Call, now: number): Promise<Result<string>> =>
  signCursor([now, turn, ...positions].map(toBase36).join('.'), scopeOf(call));

/** Opens the position of a cursor, unless the cursor is too old. */
const openPosition = async (cursor: string, call: Call, now: number): Promise<Result<IssuedPosition>> => {
  const opened = await openCursor(cursor, scopeOf(call));
  if (!opened.ok) return opened;
  const [issuedAt = 0, turn = 0, ...positions] = opened.value
    .split('.')
    .map((text) => (text === '' ? 0 : Number.parseInt(text, 36)));
  // As many as there are logs: were there ever others, what it knows would be of no use.
  if (positions.length !== eventPartitionCount || now - issuedAt > maxCursorAgeMs) return cursorExpired;
  return ok({ issuedAt, turn, positions });
};

const origin = configured(eventsConfig);

const defaultLimit = 50;

/** What a page takes of each log at least, so that a busy service does not ask all logs for each page. */
const minShare = 10;

/** A cursor where nothing has happened is given again as it is, but for one that has become old. */
const renewAfterMs = 24 * 3600 * 1000;

/** What stands next in one of the logs. */
type FoundEvent = PartitionEvent & { readonly log: number };

/** Logs that have news, in their turn: from the one that the page before ended at. */
const partitionsWithNews = ({ positions, turn }: ReadPosition, heads: readonly number[]): number[] =>
  positions
    .map((_, index) => (turn + index) % eventPartitionCount)
    .filter((log) => (heads[log] ?? 0) > (positions[log] ?? 0));

/** Up to `limit` of what stands next, of as many logs as that takes; undefined where a log does not go on. */
const readNext = async (
  session: Session,
  walk: ReadPosition,
  { heads, limit, now }: { readonly heads: readonly number[]; readonly limit: number; readonly now: number },
): Promise<{ readonly found: readonly FoundEvent[]; readonly turn: number } | undefined> => {
  const logs = partitionsWithNews(walk, heads);
  const share = Math.max(minShare, Math.ceil(limit / Math.max(1, logs.length)));
  const found: FoundEvent[] = [];
  let { turn } = walk;
  while (logs.length > 0 && found.length < limit) {
    const room = limit - found.length;
    const some = logs.splice(0, Math.ceil(room / share));
    const pages = await Promise.all(
      some.map(async (log) =>
        readEventPartition(session, log, walk.positions[log] ?? 0, Math.min(share, room), now, heads[log]),
      ),
    );
    if (pages.some(({ gap }) => gap)) return undefined;
    found.push(...some.flatMap((log, index) => (pages[index]?.found ?? []).map((one) => ({ ...one, log }))));
    turn = ((some.at(-1) ?? 0) + 1) % eventPartitionCount;
  }
  return { found: found.slice(0, limit), turn };
};

/** The events of what was found; what has been erased since is none, and passed over. */
const eventsOf = async (session: Session, found: readonly FoundEvent[]) => {
  const happenings = await fetchDomainEvents(session, found);
  return found.flatMap((one, index) => {
    const happening = happenings[index];
    return happening === undefined ? [] : [{ index, event: cloudEvent(one.place, happening, origin()) }];
  });
};

/** Where a walk is once a page has shown some of what stands next. */
const positionAfter = ({ positions }: ReadPosition, shown: readonly FoundEvent[], turn: number): ReadPosition => {
  const moved = [...positions];
  for (const { log, position } of shown) moved[log] = position;
  return { positions: moved, turn };
};

const startPosition = async (
  session: Session,
  start: Input<'listEvents'>['start'],
  now: number,
): Promise<IssuedPosition> => ({
  positions:
    start === 'now'
      ? await readEndOffsets(session, { consistent: true })
      : Array.from({ length: eventPartitionCount }, () => 0),
  turn: 0,
  issuedAt: now,
});

/** Reads what happened, a page from where the one before ended: each event once, and those of a return in their order. */
export const listEvents = async (
  { start, limit = defaultLimit, cursor }: Input<'listEvents'>,
  call: Call,
): Promise<Result<Reply<Output<'listEvents'>>>> =>
  withStore(call, async (session) => {
    const now = Date.now();
    const opened =
      cursor === undefined ? ok(await startPosition(session, start, now)) : await openPosition(cursor, call, now);
    if (!opened.ok) return opened;
    const walk = opened.value;
    const next = await readNext(session, walk, { heads: await readEndOffsets(session), limit, now });
    if (next === undefined) return cursorExpired;
    const events = await eventsOf(session, next.found);
    const items = takeFitting(events.map(({ event }) => event));
    // Only past what is shown, and past what is gone in front of it.
    const end = events[items.length]?.index ?? next.found.length;
    const unmoved = next.found.length === 0 && now - walk.issuedAt < renewAfterMs;
    const nextCursor =
      unmoved && cursor !== undefined
        ? ok(cursor)
        : await signPosition(positionAfter(walk, next.found.slice(0, end), next.turn), call, now);
    if (!nextCursor.ok) return nextCursor;
    return ok({ status: 200, body: structuredClone({ items, nextCursor: nextCursor.value }) });
  });
