import { setTimeout as pause } from 'node:timers/promises';
import { isProvenUnsent } from '../access/client/unsent.ts';
import type { Call } from '../contract/port.ts';
import { OperationFailure, unknownEffect } from './failure.ts';
import type { Reply, Service } from './send.ts';
import { isOutage, maxCalls, type Progress, type SendNext, type Writes } from './service.ts';

/* What a command knows of its writes: whether one of them may have had an effect. */

/** The requests of a command so far. */
export type WriteProgress = Progress & {
  /** Writes that may have reached the service. */
  sentWrites: number;
  /** Writes that the service rejected, so that they had no effect. */
  rejectedWrites: number;
};

const isRedirection = (status: number): boolean => status >= 300 && status < 400;

/** The pauses between two reads of a command that the service carries out later. */
const firstPauseMs = 200;
const maxPauseMs = 1_000;
/** What the last read and the answer need. */
const marginMs = 1_000;

/** Reads the result of a write until it is there, or the deadline is near. */
const followUntil =
  ({ deadline }: Call, progress: Progress, sendNext: SendNext): Service['follow'] =>
  async (request, isDone) => {
    for (let wait = firstPauseMs; ; wait = Math.min(maxPauseMs, wait * 2)) {
      const reply = (await sendNext(request, true)) as Reply<Parameters<typeof isDone>[0]>;
      if (isDone(reply.body)) return reply;
      if (Date.now() + wait + marginMs > deadline || progress.calls >= maxCalls)
        throw new OperationFailure(unknownEffect);
      await pause(wait);
    }
  };

/**
 * Counts the writes of a command, and follows them.
 *
 * @param call with the deadline of the requests
 * @param begin runs before each write leaves
 */
export const countWrites = (
  { call, progress }: { readonly call: Call; readonly progress: WriteProgress },
  begin: (() => Promise<void>) | undefined,
  more: Pick<Writes, 'repeatable' | 'headers'>,
): Writes => ({
  ...more,
  begin: async () => {
    await begin?.();
    progress.sentWrites += 1;
  },
  fail: (failure) => {
    if (isProvenUnsent(failure)) progress.sentWrites -= 1;
  },
  reject: ({ status, isWrite, isFollowed }) => {
    // An outage and a redirection leave open whether the service has acted: 303 comes after the act (RFC 9110, 15.4.4). A
    // result that is an error is the end of a write, too.
    if (isWrite ? !isOutage(status) && !isRedirection(status) : isFollowed && status < 300)
      progress.rejectedWrites += 1;
  },
  follow: (sendNext) => followUntil(call, progress, sendNext),
});
