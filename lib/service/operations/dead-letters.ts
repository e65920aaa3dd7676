import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import type { Result } from '../../contract/result.ts';
import {
  commonQueues,
  type DeadLetterQueue,
  deadLetterQueue,
  type DropReason,
  listQueues,
  redriveNamed,
  sendAgain,
} from './inbox/dead-letter-queues.ts';
import type { RedriveRules } from './inbox/redrive.ts';
import { enqueueWorkers, type Message, parseMessage as parseJobMessage } from '../jobs/queue.ts';
import { parseMessage as parseOutboxMessage } from '../outbox/queue.ts';
import { mailTaskIn } from '../mails/queue.ts';
import { orderIn } from '../write-back/queue.ts';
import { outboxConfig, standaloneDeadLettersConfig, writeBackQueueConfig } from '../../runtime/configuration/config.ts';
import { mailsQueueConfig } from '../../runtime/configuration/mail-config.ts';
import { configured } from '../../runtime/container.ts';
import type { Session } from '../../store/engine/session.ts';
import { transact } from '../../store/engine/transact.ts';
import type { Job } from '../../store/jobs/job.ts';
import { readJob, readWholeJob, writeJob } from '../../store/jobs/jobs.ts';

const outbox = configured(outboxConfig);
const writeBack = configured(writeBackQueueConfig);
const mails = configured(mailsQueueConfig);
const deadLetters = configured(standaloneDeadLettersConfig);

/** Whether a job can continue. A `too_large` job would fail again. */
const canContinue = ({ status, failure }: Job): boolean =>
  status === 'open' || (status === 'failed' && failure?.code !== 'too_large');

/**
 * Reopens a failed job, and enqueues a worker for each open partition. When one partition failed, the workers of the
 * others stopped. Each partition continues after its last saved page.
 *
 * @returns false if another request changes the job at this moment
 */
const continueJob = async (session: Session, jobId: string, partitions: readonly number[]): Promise<boolean> => {
  const found = await readWholeJob(session, jobId, Date.now());
  if (found === undefined || !canContinue(found.job.value)) return true;
  const { value, version } = found.job;
  if (value.status === 'failed') {
    const { failure: _, ...job } = value;
    const opened: Job = { ...job, status: 'open', updatedAt: new Date().toISOString() };
    const outcome = await transact(session, [writeJob(opened, version)]);
    if (!outcome.written) return false;
  }
  const parts = found.parts.map((part) => part.value);
  // A worker of a completed partition ends the job if all others are complete.
  const working = parts.filter(({ done, shard }) => !done || partitions.includes(shard));
  await enqueueWorkers(
    jobId,
    working.map(({ shard }) => shard),
    session.signal,
  );
  return true;
};

const jobsRules = (): RedriveRules<Message, DropReason> => ({
  queueUrl: deadLetters().jobsUrl,
  actionOf: async (session, { body }) => {
    const message = parseJobMessage(body);
    if (message === undefined) return { kind: 'dropped', reason: 'message_invalid' };
    const job = await readJob(session, message.jobId);
    if (job === undefined) return { kind: 'dropped', reason: 'job_missing' };
    return canContinue(job.value) ? { kind: 'moved', target: message } : { kind: 'dropped', reason: 'job_ended' };
  },
  move: async (session, targets) => {
    const moved = new Set<Message>();
    for (const [jobId, messages] of Map.groupBy(targets, (target) => target.jobId)) {
      const partitions = messages.map(({ shard }) => shard);
      if (await continueJob(session, jobId, partitions)) for (const message of messages) moved.add(message);
    }
    return moved;
  },
});

type OutboxTarget = { readonly body: string; readonly group: string };

const outboxRules = (): RedriveRules<OutboxTarget, DropReason> => ({
  queueUrl: deadLetters().outboxUrl,
  actionOf: async (_, { body }) => {
    const message = parseOutboxMessage(body);
    return message === undefined
      ? { kind: 'dropped', reason: 'message_invalid' }
      : { kind: 'moved', target: { body, group: message.endpointId } };
  },
  move: sendAgain(outbox().queueUrl),
});

const writeBackRules = (): RedriveRules<OutboxTarget, DropReason> => ({
  queueUrl: deadLetters().writeBackUrl,
  actionOf: async (_, { body }) => {
    const order = orderIn(body);
    return order === undefined
      ? { kind: 'dropped', reason: 'message_invalid' }
      : { kind: 'moved', target: { body, group: order.platform } };
  },
  move: sendAgain(writeBack().queueUrl),
});

const mailsRules = (): RedriveRules<OutboxTarget, DropReason> => ({
  queueUrl: deadLetters().mailsUrl,
  actionOf: async (_, { body }) => {
    const task = mailTaskIn(body);
    return task === undefined
      ? { kind: 'dropped', reason: 'message_invalid' }
      : { kind: 'moved', target: { body, group: task.kind } };
  },
  move: sendAgain(mails().queueUrl),
});

/** A record of the stream holds keys and positions, and the stream itself is gone after a day. */
const streamRules = (): RedriveRules<never, DropReason> => ({
  queueUrl: deadLetters().streamUrl,
  actionOf: async () => ({ kind: 'dropped', reason: 'not_redrivable' }),
  move: async () => new Set(),
});

const queues: readonly DeadLetterQueue[] = [
  ...commonQueues,
  deadLetterQueue('jobs', 'Failed jobs are reopened, and continue after their last saved page.', jobsRules),
  deadLetterQueue('outbox', 'deliverEvents processes the messages again.', outboxRules),
  deadLetterQueue('write-back', 'writeBack asks the shops of the orders again.', writeBackRules),
  deadLetterQueue('mails', 'sendMails tries to send the messages again.', mailsRules),
  deadLetterQueue(
    'stream',
    'The messages hold positions only and are deleted. repairEvents publishes missing events, and recountReturns counts missing returns.',
    streamRules,
  ),
];

/** Lists the dead-letter queues of the standalone mode. */
export const listDeadLetters = async (
  _: Input<'listDeadLetters'>,
  call: Call,
): Promise<Result<Reply<Output<'listDeadLetters'>>>> => listQueues(queues, call);

/** Redrives messages of a dead-letter queue of the standalone mode. */
export const redriveDeadLetters = async (
  input: Input<'redriveDeadLetters'>,
  call: Call,
): Promise<Result<Reply<Output<'redriveDeadLetters'>>>> => redriveNamed(queues, input, call);
