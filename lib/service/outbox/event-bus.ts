import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventBusConfig } from '../../runtime/configuration/config.ts';
import { configured, perContainer } from '../../runtime/container.ts';
import type { CloudEvent } from '../../domain/events/cloud-event.ts';
import { errorName, log } from '../../runtime/log.ts';
import { pauseBeforeRetry } from '../../runtime/retry.ts';

const config = configured(eventBusConfig);

/** One client for the container. */
const eventBridge = perContainer(
  () =>
    new EventBridgeClient({
      maxAttempts: 3,
      requestHandler: { requestTimeout: 3_000, throwOnRequestTimeout: true },
    }),
);

/**
 * The limits of one request: ten entries, and less than 256 KB in total. The limit of one megabyte of late 2025 is not
 * available everywhere.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html
 */
const [maxEntries, maxBytes] = [10, 250_000];

/** Attempts of an entry that the bus throttled or failed. */
const maxTries = 6;
const pauseLimits = { baseMs: 50, maxMs: 2_000 };

/** Temporary failures. All others concern the entry or the permission. */
const transientErrors = new Set(['ThrottlingException', 'InternalException', 'InternalFailure', 'ServiceUnavailable']);

/** The size of an entry: 14 bytes for its time, and the texts in UTF-8. */
const bytesOf = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  14 + Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

/**
 * An event as an entry of the bus. A too large event has no `data.change` and has the extension `dataomitted`;
 * listEvents has the complete event.
 */
const entryOf = (event: CloudEvent): PutEventsRequestEntry => {
  const entry = (sent: object): PutEventsRequestEntry => ({
    EventBusName: config().busName,
    Source: event.source,
    DetailType: event.type,
    Time: new Date(event.time),
    Detail: JSON.stringify(sent),
  });
  const whole = entry(event);
  if (bytesOf(whole) <= maxBytes) return whole;
  const { change: _, ...data } = event.data;
  return entry({ ...event, dataomitted: true, data });
};

type BusEntry = { readonly event: CloudEvent; readonly entry: PutEventsRequestEntry };

/** Splits entries into requests, in order. */
const batchesOf = (sendings: readonly BusEntry[]): BusEntry[][] => {
  const batches: BusEntry[][] = [];
  let room = 0;
  for (const sending of sendings) {
    const bytes = bytesOf(sending.entry);
    const last = batches.at(-1);
    if (last === undefined || last.length === maxEntries || bytes > room) {
      batches.push([sending]);
      room = maxBytes - bytes;
    } else {
      last.push(sending);
      room -= bytes;
    }
  }
  return batches;
};

/** Sends a batch with retries, and returns the entries that the bus has not accepted. */
const putBatch = async (batch: readonly BusEntry[], signal: AbortSignal): Promise<BusEntry[]> => {
  const rejected: BusEntry[] = [];
  let left = batch;
  for (let tries = 1; ; tries += 1) {
    const { Entries = [] } = await eventBridge().send(
      new PutEventsCommand({ Entries: left.map(({ entry }) => entry) }),
      {
        abortSignal: signal,
      },
    );
    const codes = new Map(left.map((sending, index) => [sending, Entries[index]?.ErrorCode]));
    // An entry without a result was not accepted.
    const failed = left.filter((_, index) => Entries[index]?.EventId === undefined);
    rejected.push(...failed.filter((sending) => !transientErrors.has(codes.get(sending) ?? 'InternalFailure')));
    left = failed.filter((sending) => !rejected.includes(sending));
    if (left.length === 0) return rejected;
    if (tries === maxTries) return [...rejected, ...left];
    await pauseBeforeRetry(tries, pauseLimits, signal);
  }
};

/** Concurrent requests. */
const concurrency = 4;

/**
 * Publishes events on the bus, each at least once.
 *
 * @returns the ids of events that the bus has not accepted; all of a request when the bus is unreachable
 */
export const publishEvents = async (
  events: readonly CloudEvent[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> => {
  const batches = batchesOf(events.map((event) => ({ event, entry: entryOf(event) })));
  const untaken = new Set<string>();
  const work = batches.values();
  const run = async () => {
    for (const batch of work) {
      const left = await putBatch(batch, signal).catch((error: unknown) => {
        log('error', 'event bus not reached', {
          events: batch.length,
          error: signal.aborted ? 'timeout' : errorName(error),
        });
        return batch;
      });
      for (const { event } of left) untaken.add(event.id);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, run));
  return untaken;
};
