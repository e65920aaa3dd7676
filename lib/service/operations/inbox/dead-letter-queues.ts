import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Failure, Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { executeInSteps, withStore } from '../../execution/execute.ts';
import { eventsQueueConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import type { Session } from '../../../store/engine/session.ts';
import { countDeadLetters, type DeadLetter } from '../../../shops/inbox/dead-letters.ts';
import { type NewMessage, sendBatch } from '../../../access/queues/send-messages.ts';
import { defaultLimit, inboxRules, type RedriveResult, redriveQueue, type RedriveRules } from './redrive.ts';

const config = configured(eventsQueueConfig);

/** Why a redrive drops a message. */
export type DropReason = Output<'redriveDeadLetters'>['dropped'][number]['reason'];

/** A dead-letter queue of the deployment. */
export type DeadLetterQueue = {
  readonly name: Output<'listDeadLetters'>['queues'][number]['queue'];
  /** The effect of a redrive, for the operator. */
  readonly effect: string;
  readonly url: () => string;
  readonly redrive: (session: Session, limit: number, call: Call) => Promise<RedriveResult<DropReason>>;
};

/** Makes a dead-letter queue of its rules. */
export const deadLetterQueue = <Target>(
  name: DeadLetterQueue['name'],
  effect: string,
  rules: () => RedriveRules<Target, DropReason>,
): DeadLetterQueue => ({
  name,
  effect,
  url: () => rules().queueUrl,
  redrive: async (session, limit, call) => redriveQueue(rules(), session, limit, call),
});

/** Sends messages to a queue again, and returns the accepted ones. */
export const sendAgain =
  <Target extends NewMessage>(queueUrl: string) =>
  async ({ signal }: Session, targets: readonly Target[]): Promise<ReadonlySet<Target>> => {
    const accepted = await sendBatch(queueUrl, targets, signal);
    return new Set(targets.filter((_, index) => accepted.has(index)));
  };

/** receiveEvents reads a message of the queue, and the record that Lambda writes about a failed event. */
const eventsRules = (): RedriveRules<NewMessage, DropReason> => {
  const { queueUrl, deadLetterUrl } = config();
  return {
    queueUrl: deadLetterUrl,
    actionOf: async (_, { body }: DeadLetter) => ({ kind: 'moved', target: { body } }),
    move: sendAgain(queueUrl),
  };
};

/** The dead-letter queues of both modes. */
export const commonQueues: readonly DeadLetterQueue[] = [
  deadLetterQueue('inbox', 'Failed webhook deliveries are reopened, and the worker processes them again.', inboxRules),
  deadLetterQueue('events', 'receiveEvents ingests the events and messages again.', eventsRules),
];

const queueNotFound: Failure = {
  code: 'dead_letter_queue_not_found',
  detail: 'This deployment has no such dead-letter queue. listDeadLetters names those that it has.',
  errors: [{ path: '/queue', code: 'unknown', message: 'must be a dead-letter queue of this deployment' }],
};

/** Returns the dead-letter queues with the approximate number of their messages. */
export const listQueues = async (
  queues: readonly DeadLetterQueue[],
  call: Call,
): Promise<Result<Reply<Output<'listDeadLetters'>>>> =>
  withStore(call, async ({ signal }) => {
    const counted = queues.map(async ({ name, effect, url }) => ({
      queue: name,
      messages: await countDeadLetters(url(), signal),
      effect,
    }));
    return ok({ status: 200 as const, body: { queues: await Promise.all(counted) } });
  });

/** Redrives messages of the named dead-letter queue. It is a failure if the deployment has no such queue. */
export const redriveNamed = async (
  queues: readonly DeadLetterQueue[],
  { queue: name, limit = defaultLimit }: Input<'redriveDeadLetters'>,
  call: Call,
): Promise<Result<Reply<Output<'redriveDeadLetters'>>>> => {
  const queue = queues.find((known) => known.name === name);
  if (queue === undefined) return fail(queueNotFound);
  return executeInSteps('redriveDeadLetters', { queue: name, limit }, call, async (session) =>
    ok({ status: 200 as const, body: { queue: name, ...(await queue.redrive(session, limit, call)) } }),
  );
};
