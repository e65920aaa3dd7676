import { connectedPackages } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareExactly, compareWithTarget } from '../targets.ts';
import { askers } from './candidates.ts';
import type { Outcome } from './simulation/container.ts';
import { failed, minute, withTrial, type Trial } from './trial.ts';

type Situation = { readonly name: string; readonly run: (trial: Trial) => Promise<readonly Outcome[]> };

const minutesOfDay = 24 * 60;

const bursts = [1, 50, 1_000].map(
  (count): Situation => ({
    name: `burst of ${count}`,
    run: (trial: Trial) => trial.burst(count, 0),
  }),
);
const day: Situation = {
  name: 'a day, a call a minute',
  run: async ({ calls }) => [...(await calls(1, 0)), ...(await calls(minutesOfDay - 1, minute))],
};

/** Counts the requests of each candidate in a situation, from its cold start on. */
const countIn = async ({ run }: Situation) => {
  const counted = [];
  for (const candidate of askers)
    counted.push(
      await withTrial(candidate, async (trial) => {
        const lost = failed(await run(trial));
        const { tokenRequests, secretReads } = trial.world.counts;
        const text = `${tokenRequests} / ${secretReads}${lost === 0 ? '' : `, ${lost} calls failed`}`;
        return { tokenRequests, secretReads, text };
      }),
    );
  return counted;
};

/** Counts the requests to the token endpoint and to Secrets Manager. */
export const tokenCounts: Bench = {
  summary: 'token requests and secret reads: in bursts, and over a simulated day',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'token requests / secret reads of one container from its cold start on, exact, on a virtual clock',
  run: async ({ report }) => {
    const columns: { readonly situation: Situation; readonly counted: Awaited<ReturnType<typeof countIn>> }[] = [];
    for (const situation of [...bursts, day]) {
      report(situation.name);
      columns.push({ situation, counted: await countIn(situation) });
    }
    const { tokenRequests = Number.NaN, secretReads = Number.NaN } = columns.at(-1)?.counted[0] ?? {};
    return [
      {
        title: 'token requests / secret reads',
        table: [
          ['', ...columns.map(({ situation }) => situation.name)],
          ...askers.map(({ name }, row) => [name, ...columns.map(({ counted }) => counted[row]?.text ?? '')]),
        ],
        remarks: [
          ...columns
            .slice(0, -1)
            .map(({ situation, counted }) =>
              compareExactly(`token requests, ${situation.name}`, 1, counted[0]?.tokenRequests ?? Number.NaN),
            ),
          // All random numbers are 0.5: R is 2880 s for a token of an hour. A secret is read again after 15 min.
          compareExactly('token requests of the day, ceil(time / R)', Math.ceil(minutesOfDay / 48), tokenRequests),
          compareWithTarget({ what: 'secret reads of the day, one per TTL', maximum: minutesOfDay / 15 }, secretReads),
        ],
      },
    ];
  },
};
