import { compareInTurns } from '../interleave.ts';
import type { Environment, Outside } from '../outside.ts';
import { startAway, startBeside, type Remote } from '../remote.ts';
import { comparisonSection } from '../report.ts';
import { roundsText, type Bench, type Section, type Settings } from '../settings.ts';
import { quantile, type Comparison, type Sample } from '../statistics.ts';
import type { Host } from './host.ts';
import type { ShopProcess } from './shop.ts';

/** The baseline is first. */
const candidates = [
  { name: 'shopify-api, SQS', receiving: 'alternative' },
  { name: 'shopify-api, DynamoDB, SQS', receiving: 'storing alternative' },
  { name: 'ours', receiving: 'ours' },
] as const;

/** The receivers of the guard: a peer that stores what it receives, and ours. */
export const guarded = candidates.slice(1);

/** Starts a shop, and what receivers of its deliveries call, until `held` is disposed. */
export const openShop = async (held: AsyncDisposableStack) => {
  const shop = held.use(startAway<ShopProcess>('webhook/shop.ts'));
  const outside = held.use(startAway<Outside>('outside.ts'));
  const { standalone } = await outside.call('deployed', { shop: await shop.call('open') });
  return { shop, environment: standalone };
};

type Listening = { readonly name: string; readonly origin: string; readonly host: Remote<Host> };

/** Every receiver must accept the signed delivery with an empty body, and reject the changed one. */
const demandSame = async (shop: Remote<ShopProcess>, { name, origin }: Listening): Promise<void> => {
  const { good, bent } = await shop.call('probe', origin);
  if (good !== '200 of 0 bytes' || bent !== '401') throw new Error(`${name} answered ${good}, and ${bent} where bent`);
};

type Receivers = { readonly shop: Remote<ShopProcess>; readonly listening: readonly Listening[] };

/** Starts these receivers, and what they call, until `held` is disposed. */
export const startReceivers = async (
  held: AsyncDisposableStack,
  chosen: readonly (typeof candidates)[number][] = candidates,
  flags: readonly string[] = [],
): Promise<Receivers> => {
  const { shop, environment }: { shop: Remote<ShopProcess>; environment: Environment } = await openShop(held);
  const listening: Listening[] = [];
  for (const { name, receiving } of chosen) {
    const host = held.use(startBeside<Host>('webhook/host.ts', { environment, flags }));
    const one = { name, host, origin: await host.call('start', receiving) };
    await demandSame(shop, one);
    listening.push(one);
  }
  return { shop, listening };
};

/** Measures receivers in turns, with this number of concurrent deliveries. The first receiver is the baseline. */
export const measureReceivers = async (
  { shop, listening }: Receivers,
  { title, atOnce }: { readonly title: string; readonly atOnce: number },
  settings: Settings,
): Promise<Comparison> => {
  const { invocations: deliveries } = settings;
  const measure = async ({ origin, host }: Listening): Promise<Sample> => {
    const before = await host.call('used');
    const milliseconds = await shop.call('send', { origin, deliveries, atOnce });
    const after = await host.call('used');
    return {
      'p50 ms': quantile(milliseconds, 0.5),
      'p99 ms': quantile(milliseconds, 0.99),
      'CPU us': (after.cpu - before.cpu) / deliveries,
      'thread us': (after.thread - before.thread) / deliveries,
    };
  };
  const turns = listening.map((one) => ({ name: one.name, measure: async () => measure(one) }));
  return compareInTurns(title, turns, settings, ['p50 ms', 'p99 ms', 'CPU us']);
};

/** Measures the answer to a delivery of Shopify: verified, stored and enqueued, compared with a minimal receiver. */
export const webhook: Bench = {
  summary: 'answers to deliveries of Shopify, beside its own library and a queue, with one sender and with eight',
  packages: ['@shopify/shopify-api', '@aws-sdk/client-sqs', '@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 10, warmUp: 3, invocations: 200, seed: 1 },
  describe: roundsText,
  run: async ({ settings, held }) => {
    const receivers = await startReceivers(held);
    const sections: Section[] = [];
    for (const load of [
      { title: 'one sender', atOnce: 1 },
      { title: 'eight senders', atOnce: 8 },
    ])
      sections.push(comparisonSection(await measureReceivers(receivers, load, settings)));
    return sections;
  },
};
