import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { errorName, log } from '../../runtime/log.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { readEndpoints } from '../../store/events/endpoints.ts';
import { groupOf } from '../../store/events/subscriptions.ts';
import { isWriteBackPartition, orderOfPartition } from '../../store/engine/keys.ts';
import { enqueueOrders } from '../write-back/queue.ts';
import { publishStreams } from './publish-streams.ts';
import { enqueueMessages } from './queue.ts';

/**
 * Enqueues workers of all endpoints for partitions with new events. A failure loses nothing: the schedule finds lagging
 * subscriptions (lib/service/outbox/notify-lagging-subscriptions.ts).
 */
export const notifySubscriptions = async (session: Session, logs: ReadonlySet<number>): Promise<void> => {
  if (logs.size === 0) return;
  try {
    const endpoints = (await readEndpoints(session)).filter(({ disabled }) => disabled === undefined);
    const groups = [...new Set(Array.from(logs, groupOf))];
    const messages = endpoints.flatMap(({ id }) => groups.map((group) => ({ endpointId: id, group })));
    await enqueueMessages(messages, session.signal);
  } catch (error) {
    log('warn', 'subscriptions not notified', { logs: logs.size, error: errorName(error) });
  }
};

/** Time reserved before the function's timeout, to report the unpublished records. */
const reserveMs = 3_000;

const partitionOf = ({ dynamodb }: DynamoDBRecord): string | undefined => dynamodb?.Keys?.['pk']?.S;

/** The stream that a record belongs to. The record only signals a change: the event is in the table. */
const streamOf = (record: DynamoDBRecord): string | undefined => {
  const partition = partitionOf(record);
  return partition !== undefined && isWriteBackPartition(partition) ? undefined : partition;
};

/** Enqueues workers for orders with new intents. A failure loses nothing: a schedule finds intents that are due. */
const notifyWriteBack = async (session: Session, records: readonly DynamoDBRecord[]): Promise<void> => {
  const partitions = new Set(records.flatMap((record) => partitionOf(record) ?? []).filter(isWriteBackPartition));
  if (partitions.size === 0) return;
  try {
    await enqueueOrders([...partitions].map(orderOfPartition), session.signal);
  } catch (error) {
    log('warn', 'orders not enqueued for write-back', { orders: partitions.size, error: errorName(error) });
  }
};

/**
 * Publishes the events of streams that the table's stream reports, and enqueues webhook workers. Repeated, late and
 * unordered records do no harm: each record only signals a change of its stream.
 *
 * @returns the first record whose stream could not be published, for an event source with ReportBatchItemFailures.
 *   Lambda retries it and the records after it.
 *   https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
 */
export const publishTableRecords = async (
  event: DynamoDBStreamEvent,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<DynamoDBBatchResponse> => {
  const now = Date.now();
  using session = openSession(now + getRemainingTimeInMillis() - reserveMs);
  const streams = event.Records.flatMap((record) => streamOf(record) ?? []);
  const { failed, logs } = await publishStreams(session, streams, now);
  await Promise.all([notifySubscriptions(session, logs), notifyWriteBack(session, event.Records)]);
  const left = event.Records.find((record) => failed.has(streamOf(record) ?? ''));
  if (left === undefined) return { batchItemFailures: [] };
  log('warn', 'events postponed', { streams: failed.size, records: event.Records.length });
  return { batchItemFailures: [{ itemIdentifier: left.dynamodb?.SequenceNumber ?? '' }] };
};
