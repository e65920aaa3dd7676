import { compareInTurns } from '../interleave.ts';
import { comparisonSection } from '../report.ts';
import { sameAnswers } from '../same-answer.ts';
import { roundsText, type Bench } from '../settings.ts';
import type { Sample } from '../statistics.ts';
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
  unbuilt: true,
  describe: (settings) =>
    `one line, fifty rules, CPU time of a decision in this process; ours with its whole trace and its windows counted, the others with the rules that hold and the windows given\n${roundsText(settings)}`,
  run: async ({ settings }) => {
    const requests = requestsFrom(settings.seed, 400);
    const check = sameAnswers();
    const turns = [];
    for (const [name, prepare] of Object.entries(candidates)) {
      const decide = prepare();
      check(name, await Promise.all(requests.map(async (request) => decide(request))));
      turns.push({ name, measure: async () => measure(decide, requests, settings.invocations) });
    }
    const metric = 'CPU us';
    return [
      comparisonSection(await compareInTurns('a decision', turns, settings), [
        { what: 'CPU / json-rules-engine', metric, to: ['json-rules-engine'], maximum: 1 / 20 },
        { what: 'CPU / json-logic-engine, compiled', metric, to: ['json-logic-engine'], maximum: 4 },
      ]),
    ];
  },
};
