import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { jobsConfig } from '../runtime/config.ts';
import { configured } from '../runtime/container.ts';
import { errorName, log } from '../runtime/log.ts';
import { ObjectsUnavailable } from '../store/engine/objects.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { isUnavailable } from '../store/engine/unavailable.ts';
import type { JobFailure } from '../store/jobs/job.ts';
import { enqueueWorkers, parseMessage, type Message } from './queue.ts';
import { failJob, runPart } from './run-part.ts';
import { TooLarge } from './work.ts';

const config = configured(jobsConfig);

/** A worker hands on to the next one after this long, and leaves as much of its function's time for what it then does. */
const maxMs = 20_000;
const reserveMs = 8_000;

const receivesOf = (record: SQSRecord): number => Number(record.attributes.ApproximateReceiveCount) || 1;

const codeOf = (error: unknown, session: Session): JobFailure['code'] => {
  if (error instanceof TooLarge) return 'too_large';
  if (session.signal.aborted) return 'timeout';
  return isUnavailable(error) || error instanceof ObjectsUnavailable ? 'dependency_unavailable' : 'internal_error';
};

const runMessage = async (session: Session, message: Message, stopAt: number): Promise<void> => {
  const { jobId, shard } = message;
  const left = await runPart(session, message, stopAt);
  // Sent before this message is consumed: who dies between leaves two, of which one finds nothing to do.
  if (left === 'unfinished') await enqueueWorkers(jobId, [shard], session.signal);
  log('info', 'job worked on', { jobId, shard, left });
};

/** Says whether the message is dealt with. One that is not comes again, and at last lies with the dead letters. */
const handleMessage = async (record: SQSRecord, end: number): Promise<boolean> => {
  const message = parseMessage(record.body);
  const receives = receivesOf(record);
  if (message === undefined) {
    log('error', 'no message of a job', { messageId: record.messageId });
    return false;
  }
  const { jobId, shard } = message;
  const { maxAttempts } = config();
  using session = openSession(end - 1_000);
  try {
    // Those before this one died without a word: nobody would learn of it from this one either.
    if (receives > maxAttempts) throw new Error('given up');
    await runMessage(session, message, Math.min(Date.now() + maxMs, end - reserveMs));
    return true;
  } catch (error) {
    const code = receives > maxAttempts ? 'timeout' : codeOf(error, session);
    log('error', 'job not worked on', { jobId, shard, receives, code, error: errorName(error) });
    // It would be as large the next time.
    const isFinal = code === 'too_large';
    if (receives < maxAttempts && !isFinal) return false;
    using last = openSession(end - 500);
    await failJob(last, jobId, { code, part: shard });
    return isFinal;
  }
};

/**
 * Works on parts of jobs, which the queue brings.
 *
 * @returns the messages that are not dealt with, for an event source with ReportBatchItemFailures
 */
export const runJobs = async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const end = Date.now() + context.getRemainingTimeInMillis();
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const record of event.Records)
    if (!(await handleMessage(record, end))) batchItemFailures.push({ itemIdentifier: record.messageId });
  return { batchItemFailures };
};
