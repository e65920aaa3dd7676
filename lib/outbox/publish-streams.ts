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

/** Places whose news are held in memory together: the more, the fewer transactions meet at the heads of the logs. */
const maxStreams = 500;

/** What is taken of a place at a time: a long history is carried in pieces, and nobody waits for it. */
const maxEventsPerStream = 100;

/** A transaction takes 100 actions: the head, the row, and a mark for each place. What a row tells stays small. */
const [placesOfRow, pointersOfRow] = [40, 400];

/** How often a transaction is tried that others were in the way of. */
const maxTries = 30;
const pauseLimits = { baseMs: 5, maxMs: 400 };

/** An entry is missing between others, and stays so. */
class HistoryIncomplete extends Error {
  override readonly name = 'HistoryIncomplete';
}

/** Others were in the way too often. */
class LogContended extends Error {
  override readonly name = 'LogContended';
}

/** What is new of a place. */
type NewEvents = { readonly place: string; readonly before: number; readonly happenings: readonly DomainEvent[] };

/** What came of it: places of which not all was carried, the logs that have grown, and by how much together. */
export type PublishResult = {
  readonly failed: ReadonlySet<string>;
  readonly logs: ReadonlySet<number>;
  readonly carried: number;
};

/** Sequences of an endpoint are versions of it, few of which are told of; nowhere else is one missing. */
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
  // A transaction shows its items one by one: what misses one is read again when it must have ended.
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

/** Rows for one log: so many places and pointers that a transaction takes them. */
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

/** What is left of news when others have gone on with some of the places. */
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

/** Appends to a log, however many others do. Says how many happenings nobody else had appended. */
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
    // A mark that moved tells that somebody else carries the place; one that was held may have.
    news = await withoutPublished(session, news);
  }
  return 0;
};

/** Which places could not be carried, and why. */
type Failures = Map<string, string>;

const reasonOf = (session: Session, error: unknown): string => (session.signal.aborted ? 'timeout' : errorName(error));

/** One line for each reason: of what is down, all places fail. */
const logFailures = (failures: Failures): void => {
  for (const [error, places] of Map.groupBy(failures, ([, reason]) => reason))
    log('error', 'places not carried', { error, places: places.length, first: places[0]?.[0] });
};

/** Carries a piece of what is new of some places; `more` are those that have more than that. */
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
 * Publishes what happened in some places since it was last carried, and then puts it into its log: what stands there was
 * published. One that dies in between, and two at once, publish twice and log once. A place that cannot be carried keeps
 * nobody else.
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
