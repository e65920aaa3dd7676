import { setTimeout as pause } from 'node:timers/promises';
import { cloudEvent } from '../events/cloud-event.ts';
import type { DomainEvent } from '../events/domain-events.ts';
import { eventsConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { errorName, log } from '../runtime/log.ts';
import { pauseBeforeRetry } from '../runtime/retry.ts';
import { sum } from '../runtime/sum.ts';
import { endpointStream } from '../store/engine/keys.ts';
import type { Session } from '../store/engine/session.ts';
import {
  appendEvents,
  eventPartitionOf,
  type UnpublishedEvents,
  readEndOffset,
  readPublishedSequences,
} from '../store/events/event-partitions.ts';
import { readDomainEvents } from '../store/events/outbox.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { publishEvents } from './event-bus.ts';

const origin = configured(eventsConfig);

/** Streams that are published together. Larger groups cause fewer conflicts at the end offsets of the partitions. */
const maxStreams = 500;

/**
 * Events that are read of a stream at once. A long history is published in pieces, so that other streams do not wait.
 */
const maxEventsPerStream = 100;

/** A transaction has at most 100 actions: the end offset, the row, and a mark for each stream. A row stays small. */
const [placesOfRow, pointersOfRow] = [40, 400];

/** Attempts of a conflicting transaction. */
const maxTries = 30;
const pauseLimits = { baseMs: 5, maxMs: 400 };

/** A history has a permanent gap. */
class HistoryIncomplete extends Error {
  override readonly name = 'HistoryIncomplete';
}

/** Too many conflicts with other publishers. */
class LogContended extends Error {
  override readonly name = 'LogContended';
}

/** The unpublished events of a stream. */
type NewEvents = { readonly place: string; readonly before: number; readonly happenings: readonly DomainEvent[] };

/** The result: failed streams, partitions with new events, and the number of those events. */
export type PublishResult = {
  readonly failed: ReadonlySet<string>;
  readonly logs: ReadonlySet<number>;
  readonly carried: number;
};

/**
 * Whether the sequences have no gap. Only endpoints have gaps: their sequences are versions, few of which are events.
 */
const isComplete = ({ place, before, happenings }: NewEvents): boolean =>
  place.startsWith(endpointStream('')) || happenings.every(({ sequence }, index) => sequence === before + index + 1);

const readNewEvents = async (session: Session, place: string, before: number): Promise<NewEvents> => {
  const read = async (): Promise<NewEvents> => ({
    place,
    before,
    happenings: await readDomainEvents(session, place, before, 9_999_999_999, maxEventsPerStream),
  });
  const news = await read();
  if (news.happenings[0]?.sequence === before + 1 && isComplete(news)) return news;
  if (news.happenings.length === 0) return news;
  // A transaction becomes visible item by item, so a gap is read again after a pause.
  await pause(100, undefined, { signal: session.signal });
  const again = await read();
  if (!isComplete(again)) throw new HistoryIncomplete('a history misses an entry');
  return again;
};

const toUnpublishedEvents = ({ place, before, happenings }: NewEvents): UnpublishedEvents => ({
  place,
  before,
  logged: happenings.map(({ sequence, type }) => ({ place, sequence, type })),
});

/** Splits events into rows of one partition that fit a transaction. */
const rowsOf = (fresh: readonly NewEvents[]): UnpublishedEvents[][] => {
  const rows: UnpublishedEvents[][] = [];
  let pointers = 0;
  for (const one of fresh.map(toUnpublishedEvents)) {
    const last = rows.at(-1);
    pointers += one.logged.length;
    if (last === undefined || last.length === placesOfRow || pointers > pointersOfRow) {
      rows.push([one]);
      pointers = one.logged.length;
    } else last.push(one);
  }
  return rows;
};

/** Removes events that other publishers have published meanwhile. */
const withoutPublished = async (session: Session, news: readonly UnpublishedEvents[]): Promise<UnpublishedEvents[]> => {
  const marks = await readPublishedSequences(
    session,
    news.map(({ place }) => place),
  );
  return news.flatMap(({ place, before, logged }) => {
    const mark = marks.get(place) ?? before;
    const left = logged.filter(({ sequence }) => sequence > mark);
    return left.length === 0 ? [] : [{ place, before: mark, logged: left }];
  });
};

/** Appends to a partition, with retries on conflicts. Returns the number of appended events. */
const appendRow = async (
  session: Session,
  logNumber: number,
  row: readonly UnpublishedEvents[],
  now: number,
): Promise<number> => {
  let news = row;
  for (let tries = 1; news.length > 0; tries += 1) {
    const outcome = await appendEvents(session, logNumber, await readEndOffset(session, logNumber), news, now);
    if (outcome.written) return sum(news.map(({ logged }) => logged.length));
    if (tries === maxTries) throw new LogContended('a log is written by too many');
    await pauseBeforeRetry(tries, pauseLimits, session.signal);
    // A moved mark shows that another publisher published the stream; a locked mark may show the same.
    news = await withoutPublished(session, news);
  }
  return 0;
};

/** The streams that could not be published, with reasons. */
type Failures = Map<string, string>;

const reasonOf = (session: Session, error: unknown): string => (session.signal.aborted ? 'timeout' : errorName(error));

/** Logs one line per reason, since an outage fails all streams. */
const logFailures = (failures: Failures): void => {
  for (const [error, places] of Map.groupBy(failures, ([, reason]) => reason))
    log('error', 'streams not published', { error, places: places.length, first: places[0]?.[0] });
};

/** Publishes the next piece of some streams. `more` lists streams with further events. */
const publishBatch = async (session: Session, places: readonly string[], now: number) => {
  const failures: Failures = new Map();
  const logs = new Set<number>();
  let carried = 0;
  const fresh: NewEvents[] = [];
  const marks = await readPublishedSequences(session, places);
  await forEachConcurrently(places, 16, async (place) => {
    try {
      const news = await readNewEvents(session, place, marks.get(place) ?? 0);
      if (news.happenings.length > 0) fresh.push(news);
    } catch (error) {
      failures.set(place, reasonOf(session, error));
    }
  });
  const told = fresh.flatMap(({ place, happenings }) =>
    happenings.map((happening) => ({ place, event: cloudEvent(place, happening, origin()) })),
  );
  const untaken = await publishEvents(
    told.map(({ event }) => event),
    session.signal,
  );
  for (const { place, event } of told) if (untaken.has(event.id)) failures.set(place, 'not_published');
  const published = fresh.filter(({ place }) => !failures.has(place));
  const rows = [...Map.groupBy(published, ({ place }) => eventPartitionOf(place))].flatMap(([number, ofLog]) =>
    rowsOf(ofLog).map((row) => ({ number, row })),
  );
  await forEachConcurrently(rows, 8, async ({ number, row }) => {
    try {
      const appended = await appendRow(session, number, row, now);
      if (appended > 0) logs.add(number);
      carried += appended;
    } catch (error) {
      for (const { place } of row) failures.set(place, reasonOf(session, error));
    }
  });
  const more = published
    .filter(({ place, happenings }) => happenings.length === maxEventsPerStream && !failures.has(place))
    .map(({ place }) => place);
  logFailures(failures);
  return { failed: failures.keys(), logs, carried, more };
};

/**
 * Publishes the new events of some streams on the bus, then appends them to their partitions. An appended event was
 * published. A publisher that dies in between, or two concurrent publishers, publish an event twice and append it once.
 * A failed stream does not hold up others.
 *
 * @param now epoch milliseconds
 */
export const publishStreams = async (
  session: Session,
  places: readonly string[],
  now: number,
): Promise<PublishResult> => {
  const failed = new Set<string>();
  const logs = new Set<number>();
  let carried = 0;
  const waiting = [...new Set(places)];
  while (waiting.length > 0) {
    const piece = waiting.splice(0, maxStreams);
    try {
      const done = await publishBatch(session, piece, now);
      for (const place of done.failed) failed.add(place);
      for (const one of done.logs) logs.add(one);
      carried += done.carried;
      waiting.push(...done.more);
    } catch (error) {
      for (const place of piece) failed.add(place);
      logFailures(new Map(piece.map((place) => [place, reasonOf(session, error)])));
    }
  }
  return { failed, logs, carried };
};
