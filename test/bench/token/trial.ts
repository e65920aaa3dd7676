import { setImmediate as turn } from 'node:timers/promises';
import { stop } from '../../support/stopped.ts';
import type { Candidate } from '../candidates.ts';
import { startRemote } from '../remote.ts';
import { environmentOf, startWorld, type Severing, type World } from '../world.ts';
import { event } from './candidates.ts';
import type { Outcome, SimulatedContainer } from './simulation/container.ts';

/** One candidate with a container, a clock and a world of its own. */
export type Trial = {
  readonly world: World;
  /** Calls the function this number of times, at this virtual interval in milliseconds. */
  readonly calls: (count: number, every: number) => Promise<readonly Outcome[]>;
  /** Calls the function concurrently, this long after the previous call. */
  readonly burst: (count: number, after: number) => Promise<readonly Outcome[]>;
  /**
   * Calls the function after a freeze of the container that changed all connections.
   * `after` is in virtual milliseconds. The event arrives first. The container notices the state of its connections
   * later, as after the resume of a machine.
   */
  readonly thaw: (severing: Severing, after: number) => Promise<Outcome>;
  /** Ends the process and returns all of its output. */
  readonly log: () => Promise<string>;
};

/** Runs a scenario with a candidate, from a cold start on. */
export const withTrial = async <Result>(
  { file, environment: besides }: Candidate,
  undergo: (trial: Trial) => Promise<Result>,
): Promise<Result> => {
  await using world = await startWorld();
  let log = '';
  await using container = startRemote<SimulatedContainer>('token/simulation/container.ts', {
    environment: { ...environmentOf(world.origins), ...besides },
    hear: (words) => (log += words),
  });
  await container.call('load', file);
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
