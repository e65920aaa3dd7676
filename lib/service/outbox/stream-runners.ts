import { setTimeout as pause } from 'node:timers/promises';
import { runStream, type StreamRunOptions } from './run-stream.ts';
import { applyRun, type StreamWork, type SubscriptionState } from './subscription-state.ts';

/** Waits for all running streams, including those that begin meanwhile. */
const waitForAll = async (running: ReadonlySet<Promise<void>>): Promise<void> => {
  while (running.size > 0) await Promise.all(running);
};

type RunnersOptions = {
  readonly state: SubscriptionState;
  readonly now: () => number;
  readonly random: () => number;
};

/** Opens the running streams of a worker: events of a stream are sent in order, streams concurrently. */
export const openRunners = ({ state, now, random }: RunnersOptions) => {
  const running = new Set<Promise<void>>();
  let broken: unknown;
  const begin = (sending: StreamRunOptions, work: StreamWork, limit: number, then: () => void): void => {
    [work.busy, work.attempted] = [true, true];
    const run = runStream(sending, work.blockedStream, limit)
      .then((ended) => applyRun(state, work, ended, now(), random))
      .catch((error: unknown) => {
        broken ??= error;
      })
      .finally(() => {
        running.delete(run);
        then();
      });
    running.add(run);
  };
  return {
    running,
    begin,
    /** Waits for all running streams, with a time limit. Throws the failure of a stream. */
    wait: async (ms?: number): Promise<void> => {
      const cancel = new AbortController();
      const late = ms === undefined ? [] : [pause(ms, undefined, { signal: cancel.signal }).catch(() => undefined)];
      await Promise.race([waitForAll(running), ...late]);
      cancel.abort();
      if (broken !== undefined) throw broken;
    },
  };
};
