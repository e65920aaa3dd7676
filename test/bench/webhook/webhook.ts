import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { interleave, seeded } from '../interleave.ts';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import { comparisonSection } from '../report.ts';
import { roundsText, type Bench, type Section, type Settings } from '../settings.ts';
import { compare, quantile, type Sample } from '../statistics.ts';
import type { Host } from './host.ts';
import type { Outside } from './outside.ts';
import type { Sender } from './sender.ts';

/** The baseline is first. */
const candidates = [
  { name: 'shopify-api, SQS', candidate: 'alternative' },
  { name: 'shopify-api, DynamoDB, SQS', candidate: 'storing alternative' },
  { name: 'ours', candidate: 'ours' },
] as const;

/** The number of concurrent deliveries. */
const modes = [
  { title: 'one sender', atOnce: 1 },
  { title: 'eight senders', atOnce: 8 },
] as const;

type Listening = { readonly name: string; readonly origin: string; readonly host: Remote<Host> };

/** Every receiver must accept the signed delivery with an empty body, and refuse the changed one. */
const demandSame = async (sender: Remote<Sender>, { name, origin }: Listening): Promise<void> => {
  const { good, bent } = await sender.call('probe', { origin });
  if (good !== '200 of 0 bytes' || bent !== '401') throw new Error(`${name} answered ${good}, and ${bent} where bent`);
};

const measureRound = async (
  sender: Remote<Sender>,
  { origin, host }: Listening,
  load: { readonly deliveries: number; readonly atOnce: number },
): Promise<Sample> => {
  const before = await host.call('used', null);
  const milliseconds = await sender.call('send', { origin, ...load });
  const used = (await host.call('used', null)) - before;
  return {
    'p50 ms': quantile(milliseconds, 0.5),
    'p99 ms': quantile(milliseconds, 0.99),
    'CPU us': (used / load.deliveries) * 1e6,
  };
};

const measure = async (
  sender: Remote<Sender>,
  listening: readonly Listening[],
  settings: Settings,
): Promise<Section[]> => {
  const sections: Section[] = [];
  for (const { title, atOnce } of modes) {
    const load = { deliveries: settings.invocations, atOnce };
    const turns = listening.map((one) => ({ name: one.name, measure: async () => measureRound(sender, one, load) }));
    const measured = await interleave(turns, { ...settings, random: seeded(settings.seed) });
    sections.push(comparisonSection(compare(title, candidates[0].name, measured)));
  }
  return sections;
};

/** Measures the answer to a delivery of Shopify: verified, stored and enqueued, compared with a minimal receiver. */
export const webhook: Bench = {
  summary: 'answers to deliveries of Shopify, beside its own library and a queue, with one sender and with eight',
  packages: ['@shopify/shopify-api', '@aws-sdk/client-sqs', '@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 10, warmUp: 3, invocations: 200, seed: 1 },
  describe: roundsText,
  run: async (settings, report) => {
    report('building');
    await buildAndPackage();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    await using held = new AsyncDisposableStack();
    const away = { environment: process.env, cpu: outsideCpu };
    const outside = held.use(startRemote<Outside>('webhook/outside.ts', away));
    const sender = held.use(startRemote<Sender>('webhook/sender.ts', away));
    const environment = await outside.call('start', await sender.call('open', null));
    const listening: Listening[] = [];
    for (const { name, candidate } of candidates) {
      const host = held.use(startRemote<Host>('webhook/host.ts', { environment, cpu }));
      const one = { name, host, origin: await host.call('start', { candidate }) };
      await demandSame(sender, one);
      listening.push(one);
    }
    report('deliveries');
    return await measure(sender, listening, settings);
  },
};
