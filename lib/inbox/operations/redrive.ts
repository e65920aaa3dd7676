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
/** What a batch may take at the worst: none is begun with less. */
const batchMs = 2_500;

type Dropped = Output<'redrive'>['dropped'][number];

/** What is to become of a message: its delivery is worked off once more, or it is of no use. */
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
  // A worker wrote `failed` before it put the message aside: whoever opened it again has sent another.
  if (row.status === 'received' && letter.hasReason) return dropMessages('delivery_reopened');
  return { kind: 'moved', letter, key, row };
};

/** Opens, then announces, then deletes: what dies in between is in the queue twice at most, or left to the sweeper. */
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

/** Takes messages until there are as many as asked for, or no more, or time runs short. */
async function* readBatches(session: Session, limit: number, end: number) {
  for (let taken = 0; taken < limit && Date.now() + batchMs < end;) {
    const letters = await takeDeadLetters(limit - taken, session.signal);
    if (letters.length === 0) return;
    taken += letters.length;
    yield await Promise.all(letters.map(async (letter) => redriveActionOf(session, letter)));
  }
}

/** What would be done. The messages are shown again at the end: before, they would be taken once more. */
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

/** Has the deliveries worked off once more that were given up, by the messages that were put aside for them. */
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
