import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { execute } from '../../execution/execute.ts';
import { errorName, log } from '../../../runtime/log.ts';
import { openSession } from '../../../store/engine/session.ts';
import { reopenRow, writeReopened } from '../../../store/inbox/inbox-replay.ts';
import { decodeInboxKey } from '../../../store/inbox/inbox-row.ts';
import { readDelivery } from '../../../store/inbox/inbox.ts';
import { enqueue } from '../../../shops/inbox/queue.ts';
import { summaryView } from './delivery-view.ts';
import { deliveryNotFound } from './position.ts';

/** Enqueues a replay. The open delivery is stored, so the sweeper enqueues it when this fails. */
const enqueueReplay = async (key: string, { deadline, traceId }: Call): Promise<void> => {
  using session = openSession(deadline);
  try {
    await enqueue(key, session.signal);
  } catch (error) {
    log('warn', 'replay not enqueued', { traceId, key, error: errorName(error) });
  }
};

/** Reprocesses a settled delivery. */
export const replay = async (input: Input<'replay'>, call: Call): Promise<Result<Reply<Output<'replay'>>>> => {
  const key = decodeInboxKey(input.deliveryKey);
  const done = await execute('replay', input, call, async (session) => {
    const row = await readDelivery(session, key);
    if (row === undefined) return fail(deliveryNotFound);
    if (row.status === 'received')
      return fail({
        code: 'invalid_transition',
        detail: 'The delivery is not settled. Wait until it is processed, then retry.',
      });
    return ok({
      reply: { status: 200, body: summaryView(key, reopenRow(row)) },
      writes: [writeReopened(key, row, new Date().toISOString())],
    });
  });
  if (done.ok && done.value.replayed !== true && !call.dryRun) await enqueueReplay(key, call);
  return done;
};
