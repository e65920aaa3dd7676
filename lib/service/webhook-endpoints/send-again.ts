import { fail, ok, type Result } from '../../contract/result.ts';
import { errorName, log } from '../../runtime/log.ts';
import { sendMessages } from '../../outbox/queue.ts';
import type { Session } from '../../store/engine/session.ts';
import type { Call } from '../../contract/port.ts';

const queueUnavailable = fail({
  code: 'dependency_unavailable' as const,
  detail: 'The queue cannot be reached; try again.',
  retryAfterSeconds: 1,
});

/** Has events sent once more. Nothing else remembers that they are to be: what the queue has not taken is a failure. */
export const sendAgain = async (
  session: Session,
  endpointId: string,
  eventIds: readonly string[],
  { traceId }: Call,
): Promise<Result<null>> => {
  try {
    await sendMessages(
      eventIds.map((eventId) => ({ endpointId, eventId })),
      session.signal,
    );
    return ok(null);
  } catch (error) {
    log('error', 'redeliveries not queued', { traceId, endpointId, count: eventIds.length, error: errorName(error) });
    return queueUnavailable;
  }
};
