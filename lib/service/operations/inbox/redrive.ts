import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { ok } from '../../../runtime/result.ts';
import { executeInSteps } from '../../execution/execute.ts';
import { inboxConfig } from '../../../runtime/configuration/config.ts';
import { configured } from '../../../runtime/container.ts';
import { log } from '../../../runtime/log.ts';
import type { Session } from '../../../store/engine/session.ts';
import { reopenDelivery } from '../../../store/inbox/inbox-replay.ts';
import { type InboxRow, encodeInboxKey } from '../../../store/inbox/inbox-row.ts';
import { isSettled, readDelivery } from '../../../store/inbox/inbox.ts';
import {
  countDeadLetters,
  type DeadLetter,
  deleteDeadLetter,
  returnDeadLetter,
  takeDeadLetters,
} from '../../../shops/inbox/dead-letters.ts';
import { enqueueAll, keyIn } from '../../../shops/inbox/queue.ts';

/*
 * The redrive of a dead-letter queue. It enqueues the work of each message again, then deletes the message. A worker
 * that dies in between leaves a duplicate message, so the rules of a queue must permit repeats.
 */

/** The longest time of a batch. No batch begins with less time left. */
const batchMs = 2_500;

/** The action for a message: enqueue its target again, or drop it as useless. */
export type RedriveAction<Target, Reason extends string> =
  | { readonly kind: 'moved'; readonly target: Target }
  | { readonly kind: 'dropped'; readonly reason: Reason; readonly deliveryKey?: string };

/** What a redrive of one dead-letter queue does. */
export type RedriveRules<Target, Reason extends string> = {
  /** The URL of the dead-letter queue. */
  readonly queueUrl: string;
  readonly actionOf: (session: Session, letter: DeadLetter) => Promise<RedriveAction<Target, Reason>>;
  /** Enqueues at most ten targets again, and returns those that the queue has accepted. */
  readonly move: (session: Session, targets: readonly Target[]) => Promise<ReadonlySet<Target>>;
};

type Dropped<Reason extends string> = {
  readonly messageId: string;
  readonly deliveryKey?: string;
  readonly reason: Reason;
};

/** The result of a redrive. `remaining` is approximate. */
export type RedriveResult<Reason extends string> = {
  readonly moved: number;
  readonly dropped: Dropped<Reason>[];
  readonly remaining: number;
};

type Planned<Target, Reason extends string> = {
  readonly letter: DeadLetter;
  readonly action: RedriveAction<Target, Reason>;
};

/** Receives messages until the requested number, the end of the queue, or the time limit. */
async function* readBatches<Target, Reason extends string>(
  { queueUrl, actionOf }: RedriveRules<Target, Reason>,
  session: Session,
  limit: number,
  end: number,
): AsyncGenerator<readonly Planned<Target, Reason>[]> {
  for (let taken = 0; taken < limit && Date.now() + batchMs < end;) {
    const letters = await takeDeadLetters(queueUrl, limit - taken, session.signal);
    if (letters.length === 0) return;
    taken += letters.length;
    yield await Promise.all(letters.map(async (letter) => ({ letter, action: await actionOf(session, letter) })));
  }
}

const droppedIn = <Target, Reason extends string>(planned: readonly Planned<Target, Reason>[]): Dropped<Reason>[] =>
  planned.flatMap(({ letter: { messageId }, action }) => {
    if (action.kind === 'moved') return [];
    const { reason, deliveryKey } = action;
    return [{ messageId, ...(deliveryKey !== undefined && { deliveryKey }), reason }];
  });

/** Enqueues, then deletes. */
const moveMessages = async <Target, Reason extends string>(
  { move }: RedriveRules<Target, Reason>,
  session: Session,
  planned: readonly Planned<Target, Reason>[],
): Promise<number> => {
  const moving = planned.flatMap(({ letter, action }) =>
    action.kind === 'moved' ? [{ letter, target: action.target }] : [],
  );
  if (moving.length === 0) return 0;
  const accepted = await move(
    session,
    moving.map(({ target }) => target),
  );
  const moved = moving.filter(({ target }) => accepted.has(target));
  await Promise.all(moved.map(async ({ letter }) => deleteDeadLetter(letter, session.signal)));
  return moved.length;
};

const dropMessages = async <Target, Reason extends string>(
  session: Session,
  planned: readonly Planned<Target, Reason>[],
  traceId: string,
): Promise<Dropped<Reason>[]> => {
  const dropping = planned.filter(({ action }) => action.kind === 'dropped');
  const dropped = droppedIn(dropping);
  await Promise.all(dropping.map(async ({ letter }) => deleteDeadLetter(letter, session.signal)));
  for (const message of dropped) log('info', 'message dropped', { traceId, ...message });
  return dropped;
};

/** Counts the actions of a dry run. It makes the messages visible again at the end, so that it receives each once. */
const dryRunRedrive = async <Target, Reason extends string>(
  rules: RedriveRules<Target, Reason>,
  session: Session,
  limit: number,
  end: number,
): Promise<RedriveResult<Reason>> => {
  const planned: Planned<Target, Reason>[] = [];
  try {
    for await (const some of readBatches(rules, session, limit, end)) planned.push(...some);
    const dropped = droppedIn(planned);
    const remaining = await countDeadLetters(rules.queueUrl, session.signal);
    return { moved: planned.length - dropped.length, dropped, remaining };
  } finally {
    await Promise.all(planned.map(async ({ letter }) => returnDeadLetter(letter, session.signal)));
  }
};

/**
 * Redrives at most `limit` messages of a dead-letter queue, within the deadline of the call.
 *
 * @throws errors of the store and of the queues; the messages that were not moved stay in the queue
 */
export const redriveQueue = async <Target, Reason extends string>(
  rules: RedriveRules<Target, Reason>,
  session: Session,
  limit: number,
  { deadline, dryRun, traceId }: Call,
): Promise<RedriveResult<Reason>> => {
  if (dryRun) return dryRunRedrive(rules, session, limit, deadline);
  const dropped: Dropped<Reason>[] = [];
  let moved = 0;
  for await (const planned of readBatches(rules, session, limit, deadline)) {
    moved += await moveMessages(rules, session, planned);
    dropped.push(...(await dropMessages(session, planned, traceId)));
  }
  return { moved, dropped, remaining: await countDeadLetters(rules.queueUrl, session.signal) };
};

const config = configured(inboxConfig);

/** The number of messages of a redrive that names none. */
export const defaultLimit = 100;

type Reason = Output<'redrive'>['dropped'][number]['reason'];
type Target = { readonly key: string; readonly row: InboxRow };

const actionOf = async (session: Session, letter: DeadLetter): Promise<RedriveAction<Target, Reason>> => {
  const key = keyIn(letter.body);
  if (key === undefined) return { kind: 'dropped', reason: 'message_invalid' };
  const drop = (reason: Reason) => ({ kind: 'dropped' as const, reason, deliveryKey: encodeInboxKey(key) });
  const row = await readDelivery(session, key);
  if (row === undefined) return drop('delivery_missing');
  if (isSettled(row)) return drop('delivery_settled');
  // A worker stores `failed` before it dead-letters the message. A reopened delivery has another message.
  if (row.status === 'received' && letter.hasReason) return drop('delivery_reopened');
  return { kind: 'moved', target: { key, row } };
};

/** Reopens, then enqueues. A worker that dies in between leaves work for the sweeper. */
const move = async (session: Session, targets: readonly Target[]): Promise<ReadonlySet<Target>> => {
  const at = new Date().toISOString();
  const failed = targets.filter(({ row }) => row.status === 'failed');
  await Promise.all(failed.map(async ({ key, row }) => reopenDelivery(session, key, row, at)));
  const taken = await enqueueAll(
    targets.map(({ key }) => key),
    session.signal,
  );
  return new Set(targets.filter(({ key }) => taken.has(key)));
};

/** The redrive of the inbox: each failed delivery is reopened and enqueued again. */
export const inboxRules = (): RedriveRules<Target, Reason> => ({ queueUrl: config().deadLetterUrl, actionOf, move });

/** Reprocesses failed deliveries from the messages in the dead-letter queue. */
export const redrive = async (
  { limit = defaultLimit }: Input<'redrive'>,
  call: Call,
): Promise<Result<Reply<Output<'redrive'>>>> =>
  executeInSteps('redrive', { limit }, call, async (session) =>
    ok({ status: 200 as const, body: await redriveQueue(inboxRules(), session, limit, call) }),
  );
