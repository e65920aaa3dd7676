import { connectedPackages } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareExactly, compareWithTarget } from '../targets.ts';
import type { World } from '../world.ts';
import { askers } from './candidates.ts';
import type { Outcome } from './simulation/container.ts';
import { failed, minute, withTrial, type Trial } from './trial.ts';

const minutesOfDay = 24 * 60;
const bursts = [1, 50, 1_000];

/** The calls of each situation, from a cold start on. The day is the last one. */
const situations: readonly (readonly [name: string, run: (trial: Trial) => Promise<readonly Outcome[]>])[] = [
  ...bursts.map((count) => [`burst of ${count}`, (trial: Trial) => trial.burst(count, 0)] as const),
  ['a day, a call a minute', async ({ calls }) => [...(await calls(1, 0)), ...(await calls(minutesOfDay - 1, minute))]],
];

/** Counts the requests to the token endpoint and to Secrets Manager. */
export const tokenCounts: Bench = {
  summary: 'token requests and secret reads: in bursts, and over a simulated day',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'token requests / secret reads of one container from its cold start on, exact, on a virtual clock',
  run: async ({ report }) => {
    const rows = askers.map(({ name }) => [name]);
    const ours: World['counts'][] = [];
    for (const [name, run] of situations) {
      report(name);
      for (const [index, candidate] of askers.entries())
        await withTrial(candidate, async (trial) => {
          const lost = failed(await run(trial));
          const { counts } = trial.world;
          if (index === 0) ours.push(counts);
          const text = `${counts.tokenRequests} / ${counts.secretReads}`;
          rows[index]?.push(lost === 0 ? text : `${text}, ${lost} calls failed`);
        });
    }
    const { tokenRequests = Number.NaN, secretReads = Number.NaN } = ours.at(-1) ?? {};
    return [
      {
        title: 'token requests / secret reads',
        table: [['', ...situations.map(([name]) => name)], ...rows],
        remarks: [
          ...bursts.map((count, index) =>
            compareExactly(`token requests, burst of ${count}`, 1, ours[index]?.tokenRequests ?? Number.NaN),
          ),
          // All random numbers are 0.5: R is 2880 s for a token of an hour. A secret is read again after 15 min.
          compareExactly('token requests of the day, ceil(time / R)', Math.ceil(minutesOfDay / 48), tokenRequests),
          compareWithTarget({ what: 'secret reads of the day, one per TTL', maximum: minutesOfDay / 15 }, secretReads),
        ],
      },
    ];
  },
};
