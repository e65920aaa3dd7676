import { offer } from '../remote.ts';
import { startWorld } from '../world.ts';
import { environmentOf, type Environment } from './environment.ts';

/* What the connected way reaches, in a process of its own, so that it takes no time of the candidates. */

export type Outside = {
  /** Starts it and answers with the environment of the candidates. */
  readonly start: (given: null) => Promise<Environment>;
};

const started: AsyncDisposable[] = [];

offer(
  {
    start: async () => {
      const world = await startWorld();
      started.push(world);
      return environmentOf(world.origins);
    },
  } satisfies Outside,
  async () => {
    await Promise.all(started.map((one) => one[Symbol.asyncDispose]()));
  },
);
