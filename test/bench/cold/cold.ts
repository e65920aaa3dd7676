import { basename, dirname } from 'node:path';
import { weightOf } from '../../../lib/tools/build/weight.ts';
import * as operations from '../../../lib/contract/operations.ts';
import { alternative, ours, slimAlternative, type Candidate } from '../candidates.ts';
import { addedCpu, addedMs, measureCold, withAndWithoutQuota, type ColdScenario } from '../cold-start.ts';
import type { Driver } from '../driver.ts';
import { startBeside, type Remote } from '../remote.ts';
import { eventOf } from '../requests.ts';
import { startsText, type Bench, type Section } from '../settings.ts';
import { kilobytes } from '../token/size.ts';
import type { ShopProcess } from '../webhook/shop.ts';
import { openShop } from '../webhook/webhook.ts';
import type { Preparer } from './preparer.ts';

/*
 * Each start of `approve`, `process` and `receiveWebhook` uses up one prepared event. After `process`, all of its
 * deliveries must be returns. The functions for webhooks are compared with bundles of one platform, to decide about
 * lazy platforms. A table with `import()` made the starts slower: esbuild then also wraps the packages that the platforms
 * share, and retains both halves of each platform.
 */

const peer = 'Powertools, ElectroDB';
const shopifyOnly = 'only Shopify';

const standalone = (operation: string, place: string): readonly Candidate[] => [
  slimAlternative('bare', `bare-item/${place}`),
  ours('standalone', operation),
  alternative(peer, `powertools-electrodb/${place}`),
];
const platform = (name: string, place: string): readonly Candidate[] => [
  slimAlternative(shopifyOnly, `one-platform/${place}`),
  ours('standalone', name),
];

const candidates = {
  getReturn: standalone('getReturn', 'get-return'),
  approve: standalone('approve', 'approve-return'),
  process: platform('process', 'process'),
  receiveWebhook: platform('receiveWebhook', 'receive-webhook'),
};

type Approved = {
  readonly status: string;
  readonly lines: readonly { readonly orderLineId: string; readonly quantities: Readonly<Record<string, number>> }[];
};

/** Each start approves a return of its own. */
const asApproved = (body: unknown) => {
  const { status, lines } = body as Approved;
  return { status, lines: lines.map(({ orderLineId, quantities }) => [orderLineId, quantities['approved']]) };
};

/** Gives each start the next one of the prepared texts. */
const takeTurns = (texts: readonly string[]) => {
  const rest = [...texts];
  return (): string => {
    const next = rest.shift();
    if (next === undefined) throw new Error('no prepared event is left');
    return next;
  };
};

const beside = (name: string, maximum: number) =>
  [addedMs, addedCpu].map((metric) => ({ what: `${metric}, ours x ${name}`, metric, to: [name], maximum }));

type Processes = {
  readonly driver: Remote<Driver>;
  readonly preparer: Remote<Preparer>;
  readonly shop: Remote<ShopProcess>;
};

/** Requests returns, stores each for the alternatives too, and returns their ids. */
const prepareReturns = async ({ driver, preparer }: Processes, count: number): Promise<string[]> => {
  const subjects = await driver.call('request', count);
  for (const { returnId } of subjects)
    await preparer.call('store', await driver.call('invoke', { operation: 'getReturn', path: { returnId } }));
  return subjects.map(({ returnId }) => returnId);
};

/** Prepares the events of all starts under one share of a CPU. */
const scenariosOf = async (processes: Processes, starts: number): Promise<readonly ColdScenario[]> => {
  const { preparer, shop } = processes;
  const [known = '', ...requested] = await prepareReturns(processes, 1 + 3 * starts);
  const deliveries = await shop.call('deliveries', 4 * starts);
  const messages = await preparer.call('messages', deliveries.slice(0, 2 * starts));
  const reading = eventOf(operations.getReturn, { path: { returnId: known } });
  const approvals = requested.map((returnId) =>
    eventOf(operations.approve, { path: { returnId }, body: {} }).replaceAll('{count}', returnId),
  );
  return [
    {
      title: 'getReturn',
      candidates: candidates.getReturn,
      nextEvent: () => reading,
      targets: beside(peer, 0.6),
    },
    {
      title: 'approve',
      candidates: candidates.approve,
      nextEvent: takeTurns(approvals),
      visible: asApproved,
      targets: beside(peer, 0.6),
    },
    {
      title: 'process, a delivery of Shopify',
      candidates: candidates.process,
      nextEvent: takeTurns(messages),
      after: () => preparer.call('demandDone', messages),
      targets: beside(shopifyOnly, 1.2),
    },
    {
      title: 'receiveWebhook, a delivery of Shopify',
      candidates: candidates.receiveWebhook,
      nextEvent: takeTurns(deliveries.slice(2 * starts)),
      targets: beside(shopifyOnly, 1.2),
    },
  ];
};

/** Returns the bytes of the bundles: minified, and gzip -9. */
const sizeSection = (): Section => ({
  title: 'bytes of the bundles, kB',
  table: [
    ['', 'minified', 'gzip'],
    ...Object.values(candidates)
      .flat()
      .map(({ name, file }) => {
        const { minified, gzipped } = weightOf(dirname(file));
        return [`${basename(dirname(file))}, ${name}`, kilobytes(minified), kilobytes(gzipped)];
      }),
  ],
});

/** Measures the first answers of the standalone mode and of the functions for webhooks. */
export const cold: Bench = {
  summary: 'cold starts of the standalone mode and of the functions for webhooks: near, and on a CPU quota',
  packages: [
    '@aws-sdk/lib-dynamodb',
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
    '@aws-lambda-powertools/parser',
    '@middy/core',
    'zod',
    'electrodb',
  ],
  defaults: { rounds: 21, warmUp: 1, invocations: 1, seed: 1 },
  describe: startsText,
  run: async (bed) => {
    const { settings, report, held } = bed;
    const { shop, environment } = await openShop(held);
    const driver = held.use(startBeside<Driver>('driver.ts', { environment }));
    const preparer = held.use(startBeside<Preparer>('cold/preparer.ts', { environment }));
    const measured = await withAndWithoutQuota(bed, async (shareText, quota) => {
      const place = shareText === '' ? 'near' : shareText;
      report(place);
      const sections: Section[] = [];
      for (const scenario of await scenariosOf({ driver, preparer, shop }, settings.rounds + settings.warmUp)) {
        const title = `${scenario.title}, ${place}`;
        sections.push(await measureCold({ ...scenario, title }, { environment, quota }, settings));
      }
      return sections;
    });
    return [sizeSection(), ...measured];
  },
};
