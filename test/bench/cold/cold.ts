import * as operations from '../../../lib/contract/operations.ts';
import { buildCandidates, buildSlim } from '../bundle.ts';
import { alternative, ours, slimAlternative, type Candidate } from '../candidates.ts';
import {
  addedCpu,
  addedMs,
  measureCold,
  share,
  visibleIn,
  type ColdPlacement,
  type ColdScenario,
} from '../cold-start.ts';
import { cpuQuota } from '../cpu-quota.ts';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import { eventOf } from '../requests.ts';
import type { Bench, Section, Settings } from '../settings.ts';
import { compareWithTarget, ratioTo } from '../targets.ts';
import type { Comparison } from '../statistics.ts';
import type { Outside } from '../webhook/outside.ts';
import type { Preparer } from './preparer.ts';
import type { ColdShop } from './shop.ts';
import { sizeSection } from './sizes.ts';

/*
 * Each start of `approve`, `process` and `receiveWebhook` uses up one prepared event. After `process`, all of its
 * deliveries must be returns. The functions for webhooks are compared with bundles of one platform, to decide about
 * lazy platforms. A table with `import()` made the starts slower: esbuild then also wraps the packages that the platforms
 * share, and retains both halves of each platform.
 */

const bare = (operation: string): Candidate => slimAlternative('bare-item', operation, 'bare');
const peer = (operation: string): Candidate => alternative('powertools-electrodb', operation, 'Powertools, ElectroDB');
const onlyShopify = (name: string): Candidate => slimAlternative('one-platform', name, 'only Shopify');

const read = { ours: ours('standalone', 'getReturn'), bare: bare('getReturn'), peer: peer('getReturn') };
const command = { ours: ours('standalone', 'approve'), bare: bare('approveReturn'), peer: peer('approveReturn') };
const processing = { ours: ours('standalone', 'process'), bare: onlyShopify('process') };
const receiving = { ours: ours('standalone', 'receiveWebhook'), bare: onlyShopify('receiveWebhook') };

type Approved = {
  readonly status: string;
  readonly lines: readonly { readonly orderLineId: string; readonly quantities: Readonly<Record<string, number>> }[];
};

/** Each start approves a return of its own. */
const asApproved = (body: unknown) => {
  const { status, lines } = body as Approved;
  return { status, lines: lines.map(({ orderLineId, quantities }) => [orderLineId, quantities['approved']]) };
};

/** Returns an event as API Gateway sends it to a route without scopes of its own. The parser of the peer demands them. */
const withScopes = (event: string): string => event.replace('"jwt":{', '"jwt":{"scopes":null,');

/** Gives each start the next one of the prepared texts. */
const takeTurns = (texts: readonly string[]) => {
  const rest = texts[Symbol.iterator]();
  return (): string => {
    const { value, done } = rest.next();
    if (done === true) throw new Error('no prepared event is left');
    return value;
  };
};

const beside = (one: Candidate, what: string, maximum: number) => (comparison: Comparison) =>
  [addedMs, addedCpu].map((metric) =>
    compareWithTarget({ what: `${metric}, ours x ${what}`, maximum }, ratioTo(comparison, metric, [one.name])),
  );

type Prepared = { readonly preparer: Remote<Preparer>; readonly shop: Remote<ColdShop> };

/** Prepares the events of all starts under one share of a CPU. */
const scenariosOf = async ({ preparer, shop }: Prepared, starts: number): Promise<readonly ColdScenario[]> => {
  const [known = '', ...requested] = await preparer.call('returns', { count: 1 + 3 * starts });
  const deliveries = await shop.call('deliveries', { count: 4 * starts });
  const messages = await preparer.call('messages', { deliveries: deliveries.slice(0, 2 * starts) });
  const reading = withScopes(eventOf(operations.getReturn, { path: { returnId: known } }));
  const approvals = requested.map((returnId) =>
    withScopes(eventOf(operations.approve, { path: { returnId }, body: {} })).replaceAll('{count}', returnId),
  );
  return [
    {
      title: 'getReturn',
      candidates: [read.bare, read.ours, read.peer],
      nextEvent: () => reading,
      visible: visibleIn(200, (body) => body),
      verdictsOn: beside(read.peer, read.peer.name, 0.6),
    },
    {
      title: 'approve',
      candidates: [command.bare, command.ours, command.peer],
      nextEvent: takeTurns(approvals),
      visible: visibleIn(200, asApproved),
      verdictsOn: beside(command.peer, command.peer.name, 0.6),
    },
    {
      title: 'process, a delivery of Shopify',
      candidates: [processing.bare, processing.ours],
      nextEvent: takeTurns(messages),
      visible: (answer) => answer,
      after: () => preparer.call('demandDone', { messages }),
      verdictsOn: beside(processing.bare, processing.bare.name, 1.2),
    },
    {
      title: 'receiveWebhook, a delivery of Shopify',
      candidates: [receiving.bare, receiving.ours],
      nextEvent: takeTurns(deliveries.slice(2 * starts)),
      visible: visibleIn(200, (body) => body),
      verdictsOn: beside(receiving.bare, receiving.bare.name, 1.2),
    },
  ];
};

const measureAll = async (
  title: string,
  prepared: Prepared,
  placement: ColdPlacement,
  settings: Settings,
): Promise<readonly Section[]> => {
  const sections: Section[] = [];
  for (const scenario of await scenariosOf(prepared, settings.rounds + settings.warmUp))
    sections.push(await measureCold({ ...scenario, title: `${scenario.title}, ${title}` }, placement, settings));
  return sections;
};

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
  describe: ({ rounds, warmUp, seed }) =>
    `process start to first answer, ${rounds} starts each after ${warmUp} that do not count, seed ${seed}: median [quartiles]`,
  run: async (settings, report) => {
    report('building');
    await buildCandidates();
    await buildSlim();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    const away = { environment: process.env, cpu: outsideCpu };
    await using held = new AsyncDisposableStack();
    const outside = held.use(startRemote<Outside>('webhook/outside.ts', away));
    const shop = held.use(startRemote<ColdShop>('cold/shop.ts', away));
    const environment = await outside.call('start', await shop.call('open', null));
    const preparer = held.use(startRemote<Preparer>('cold/preparer.ts', { environment, cpu }));
    const prepared = { preparer, shop };
    const sections = [sizeSection([read, command, processing, receiving])];
    report('near');
    sections.push(...(await measureAll('near', prepared, { environment, cpu }, settings)));
    using quota = cpuQuota(share);
    if (quota === undefined) report(`no cgroup can be made here: left out are starts on ${share} of a CPU`);
    else {
      const title = `${share} of a CPU (${quota.means})`;
      report(title);
      sections.push(...(await measureAll(title, prepared, { environment, cpu, quota }, settings)));
    }
    return sections;
  },
};
