import { interleave, seeded } from '../interleave.ts';
import { comparisonSection } from '../report.ts';
import { roundsText, type Bench } from '../settings.ts';
import { compare, type Sample } from '../statistics.ts';
import { compareWithTarget, ratioTo } from '../targets.ts';
import { candidates, type Decide } from './candidates.ts';
import { requestsFrom, type BenchRequest } from './requests.ts';

const measure = async (decide: Decide, requests: readonly BenchRequest[], invocations: number): Promise<Sample> => {
  const before = process.cpuUsage();
  for (let count = 0; count < invocations; count += 1) {
    const request = requests[count % requests.length];
    if (request === undefined) break;
    const verdict = decide(request);
    if (typeof verdict !== 'string') await verdict;
  }
  const { user, system } = process.cpuUsage(before);
  return { 'CPU us': (user + system) / invocations };
};

/** Measures the decision on one line by fifty rules. */
export const policy: Bench = {
  summary: 'a decision by fifty rules',
  packages: ['json-rules-engine', 'json-logic-engine'],
  defaults: { rounds: 15, warmUp: 3, invocations: 800, seed: 1 },
  describe: (settings) =>
    `one line, fifty rules, CPU time of a decision in this process; ours with its whole trace and its windows counted, the others with the rules that hold and the windows given\n${roundsText(settings)}`,
  run: async ({ rounds, warmUp, invocations, seed }, report) => {
    report('deciding');
    const requests = requestsFrom(seed, 400);
    const measured = await interleave(
      Object.entries(candidates).map(([name, ready]) => {
        const decide = ready();
        return { name, measure: () => measure(decide, requests, invocations) };
      }),
      { rounds, warmUp, random: seeded(seed) },
    );
    const comparison = compare('a decision', 'ours', measured);
    const ratio = (alternative: string) => ratioTo(comparison, 'CPU us', [alternative]);
    return [
      comparisonSection(comparison, [
        compareWithTarget({ what: 'CPU / json-rules-engine', maximum: 1 / 20 }, ratio('json-rules-engine')),
        compareWithTarget({ what: 'CPU / json-logic-engine, compiled', maximum: 4 }, ratio('json-logic-engine')),
      ]),
    ];
  },
};
