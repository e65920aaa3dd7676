import * as operations from '../../../lib/contract/operations.ts';
import { buildCandidates } from '../bundle.ts';
import { ours, alternative, type Candidate } from '../candidates.ts';
import { measureWarm, startContainer, type Placement } from '../measure-warm.ts';
import { ratioSection } from '../ratios.ts';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import { eventOf } from '../requests.ts';
import { startMeter, type Metered } from '../service/meter.ts';
import { eventCount, roundsText, type Bench, type Section } from '../settings.ts';
import type { Outside } from '../warm/outside.ts';
import type { Preparer } from './preparer.ts';
import { bytesOf, itemsOfTransaction, type RecordedCall, type RecordedItem } from './recorded.ts';

const maxima = { 'CPU us': 2 };

const event = eventOf(operations.refund, {
  path: { returnId: '{subject}' },
  body: { result: { status: 'succeeded', providerRef: 'psp-{count}' } },
});

/** Returns prepared ids in pieces, because the preparation of many takes minutes. */
const prepare = async (preparer: Remote<Preparer>, count: number, report: (progress: string) => void) => {
  const piece = 500;
  const ids: string[] = [];
  while (ids.length < count) {
    ids.push(...(await preparer.call('prepare', { count: Math.min(piece, count - ids.length) })));
    report(`${ids.length} of ${count} returns prepared`);
  }
  return ids;
};

/** A refund by our function: the items of its transaction, its consumption and its body. */
type Recorded = { readonly items: readonly RecordedItem[]; readonly metered: Metered; readonly body: string };

/** Records one refund by a candidate. */
const record = async (candidate: Candidate, returnId: string, placement: Placement): Promise<Recorded> => {
  const calls: RecordedCall[] = [];
  const meter = await startMeter(placement.environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', (operation, sent) =>
    calls.push({ operation, sent }),
  );
  try {
    const environment = { ...placement.environment, AWS_ENDPOINT_URL_DYNAMODB: meter.origin };
    await using container = await startContainer(candidate, { ...placement, environment }, [returnId]);
    const { statusCode, body } = await container.call('invoke', { event });
    if (statusCode !== 200) throw new Error(`${candidate.name} answered ${statusCode}: ${body}`);
    return { items: itemsOfTransaction(calls), metered: meter.take(), body };
  } finally {
    await meter.close();
  }
};

const bareOf = ({ items, body }: Recorded): Candidate => ({
  ...alternative('bare-transaction', 'refundReturn', 'bare'),
  environment: { BARE_ITEMS: JSON.stringify(items), BARE_ANSWER: body },
});

type Refunded = {
  readonly status: string;
  readonly refundStatus: string;
  readonly refunds: readonly { readonly status: string; readonly amount: object }[];
};

/** Ids and times differ, and the bare candidate repeats a recorded answer. */
const asRefunded = (body: unknown) => {
  const { status, refundStatus, refunds } = body as Refunded;
  return { status, refundStatus, refunds: refunds.map((refund) => [refund.status, refund.amount]) };
};

/** Returns the items and the calls of both candidates. */
const contentSection = (all: Readonly<Record<string, Recorded>>): Section => ({
  title: 'one refund',
  table: [
    ['', 'bytes of the items', 'WCU', 'RCU', 'calls'],
    ...Object.entries(all).map(([name, { items, metered }]) => [
      name,
      items.map(bytesOf).join(', '),
      String(metered.write),
      String(metered.read),
      Object.entries(metered.calls)
        .map(([call, count]) => `${count} ${call}`)
        .join(', '),
    ]),
  ],
  data: Object.fromEntries(Object.entries(all).map(([name, { metered }]) => [name, metered])),
});

/** Measures a refund with its result, and a transaction of the same items. */
export const refund: Bench = {
  summary: 'a refund with its result in one request, compared with a transaction of the same items',
  packages: ['@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 31, warmUp: 30, invocations: 30, seed: 1 },
  describe: (settings) =>
    `warm, each of a return of its own; bare: three reads, and a transaction of the same items\n${roundsText(settings)}; columns of ours and bare: medians`,
  run: async (settings, report) => {
    report('building');
    await buildCandidates();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    await using outside = startRemote<Outside>('warm/outside.ts', { environment: process.env, cpu: outsideCpu });
    const { standalone: environment } = await outside.call('start', null);
    const placement: Placement = { environment, cpu };
    await using preparer = startRemote<Preparer>('refund/preparer.ts', { environment, cpu });
    const own = ours('standalone', 'refund');
    const [first = '', ...subjects] = await prepare(preparer, eventCount(settings) + 2, report);
    const recorded = await record(own, first, placement);
    const bare = bareOf(recorded);
    const recordedBare = await record(bare, first, placement);
    report('measuring');
    const comparison = await measureWarm(
      {
        title: 'refund',
        event,
        subjects,
        status: 200,
        visible: asRefunded,
        candidates: [bare, own],
        metrics: ['CPU us', 'p50 us'],
      },
      placement,
      settings,
    );
    return [
      ratioSection('a refund with its result', [{ what: 'refund', comparison }], maxima),
      contentSection({ ours: recorded, bare: recordedBare }),
    ];
  },
};
