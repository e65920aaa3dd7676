import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import { fail, ok } from '../../runtime/result.ts';
import { cloudEvent } from '../../domain/events/cloud-event.ts';
import { cursorScope, openCursor, signCursor } from '../execution/cursor.ts';
import { withStore } from '../execution/execute.ts';
import { eventsConfig } from '../../runtime/configuration/config.ts';
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

/** A read position: an offset in each partition, and the partition to read first. All partitions take turns. */
type ReadPosition = { readonly positions: readonly number[]; readonly turn: number };

/** A read position of a cursor, and its issue time in epoch milliseconds. */
type IssuedPosition = ReadPosition & { readonly issuedAt: number };

/** Partitions are stored longer than this, so the events after a valid cursor exist. */
const maxCursorAgeMs = 30 * 24 * 3600 * 1000;

const cursorExpired = fail({
  code: 'cursor_expired' as const,
  detail: 'The events after this cursor are no longer stored. Start without a cursor.',
  errors: [{ path: '/cursor', code: 'expired', message: 'must be a nextCursor of the last 30 days' }],
});

const scopeOf = (call: Call) => cursorScope('listEvents', call, {});

/** Writes a number in base 36. Most are short, and zero is empty. */
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
  // A cursor with another number of partitions is useless.
  if (positions.length !== eventPartitionCount || now - issuedAt > maxCursorAgeMs) return cursorExpired;
  return ok({ issuedAt, turn, positions });
};

const origin = configured(eventsConfig);

const defaultLimit = 50;

/**
 * A page takes at least this number of each partition, and its events from at most four partitions if they have enough.
 * So a busy service does not read all partitions for each page.
 */
const minShare = 20;
const maxBusyPartitions = 4;

/** A cursor without new events is returned unchanged, unless it is older than this. */
const renewAfterMs = 24 * 3600 * 1000;

/** The next event in one of the partitions. */
type FoundEvent = PartitionEvent & { readonly log: number };

/** Returns the partitions with new events, in turn. It starts with the partition after the last one that was read. */
const partitionsWithNewEvents = ({ positions, turn }: ReadPosition, heads: readonly number[]): number[] =>
  positions
    .map((_, index) => (turn + index) % eventPartitionCount)
    .filter((log) => (heads[log] ?? 0) > (positions[log] ?? 0));

/** Takes partitions from the beginning of a list, until they have as many new events as there is room. */
const takePartitions = (logs: number[], newsOf: (log: number) => number, room: number): readonly number[] => {
  let expected = 0;
  const end = logs.findIndex((log) => {
    expected += newsOf(log);
    return expected >= room;
  });
  return logs.splice(0, end === -1 ? logs.length : end + 1);
};

/** Reads up to `limit` next events from as many partitions as needed. It is undefined at a gap in a partition. */
const readNext = async (
  session: Session,
  position: ReadPosition,
  { heads, limit, now }: { readonly heads: readonly number[]; readonly limit: number; readonly now: number },
): Promise<{ readonly found: readonly FoundEvent[]; readonly turn: number } | undefined> => {
  const logs = partitionsWithNewEvents(position, heads);
  const share = Math.max(minShare, Math.ceil(limit / Math.max(1, Math.min(logs.length, maxBusyPartitions))));
  const newsOf = (log: number) => Math.min(share, (heads[log] ?? 0) - (position.positions[log] ?? 0));
  const found: FoundEvent[] = [];
  let { turn } = position;
  while (logs.length > 0 && found.length < limit) {
    const room = limit - found.length;
    const some = takePartitions(logs, newsOf, room);
    const pages = await Promise.all(
      some.map(async (log) =>
        readEventPartition(session, log, position.positions[log] ?? 0, Math.min(share, room), now, heads[log]),
      ),
    );
    if (pages.some(({ gap }) => gap)) return undefined;
    found.push(...some.flatMap((log, index) => (pages[index]?.found ?? []).map((event) => ({ ...event, log }))));
    turn = ((some.at(-1) ?? 0) + 1) % eventPartitionCount;
  }
  return { found: found.slice(0, limit), turn };
};

/** Fetches the events. Erased ones are skipped. */
const eventsOf = async (session: Session, found: readonly FoundEvent[]) => {
  const domainEvents = await fetchDomainEvents(session, found);
  return found.flatMap((event, index) => {
    const domainEvent = domainEvents[index];
    return domainEvent === undefined ? [] : [{ index, event: cloudEvent(event.stream, domainEvent, origin()) }];
  });
};

/** Returns the read position after a page. */
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

/** Lists events page by page. Each event occurs once, and those of a return are in order. */
export const listEvents = async (
  { start, limit = defaultLimit, cursor }: Input<'listEvents'>,
  call: Call,
): Promise<Result<Reply<Output<'listEvents'>>>> =>
  withStore(call, async (session) => {
    const now = Date.now();
    const opened =
      cursor === undefined ? ok(await startPosition(session, start, now)) : await openPosition(cursor, call, now);
    if (!opened.ok) return opened;
    const position = opened.value;
    const next = await readNext(session, position, { heads: await readEndOffsets(session), limit, now });
    if (next === undefined) return cursorExpired;
    const events = await eventsOf(session, next.found);
    const items = takeFitting(events.map(({ event }) => event));
    // Moves only past the returned events, and past erased ones before them.
    const end = events[items.length]?.index ?? next.found.length;
    const unmoved = next.found.length === 0 && now - position.issuedAt < renewAfterMs;
    const nextCursor =
      unmoved && cursor !== undefined
        ? ok(cursor)
        : await signPosition(positionAfter(position, next.found.slice(0, end), next.turn), call, now);
    if (!nextCursor.ok) return nextCursor;
    return ok({ status: 200, body: { items, nextCursor: nextCursor.value } });
  });
