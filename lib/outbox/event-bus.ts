import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { eventBusConfig } from '../runtime/config.ts';
import { configured, perContainer } from '../runtime/container.ts';
import type { CloudEvent } from '../events/cloud-event.ts';
import { errorName, log } from '../runtime/log.ts';
import { pauseBeforeRetry } from '../runtime/retry.ts';

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
 * As much as one request takes: ten entries, and less than 256 KB of them together. The larger limit of one megabyte is
 * of late 2025 and not everywhere.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevents.html
 */
const [maxEntries, maxBytes] = [10, 250_000];

/** How often an entry is sent that the bus took for too many, or failed at. */
const maxTries = 6;
const pauseLimits = { baseMs: 50, maxMs: 2_000 };

/** Failures that pass: all others are of the entry itself, or of who may send. */
const transientErrors = new Set(['ThrottlingException', 'InternalException', 'InternalFailure', 'ServiceUnavailable']);

/** What an entry counts: its time as 14 bytes, and each text in UTF-8. */
const bytesOf = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  14 + Buffer.byteLength(Source) + Buffer.byteLength(DetailType) + Buffer.byteLength(Detail);

/**
 * An event as the bus takes it. One that is too large is sent without `data.change` and with the extension
 * `dataomitted`: listEvents has it whole.
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

/** In the order in which they came, as many together as a request takes. */
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

/** Sends a batch until each entry of it is taken, or will not be: those are what is returned. */
const putBatch = async (batch: readonly BusEntry[], signal: AbortSignal): Promise<BusEntry[]> => {
  const refused: BusEntry[] = [];
  let left = batch;
  for (let tries = 1; ; tries += 1) {
    const { Entries = [] } = await eventBridge().send(
      new PutEventsCommand({ Entries: left.map(({ entry }) => entry) }),
      {
        abortSignal: signal,
      },
    );
    const codes = new Map(left.map((sending, index) => [sending, Entries[index]?.ErrorCode]));
    // An answer that says nothing of an entry did not take it.
    const failed = left.filter((_, index) => Entries[index]?.EventId === undefined);
    refused.push(...failed.filter((sending) => !transientErrors.has(codes.get(sending) ?? 'InternalFailure')));
    left = failed.filter((sending) => !refused.includes(sending));
    if (left.length === 0) return refused;
    if (tries === maxTries) return [...refused, ...left];
    await pauseBeforeRetry(tries, pauseLimits, signal);
  }
};

/** So many requests are under way at once. */
const concurrency = 4;

/**
 * Publishes events on the bus, each at least once.
 *
 * @returns the ids of those that the bus has not taken; where it cannot be reached all of a request
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
        log('error', 'bus not reached', { events: batch.length, error: signal.aborted ? 'timeout' : errorName(error) });
        return batch;
      });
      for (const { event } of left) untaken.add(event.id);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, run));
  return untaken;
};
