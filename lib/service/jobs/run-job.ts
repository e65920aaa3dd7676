import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { jobsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { errorName, log } from '../../runtime/log.ts';
import { ObjectsUnavailable } from '../../store/engine/objects.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { isUnavailable } from '../../store/engine/client.ts';
import type { JobFailure } from '../../store/jobs/job.ts';
import type { BulkBackend } from './bulk.ts';
import { enqueueWorkers, parseMessage, type Message } from './queue.ts';
import { failJob, runPart } from './run-part.ts';
import { CommandUnavailable, TooLarge } from './work.ts';

const config = configured(jobsConfig);

/** The time after which a worker enqueues its successor. The rest of the function's time is reserved for that. */
const maxMs = 20_000;
const reserveMs = 8_000;

const receivesOf = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount) || 1;

const codeOf = (error: unknown, session: Session): JobFailure['code'] => {
  if (error instanceof TooLarge) return 'too_large';
  if (session.signal.aborted) return 'timeout';
  const isTemporary =
    isUnavailable(error) || error instanceof ObjectsUnavailable || error instanceof CommandUnavailable;
  return isTemporary ? 'dependency_unavailable' : 'internal_error';
};

type Work = Parameters<typeof runPart>[2];

const runMessage = async (session: Session, message: Message, work: Work): Promise<void> => {
  const { jobId, shard } = message;
  const left = await runPart(session, message, work);
  // Sent before this message is deleted. A worker that dies in between leaves two messages, and one of them has no
  // work.
  if (left === 'unfinished') await enqueueWorkers(jobId, [shard], session.signal);
  log('info', 'job partition processed', { jobId, shard, left });
};

/** Returns whether the message is processed. A failed message is retried, then goes to the dead-letter queue. */
const handleMessage = async (backend: BulkBackend, record: SQSRecord, end: number): Promise<boolean> => {
  const message = parseMessage(record.body);
  const receives = receivesOf(record);
  if (message === undefined) {
    log('error', 'job message malformed', { messageId: record.messageId });
    return false;
  }
  const { jobId, shard } = message;
  const { maxAttempts } = config();
  using session = openSession(end - 1_000);
  try {
    // The workers before this one died without a report, and this one would too.
    if (receives > maxAttempts) throw new Error('too many receives');
    await runMessage(session, message, { stopAt: Math.min(Date.now() + maxMs, end - reserveMs), backend });
    return true;
  } catch (error) {
    const code = receives > maxAttempts ? 'timeout' : codeOf(error, session);
    log('error', 'job partition not processed', { jobId, shard, receives, code, error: errorName(error) });
    // A retry would be as large.
    const isFinal = code === 'too_large';
    if (receives < maxAttempts && !isFinal) return false;
    using last = openSession(end - 500);
    await failJob(last, jobId, { code, part: shard });
    return isFinal;
  }
};

/**
 * Creates the handler that processes partitions of jobs from the queue. It returns the failed messages, for an event
 * source with ReportBatchItemFailures.
 */
export const jobRunner =
  (backend: BulkBackend) =>
  async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    const end = Date.now() + context.getRemainingTimeInMillis();
    const batchItemFailures: { itemIdentifier: string }[] = [];
    for (const record of event.Records)
      if (!(await handleMessage(backend, record, end))) batchItemFailures.push({ itemIdentifier: record.messageId });
    return { batchItemFailures };
  };
