import { connectedPackages, connectedPeers } from '../candidates.ts';
import { addedMs, measureCold, withAndWithoutQuota, type ColdPlacement } from '../cold-start.ts';
import { startContainer } from '../measure-warm.ts';
import type { Distance, Outside } from '../outside.ts';
import { startAway } from '../remote.ts';
import { startsText, type Bench, type Section, type Settings } from '../settings.ts';
import type { ComparedTarget } from '../targets.ts';
import { oneWay } from '../world.ts';
import { event, floor, own, refresher, sharing } from './candidates.ts';

const { secretsManager, authUrl, serviceUrl } = oneWay;
const far = `over TLS, one way ${secretsManager} ms to Secrets Manager, ${authUrl} ms to the token endpoint, ${serviceUrl} ms to the API`;
const distances: readonly (readonly [Distance, string])[] = [
  ['near', 'near'],
  ['far', far],
];

const targets = [own, sharing].flatMap(({ name: candidate }): readonly ComparedTarget[] => {
  const [what, metric] = [`added cold start, ${candidate},`, addedMs];
  const peers = connectedPeers.map(({ name }) => name);
  return [
    { what: `${what} x the best peer`, metric, candidate, to: peers, maximum: 0.6, stretch: 0.5 },
    { what: `${what} x ${floor.name}`, metric, candidate, to: [floor.name], maximum: 0.85, stretch: 0.65 },
  ];
});

/** Runs once the schedule that stores a token for all containers, and measures all candidates. */
const measure = async (
  title: string,
  distance: Distance,
  quota: ColdPlacement['quota'],
  settings: Settings,
): Promise<Section> => {
  await using outside = startAway<Outside>('outside.ts');
  const placement = { environment: await outside.call('connected', distance), quota };
  await using container = await startContainer(refresher, placement);
  await container.call('invoke', '{}');
  await container[Symbol.asyncDispose]();
  const candidates = [floor, own, sharing, ...connectedPeers];
  return await measureCold({ title, candidates, nextEvent: () => event, targets }, placement, settings);
};

/** Measures the time from process start to first answer. */
export const tokenCold: Bench = {
  summary: 'cold start of the connected getReturn: near, over TLS with round trips, and on a CPU quota',
  packages: connectedPackages,
  defaults: { rounds: 15, warmUp: 1, invocations: 1, seed: 1 },
  describe: startsText,
  run: async (bed) =>
    withAndWithoutQuota(bed, async (shareText, quota) => {
      const sections: Section[] = [];
      for (const [distance, text] of distances) {
        const title = shareText === '' ? text : `${shareText}, ${text}`;
        bed.report(title);
        sections.push(await measure(title, distance, quota, bed.settings));
      }
      return sections;
    }),
};
