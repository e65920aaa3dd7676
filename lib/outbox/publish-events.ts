import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { errorName, log } from '../runtime/log.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { readEndpoints } from '../store/events/endpoints.ts';
import { groupOf } from '../store/events/subscriptions.ts';
import { publishStreams } from './publish-streams.ts';
import { enqueueMessages } from './queue.ts';

/**
 * Wakes the workers of all endpoints for logs that have grown. Nothing is lost where it fails: the schedule finds what was
 * not woken (lib/outbox/notify-lagging-subscriptions.ts).
 */
export const notifySubscriptions = async (session: Session, logs: ReadonlySet<number>): Promise<void> => {
  if (logs.size === 0) return;
  try {
    const endpoints = (await readEndpoints(session)).filter(({ disabled }) => disabled === undefined);
    const groups = [...new Set(Array.from(logs, groupOf))];
    const messages = endpoints.flatMap(({ id }) => groups.map((group) => ({ endpointId: id, group })));
    await enqueueMessages(messages, session.signal);
  } catch (error) {
    log('warn', 'endpoints not woken', { logs: logs.size, error: errorName(error) });
  }
};

/** Kept back from the function's time, to say which records are left. */
const reserveMs = 3_000;

/** Where a record tells of. It tells that something happened: what, stands in the table. */
const streamOf = ({ dynamodb }: DynamoDBRecord): string | undefined => dynamodb?.Keys?.['pk']?.S;

/**
 * Carries what happened to the event bus and into the logs, as the stream of the table tells of it, and wakes those who send
 * it on. Records come again, late and out of order without harm: each only says that its place has news.
 *
 * @returns the first record whose place could not be carried, for an event source with ReportBatchItemFailures: it and
 *   those behind it come again. https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export const publishTableRecords = async (
  event: DynamoDBStreamEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse> => {
  const now = Date.now();
  using session = openSession(now + getRemainingTimeInMillis() - reserveMs);
  const places = event.Records.flatMap((record) => streamOf(record) ?? []);
  const { failed, logs } = await publishStreams(session, places, now);
  await notifySubscriptions(session, logs);
  const left = event.Records.find((record) => failed.has(streamOf(record) ?? ''));
  if (left === undefined) return { batchItemFailures: [] };
  log('warn', 'events left', { places: failed.size, records: event.Records.length });
  return { batchItemFailures: [{ itemIdentifier: left.dynamodb?.SequenceNumber ?? '' }] };
};
