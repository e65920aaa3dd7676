import { isDeepStrictEqual } from 'node:util';
import { approve, complete, inspect, receive, refund } from '../../../lib/contract/operations.ts';
import { ours } from '../candidates.ts';
import type { Subject } from '../container.ts';
import type { Driver } from '../driver.ts';
import { measureWarm } from '../measure-warm.ts';
import type { Outside } from '../outside.ts';
import { startAway, startBeside, type Placement, type Remote } from '../remote.ts';
import { ratioSection, type Case } from '../report.ts';
import { eventOf } from '../requests.ts';
import { eventCount, roundsText, type Bed, type Bench, type Settings } from '../settings.ts';
import { bareOf, record } from './recorded.ts';

const unit = { lineId: '{subject.lineId}', quantity: 1 };

/** The measured commands, in the order in which a return gets them: each with its operation and its body. */
const measuredCommands = {
  approve: [approve, {}],
  receive: [receive, { lines: [unit] }],
  inspect: [inspect, { lines: [{ ...unit, outcome: 'accept', disposition: 'restock', deductionBps: 1_000 }] }],
  refund: [refund, { result: { status: 'succeeded', providerRef: 'psp-{count}' } }],
  complete: [complete, {}],
} as const;

type CommandName = keyof typeof measuredCommands;

type Changed = {
  readonly status: string;
  readonly refundStatus: string;
  readonly refunds: readonly { readonly status: string; readonly amount: object }[];
  readonly lines: readonly { readonly quantities: object }[];
};

/** Returns what is equal for all candidates. Ids and times differ, and the bare candidate repeats a recorded answer. */
const asChanged = (body: unknown) => {
  const { status, refundStatus, refunds, lines } = body as Changed;
  return {
    status,
    refundStatus,
    refunds: refunds.map((refund) => [refund.status, refund.amount]),
    lines: lines.map(({ quantities }) => quantities),
  };
};

/** Requests the returns of a measurement in pieces, because the preparation of many takes minutes. */
export const requestReturns = async (
  driver: Remote<Driver>,
  { settings, report }: Pick<Bed, 'settings' | 'report'>,
): Promise<readonly Subject[]> => {
  // One return is recorded, and each container answers one event before its rounds.
  const count = eventCount(settings) + 2;
  const subjects: Subject[] = [];
  while (subjects.length < count) {
    const requested = await driver.call('request', Math.min(500, count - subjects.length));
    // The units of the first line are received.
    subjects.push(...requested.map(({ returnId, lines }) => ({ returnId, lineId: lines[0]?.lineId ?? '' })));
    report(`${subjects.length} of ${count} returns requested`);
  }
  return subjects;
};

/**
 * Measures one command on each of the subjects. Ours takes all of them to the next status. The items of bare are in the
 * indexes too, all with the id of the recorded return.
 */
export const measureCommand = async (
  name: CommandName,
  [first = {}, ...subjects]: readonly Subject[],
  placement: Placement,
  settings: Settings,
): Promise<Case> => {
  const [operation, body] = measuredCommands[name];
  const event = eventOf(operation, { path: { returnId: '{subject.returnId}' }, body });
  const own = ours('standalone', name);
  const recorded = await record(own, event, first, placement);
  const bare = bareOf(recorded);
  const { metered } = await record(bare, event, first, placement);
  if (!isDeepStrictEqual(recorded.metered.calls, metered.calls))
    throw new Error(`${name} makes ${JSON.stringify([recorded.metered.calls, metered.calls])} calls: ours, bare`);
  const scenario = { title: name, event, subjects, visible: asChanged, metrics: ['CPU us', 'p50 us'] };
  const comparison = await measureWarm({ ...scenario, candidates: [bare, own] }, placement, settings);
  const besides = {
    'WCU, ours': String(recorded.metered.write),
    'WCU, bare': String(metered.write),
    'RCU, ours': String(recorded.metered.read),
    'RCU, bare': String(metered.read),
  };
  return { what: name, comparison, besides };
};

/** Measures the commands that take a return from its request to its end. */
export const commands: Bench = {
  summary: 'approve, receive, inspect, refund and complete, compared with a transaction of the same items',
  packages: ['@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 31, warmUp: 30, invocations: 30, seed: 1 },
  describe: (settings) =>
    `warm, each of a return of its own; bare: the same reads, and a transaction of the same items\n${roundsText(settings)}; columns of ours and bare: medians`,
  run: async ({ settings, report, held }) => {
    const outside = held.use(startAway<Outside>('outside.ts'));
    const placement: Placement = { environment: (await outside.call('deployed', {})).standalone };
    const driver = held.use(startBeside<Driver>('driver.ts', placement));
    const subjects = await requestReturns(driver, { settings, report });
    const measured: Case[] = [];
    for (const name of Object.keys(measuredCommands) as CommandName[]) {
      report(name);
      // The units that have not been received are missing: a return with outstanding units cannot be completed.
      if (name === 'complete')
        for (const { returnId = '' } of subjects)
          await driver.call('invoke', { operation: 'closeReceipt', path: { returnId }, body: {} });
      measured.push(await measureCommand(name, subjects, placement, settings));
    }
    return [ratioSection('a command', measured, { 'CPU us': 2 })];
  },
};
