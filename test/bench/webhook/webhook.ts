import { buildAndPackage } from '../../../lib/local/bundles.ts';
import { interleave, seeded } from '../interleave.ts';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import { comparisonSection } from '../report.ts';
import { roundsText, type Bench, type Section, type Settings } from '../settings.ts';
import { compare, quantile, type Comparison, type Sample } from '../statistics.ts';
import type { Host } from './host.ts';
import type { Outside } from './outside.ts';
import type { Sender } from './sender.ts';

/** The baseline is first. */
export const candidates = [
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
  const after = await host.call('used', null);
  return {
    'p50 ms': quantile(milliseconds, 0.5),
    'p99 ms': quantile(milliseconds, 0.99),
    'CPU us': (after.cpu - before.cpu) / load.deliveries,
    'thread us': (after.thread - before.thread) / load.deliveries,
  };
};

type Receivers = { readonly sender: Remote<Sender>; readonly listening: readonly Listening[] };

/** Starts these receivers, and what they and the sender need, until `held` is disposed. */
export const startReceivers = async (
  held: AsyncDisposableStack,
  chosen: readonly (typeof candidates)[number][] = candidates,
  flags: readonly string[] = [],
): Promise<Receivers> => {
  const [cpu, outsideCpu] = twoCpus() ?? [];
  const away = { environment: process.env, cpu: outsideCpu };
  const outside = held.use(startRemote<Outside>('webhook/outside.ts', away));
  const sender = held.use(startRemote<Sender>('webhook/sender.ts', away));
  const environment = await outside.call('start', await sender.call('open', null));
  const listening: Listening[] = [];
  for (const { name, candidate } of chosen) {
    const host = held.use(startRemote<Host>('webhook/host.ts', { environment, cpu, flags }));
    const one = { name, host, origin: await host.call('start', { candidate }) };
    await demandSame(sender, one);
    listening.push(one);
  }
  return { sender, listening };
};

/** Measures receivers in turns. The first one is the baseline. */
export const measureReceivers = async (
  { sender, listening }: Receivers,
  { title, atOnce }: { readonly title: string; readonly atOnce: number },
  settings: Settings,
): Promise<Comparison> => {
  const load = { deliveries: settings.invocations, atOnce };
  const turns = listening.map((one) => ({ name: one.name, measure: async () => measureRound(sender, one, load) }));
  const measured = await interleave(turns, { ...settings, random: seeded(settings.seed) });
  return compare(title, listening[0]?.name ?? '', measured, ['p50 ms', 'p99 ms', 'CPU us']);
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
    await using held = new AsyncDisposableStack();
    const receivers = await startReceivers(held);
    report('deliveries');
    const sections: Section[] = [];
    for (const mode of modes) sections.push(comparisonSection(await measureReceivers(receivers, mode, settings)));
    return sections;
  },
};
