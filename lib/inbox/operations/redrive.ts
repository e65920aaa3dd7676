import type { Input, Output } from '../../contract/contract.ts';
import type { Call, Reply } from '../../contract/port.ts';
import { ok, type Result } from '../../contract/result.ts';
import { executeInSteps } from '../../execution/execute.ts';
import { log } from '../../runtime/log.ts';
import type { Session } from '../../store/engine/session.ts';
import { reopenDelivery } from '../../store/inbox/inbox-replay.ts';
import { type InboxRow, encodeInboxKey } from '../../store/inbox/inbox-row.ts';
import { isSettled, readDelivery } from '../../store/inbox/inbox.ts';
import {
  countDeadLetters,
  type DeadLetter,
  deleteDeadLetter,
  returnDeadLetter,
  takeDeadLetters,
} from '../dead-letters.ts';
import { enqueueAll, keyIn } from '../queue.ts';

const defaultLimit = 100;
/** The longest time of a batch. No batch begins with less time left. */
const batchMs = 2_500;

type Dropped = Output<'redrive'>['dropped'][number];

/** The action for a message: reprocess its delivery, or drop it. */
type RedriveAction =
  | { readonly kind: 'moved'; readonly letter: DeadLetter; readonly key: string; readonly row: InboxRow }
  | { readonly kind: 'dropped'; readonly letter: DeadLetter; readonly dropped: Dropped };

const redriveActionOf = async (session: Session, letter: DeadLetter): Promise<RedriveAction> => {
  const { messageId } = letter;
  const key = keyIn(letter.body);
  if (key === undefined) return { kind: 'dropped', letter, dropped: { messageId, reason: 'message_invalid' } };
  const dropMessages = (reason: Dropped['reason']): RedriveAction => ({
    kind: 'dropped',
    letter,
    dropped: { messageId, deliveryKey: encodeInboxKey(key), reason },
  });
  const row = await readDelivery(session, key);
  if (row === undefined) return dropMessages('delivery_missing');
  if (isSettled(row)) return dropMessages('delivery_settled');
  // A worker stores `failed` before it dead-letters the message. A reopened delivery has another message.
  if (row.status === 'received' && letter.hasReason) return dropMessages('delivery_reopened');
  return { kind: 'moved', letter, key, row };
};

/**
 * Reopens, enqueues, then deletes. A worker that dies in between leaves a duplicate message, or work for the sweeper.
 */
const moveMessages = async (session: Session, fates: readonly RedriveAction[]): Promise<number> => {
  const moving = fates.filter((fate) => fate.kind === 'moved');
  if (moving.length === 0) return 0;
  const at = new Date().toISOString();
  const failed = moving.filter(({ row }) => row.status === 'failed');
  await Promise.all(failed.map(async ({ key, row }) => reopenDelivery(session, key, row, at)));
  const taken = await enqueueAll(
    moving.map(({ key }) => key),
    session.signal,
  );
  const moved = moving.filter(({ key }) => taken.has(key));
  await Promise.all(moved.map(async ({ letter }) => deleteDeadLetter(letter, session.signal)));
  return moved.length;
};

const drop = async (
  session: Session,
  fates: readonly RedriveAction[],
  traceId: string,
): Promise<readonly Dropped[]> => {
  const dropping = fates.filter((fate) => fate.kind === 'dropped');
  await Promise.all(
    dropping.map(async ({ letter, dropped }) => {
      await deleteDeadLetter(letter, session.signal);
      log('info', 'message dropped', { traceId, ...dropped });
    }),
  );
  return dropping.map(({ dropped }) => dropped);
};

/** Receives messages until the requested number, the end of the queue, or the time limit. */
async function* readBatches(session: Session, limit: number, end: number) {
  for (let taken = 0; taken < limit && Date.now() + batchMs < end;) {
    const letters = await takeDeadLetters(limit - taken, session.signal);
    if (letters.length === 0) return;
    taken += letters.length;
    yield await Promise.all(letters.map(async (letter) => redriveActionOf(session, letter)));
  }
}

/** Counts the actions of a dry run. It makes the messages visible again at the end, so that it receives each once. */
const dryRunRedrive = async (session: Session, limit: number, end: number): Promise<Output<'redrive'>> => {
  const fates: RedriveAction[] = [];
  try {
    for await (const some of readBatches(session, limit, end)) fates.push(...some);
    const dropped = fates.flatMap((fate) => (fate.kind === 'dropped' ? [fate.dropped] : []));
    return { moved: fates.length - dropped.length, dropped, remaining: await countDeadLetters(session.signal) };
  } finally {
    await Promise.all(fates.map(async ({ letter }) => returnDeadLetter(letter, session.signal)));
  }
};

const redriveAll = async (session: Session, limit: number, { deadline, traceId }: Call) => {
  const dropped: Dropped[] = [];
  let moved = 0;
  for await (const fates of readBatches(session, limit, deadline)) {
    moved += await moveMessages(session, fates);
    dropped.push(...(await drop(session, fates, traceId)));
  }
  return { moved, dropped, remaining: await countDeadLetters(session.signal) };
};

/** Reprocesses failed deliveries from the messages in the dead-letter queue. */
export const redrive = async (
  { limit = defaultLimit }: Input<'redrive'>,
  call: Call,
): Promise<Result<Reply<Output<'redrive'>>>> =>
  executeInSteps('redrive', { limit }, call, async (session) => {
    const body = call.dryRun
      ? await dryRunRedrive(session, limit, call.deadline)
      : await redriveAll(session, limit, call);
    return ok({ status: 200 as const, body });
  });
