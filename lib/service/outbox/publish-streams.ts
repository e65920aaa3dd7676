import { setTimeout as pause } from 'node:timers/promises';
import { cloudEvent } from '../../domain/events/cloud-event.ts';
import type { DomainEvent } from '../../domain/events/domain-events.ts';
import { eventsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { errorName, log } from '../../runtime/log.ts';
import { pauseBeforeRetry } from '../../runtime/retry.ts';
import { sum } from '../../runtime/sum.ts';
import { endpointStream, intentStream } from '../../store/engine/keys.ts';
import type { Session } from '../../store/engine/session.ts';
import {
  appendEvents,
  eventPartitionOf,
  type UnpublishedEvents,
  readEndOffset,
  readPublishedSequences,
} from '../../store/events/event-partitions.ts';
import { readDomainEvents } from '../../store/events/outbox.ts';
import { type AppendedEvent, measureEvents } from './business-metrics.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { publishEvents } from './event-bus.ts';

const origin = configured(eventsConfig);

/** Streams that are published together. Larger groups cause fewer conflicts at the end offsets of the partitions. */
const maxStreams = 500;

/**
 * Events that are read of a stream at once. A long history is published in pieces, so that other streams do not wait.
 */
const maxEventsPerStream = 100;

/** Streams of a transaction, which has at most 100 actions: the end offset, the row, and a mark for each stream. */
export const streamsOfRow = 40;
/** A row stays small. */
const pointersOfRow = 400;

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
type NewEvents = { readonly stream: string; readonly before: number; readonly domainEvents: readonly DomainEvent[] };

/** The result: failed streams, partitions with new events, and the number of those events. */
export type PublishResult = {
  readonly failed: ReadonlySet<string>;
  readonly logs: ReadonlySet<number>;
  readonly published: number;
};

/**
 * Whether the sequences have no gap. Only endpoints and intents have gaps: their sequences are versions, few of which
 * are events.
 */
const isComplete = ({ stream, before, domainEvents }: NewEvents): boolean =>
  stream.startsWith(endpointStream('')) ||
  stream.startsWith(intentStream('')) ||
  domainEvents.every(({ sequence }, index) => sequence === before + index + 1);

const readNewEvents = async (session: Session, stream: string, before: number): Promise<NewEvents> => {
  const read = async (): Promise<NewEvents> => ({
    stream,
    before,
    domainEvents: await readDomainEvents(session, stream, before, 9_999_999_999, maxEventsPerStream),
  });
  const newEvents = await read();
  if (newEvents.domainEvents[0]?.sequence === before + 1 && isComplete(newEvents)) return newEvents;
  if (newEvents.domainEvents.length === 0) return newEvents;
  // A transaction becomes visible item by item, so a gap is read again after a pause.
  await pause(100, undefined, { signal: session.signal });
  const again = await read();
  if (!isComplete(again)) throw new HistoryIncomplete('a history misses an entry');
  return again;
};

const toUnpublishedEvents = ({ stream, before, domainEvents }: NewEvents): UnpublishedEvents => ({
  stream,
  before,
  logged: domainEvents.map(({ sequence, type }) => ({ stream, sequence, type })),
});

/** Splits events into rows of one partition that fit a transaction. */
const rowsOf = (fresh: readonly NewEvents[]): UnpublishedEvents[][] => {
  const rows: UnpublishedEvents[][] = [];
  let pointers = 0;
  for (const events of fresh.map(toUnpublishedEvents)) {
    const last = rows.at(-1);
    pointers += events.logged.length;
    if (last === undefined || last.length === streamsOfRow || pointers > pointersOfRow) {
      rows.push([events]);
      pointers = events.logged.length;
    } else last.push(events);
  }
  return rows;
};

/** Removes events that other publishers have published meanwhile. */
const withoutPublished = async (
  session: Session,
  unpublished: readonly UnpublishedEvents[],
): Promise<UnpublishedEvents[]> => {
  const marks = await readPublishedSequences(
    session,
    unpublished.map(({ stream }) => stream),
  );
  return unpublished.flatMap(({ stream, before, logged }) => {
    const mark = marks.get(stream) ?? before;
    const left = logged.filter(({ sequence }) => sequence > mark);
    return left.length === 0 ? [] : [{ stream, before: mark, logged: left }];
  });
};

/** Appends to a partition, with retries on conflicts. Returns the appended events. */
const appendRow = async (
  session: Session,
  logNumber: number,
  row: readonly UnpublishedEvents[],
  now: number,
): Promise<readonly UnpublishedEvents[]> => {
  let unpublished = row;
  for (let tries = 1; unpublished.length > 0; tries += 1) {
    const outcome = await appendEvents(session, logNumber, await readEndOffset(session, logNumber), unpublished, now);
    if (outcome.written) return unpublished;
    if (tries === maxTries) throw new LogContended('a log is written by too many');
    await pauseBeforeRetry(tries, pauseLimits, session.signal);
    // A moved mark shows that another publisher published the stream; a locked mark may show the same.
    unpublished = await withoutPublished(session, unpublished);
  }
  return [];
};

/** Returns the content of appended events. */
const contentOf = (appended: readonly UnpublishedEvents[], fresh: readonly NewEvents[]): readonly AppendedEvent[] => {
  const known = new Map(fresh.map(({ stream, domainEvents }) => [stream, domainEvents]));
  return appended.flatMap(({ stream, logged }) => {
    const sequences = new Set(logged.map(({ sequence }) => sequence));
    const own = known.get(stream)?.filter(({ sequence }) => sequences.has(sequence)) ?? [];
    return own.map((domainEvent) => ({ stream, domainEvent }));
  });
};

/** The streams that could not be published, with reasons. */
type Failures = Map<string, string>;

const reasonOf = (session: Session, error: unknown): string => (session.signal.aborted ? 'timeout' : errorName(error));

/** Logs one line per reason, since an outage fails all streams. */
const logFailures = (failures: Failures): void => {
  for (const [error, streams] of Map.groupBy(failures, ([, reason]) => reason))
    log('error', 'streams not published', { error, streams: streams.length, first: streams[0]?.[0] });
};

/** Publishes the next piece of some streams. `more` lists streams with further events. */
const publishBatch = async (session: Session, streams: readonly string[], now: number) => {
  const failures: Failures = new Map();
  const logs = new Set<number>();
  const appended: UnpublishedEvents[] = [];
  const fresh: NewEvents[] = [];
  const marks = await readPublishedSequences(session, streams);
  await forEachConcurrently(streams, 16, async (stream) => {
    try {
      const newEvents = await readNewEvents(session, stream, marks.get(stream) ?? 0);
      if (newEvents.domainEvents.length > 0) fresh.push(newEvents);
    } catch (error) {
      failures.set(stream, reasonOf(session, error));
    }
  });
  const outgoing = fresh.flatMap(({ stream, domainEvents }) =>
    domainEvents
      // An import is marked as published when it is stored. A read amid its transaction may miss the mark.
      .filter(({ type }) => type !== 'return.imported')
      .map((domainEvent) => ({ stream, event: cloudEvent(stream, domainEvent, origin()) })),
  );
  const untaken = await publishEvents(
    outgoing.map(({ event }) => event),
    session.signal,
  );
  for (const { stream, event } of outgoing) if (untaken.has(event.id)) failures.set(stream, 'not_published');
  const published = fresh.filter(({ stream }) => !failures.has(stream));
  const rows = [...Map.groupBy(published, ({ stream }) => eventPartitionOf(stream))].flatMap(([number, ofLog]) =>
    rowsOf(ofLog).map((row) => ({ number, row })),
  );
  await forEachConcurrently(rows, 8, async ({ number, row }) => {
    try {
      const own = await appendRow(session, number, row, now);
      if (own.length > 0) logs.add(number);
      appended.push(...own);
    } catch (error) {
      for (const { stream } of row) failures.set(stream, reasonOf(session, error));
    }
  });
  const more = published
    .filter(({ stream, domainEvents }) => domainEvents.length === maxEventsPerStream && !failures.has(stream))
    .map(({ stream }) => stream);
  logFailures(failures);
  await measureEvents(session, contentOf(appended, fresh));
  return { failed: failures.keys(), logs, published: sum(appended.map(({ logged }) => logged.length)), more };
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
  streams: readonly string[],
  now: number,
): Promise<PublishResult> => {
  const failed = new Set<string>();
  const logs = new Set<number>();
  let published = 0;
  const waiting = [...new Set(streams)];
  while (waiting.length > 0) {
    const piece = waiting.splice(0, maxStreams);
    try {
      const done = await publishBatch(session, piece, now);
      for (const stream of done.failed) failed.add(stream);
      for (const log of done.logs) logs.add(log);
      published += done.published;
      waiting.push(...done.more);
    } catch (error) {
      for (const stream of piece) failed.add(stream);
      logFailures(new Map(piece.map((stream) => [stream, reasonOf(session, error)])));
    }
  }
  return { failed, logs, published };
};
