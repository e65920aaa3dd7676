import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { log } from '../runtime/log.ts';
import { openSession } from '../store/engine/session.ts';
import { projectPlaces } from './project.ts';
import { wakeEndpoints } from './wake.ts';

/** Kept back from the function's time, to say which records are left. */
const reserveMs = 3_000;

/** Where a record tells of. It tells that something happened: what, stands in the table. */
const placeOf = ({ dynamodb }: DynamoDBRecord): string | undefined => dynamodb?.Keys?.['pk']?.S;

/**
 * Carries what happened to the event bus and into the logs, as the stream of the table tells of it, and wakes those who send
 * it on. Records come again, late and out of order without harm: each only says that its place has news.
 *
 * @returns the first record whose place could not be carried, for an event source with ReportBatchItemFailures: it and
 *   those behind it come again. https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export const publishStream = async (
  event: DynamoDBStreamEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse> => {
  const now = Date.now();
  using session = openSession(now + getRemainingTimeInMillis() - reserveMs);
  const places = event.Records.flatMap((record) => placeOf(record) ?? []);
  const { failed, logs } = await projectPlaces(session, places, now);
  await wakeEndpoints(session, logs);
  const left = event.Records.find((record) => failed.has(placeOf(record) ?? ''));
  if (left === undefined) return { batchItemFailures: [] };
  log('warn', 'events left', { places: failed.size, records: event.Records.length });
  return { batchItemFailures: [{ itemIdentifier: left.dynamodb?.SequenceNumber ?? '' }] };
};
