import { buildCandidates } from '../bundle.ts';
import { connectedPackages, type Candidate } from '../candidates.ts';
import type { Bench } from '../settings.ts';
import { compareWithTarget, compareExactly } from '../targets.ts';
import type { Counts } from '../world.ts';
import { own, alternatives } from './candidates.ts';
import { failed, minute, withTrial, type Trial } from './trial.ts';

type Counted = Pick<Counts, 'tokenRequests' | 'secretReads'> & { readonly failed: number };

const burst = (count: number) => (trial: Trial) => trial.burst(count, 0);

const minutesOfDay = 24 * 60;

const day = async ({ calls }: Trial) => [...(await calls(1, 0)), ...(await calls(minutesOfDay - 1, minute))];

/** The counted situations. */
export const situations = {
  'burst of 1': burst(1),
  'burst of 50': burst(50),
  'burst of 1000': burst(1_000),
  'a day, a call a minute': day,
} satisfies Record<string, (trial: Trial) => Promise<unknown>>;

export type Situation = keyof typeof situations;

const names = Object.keys(situations) as readonly Situation[];

/** Counts the requests of a candidate from its cold start on. */
export const count = (candidate: Candidate, situation: Situation): Promise<Counted> =>
  withTrial(candidate, async (trial) => {
    const outcomes = await situations[situation](trial);
    const { tokenRequests, secretReads } = trial.world.counts;
    return { tokenRequests, secretReads, failed: failed(outcomes) };
  });

/**
 * The expected counts of ours, with all random numbers 0.5.
 * R is 2880 s for a token of an hour, and a secret is read again after 15 min.
 */
export const expectedOfDay = {
  tokenRequests: Math.ceil(minutesOfDay / 48),
  secretReads: Math.ceil(minutesOfDay / 15),
};

const cell = (counted: Counted): string => {
  const text = `${counted.tokenRequests} / ${counted.secretReads}`;
  return counted.failed === 0 ? text : `${text}, ${counted.failed} calls failed`;
};

const verdictsOn = (counted: ReadonlyMap<string, Counted>) => {
  const of = (situation: Situation, what: 'tokenRequests' | 'secretReads') =>
    counted.get(`${own.name} ${situation}`)?.[what] ?? Number.NaN;
  return [
    ...names
      .filter((situation) => situation.startsWith('burst'))
      .map((situation) => compareExactly(`token requests, ${situation}`, 1, of(situation, 'tokenRequests'))),
    compareExactly(
      'token requests of the day, ceil(time / R)',
      expectedOfDay.tokenRequests,
      of('a day, a call a minute', 'tokenRequests'),
    ),
    compareWithTarget(
      { what: 'secret reads of the day, one per TTL', maximum: expectedOfDay.secretReads },
      of('a day, a call a minute', 'secretReads'),
    ),
  ];
};

/** Counts the requests to the token endpoint and to Secrets Manager. */
export const tokenCounts: Bench = {
  summary: 'token requests and secret reads: in bursts, and over a simulated day',
  packages: connectedPackages,
  defaults: { rounds: 1, warmUp: 0, invocations: 0, seed: 1 },
  describe: () => 'token requests / secret reads of one container from its cold start on, exact, on a virtual clock',
  run: async (_, report) => {
    report('building');
    await buildCandidates();
    const candidates = [own, ...alternatives];
    const counted = new Map<string, Counted>();
    for (const situation of names) {
      report(situation);
      for (const candidate of candidates)
        counted.set(`${candidate.name} ${situation}`, await count(candidate, situation));
    }
    const verdicts = verdictsOn(counted);
    const rows = candidates.map(({ name }) => [
      name,
      ...names.map((situation) => {
        const found = counted.get(`${name} ${situation}`);
        return found === undefined ? '' : cell(found);
      }),
    ]);
    return [
      {
        title: 'token requests / secret reads',
        table: [['', ...names], ...rows],
        remarks: verdicts.map(({ text }) => text),
        data: { counted: Object.fromEntries(counted), verdicts },
      },
    ];
  },
};
