import { setImmediate as turn } from 'node:timers/promises';
import { stop } from '../../support/stopped.ts';
import type { Candidate } from '../candidates.ts';
import { startRemote } from '../remote.ts';
import { startWorld, type Severing, type World } from '../world.ts';
import { event } from './candidates.ts';
import { environmentOf } from './environment.ts';
import type { Outcome, SimulatedContainer } from './simulation/container.ts';

/** One candidate in a container of its own, on a clock of its own, in a world of its own. */
export type Trial = {
  readonly world: World;
  /** So many calls, each so many virtual milliseconds after the one before. */
  readonly calls: (count: number, every: number) => Promise<readonly Outcome[]>;
  /** So many calls at once, that long after the one before. */
  readonly burst: (count: number, after: number) => Promise<readonly Outcome[]>;
  /**
   * A call so many virtual milliseconds after the one before, of which the container was frozen, and what became of every
   * connection meanwhile. The event is there first: what happened to the connections is heard of beside it, as when a
   * machine resumes.
   */
  readonly thaw: (severing: Severing, after: number) => Promise<Outcome>;
  /** All that the process has written; it has ended then. */
  readonly log: () => Promise<string>;
};

/** Lets a candidate go through something, from a cold start on. */
export const withTrial = async <Result>(
  { file, environment: besides }: Candidate,
  undergo: (trial: Trial) => Promise<Result>,
): Promise<Result> => {
  await using world = await startWorld();
  let log = '';
  const hear = (words: string) => (log += words);
  const environment = { ...environmentOf(world.origins), ...besides };
  await using container = startRemote<SimulatedContainer>('token/simulation/container.ts', {
    environment,
    cpu: undefined,
    hear,
  });
  await container.call('load', { file });
  return await undergo({
    world,
    calls: (count, every) => container.call('calls', { event, count, every }),
    burst: (count, every) => container.call('burst', { event, count, every }),
    thaw: async (severing, after) => {
      await stop(container.pid);
      const outcome = container.call('thaw', { event, after });
      await turn();
      world.sever(severing);
      await turn();
      process.kill(container.pid, 'SIGCONT');
      return outcome;
    },
    log: async () => {
      await container[Symbol.asyncDispose]();
      return log;
    },
  });
};

export const second = 1_000;
export const minute = 60 * second;

export const failed = (outcomes: readonly Outcome[]): number => outcomes.filter(({ ok }) => !ok).length;
