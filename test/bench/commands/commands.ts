import { isDeepStrictEqual } from 'node:util';
import { buildCandidates } from '../bundle.ts';
import { ours } from '../candidates.ts';
import type { Subject } from '../container.ts';
import { measureWarm, type Placement } from '../measure-warm.ts';
import { ratioSection, type Case } from '../ratios.ts';
import { startRemote, twoCpus, type Remote } from '../remote.ts';
import { eventCount, roundsText, type Bench, type Section, type Settings } from '../settings.ts';
import { compareWithTarget } from '../targets.ts';
import type { Outside } from '../warm/outside.ts';
import { asChanged, commandNames, eventOfCommand, type CommandName } from './measured.ts';
import type { Preparer } from './preparer.ts';
import { bareOf, record, type Recorded } from './record.ts';
import { bytesOf } from './recorded.ts';

const maxima = { 'CPU us': 2 };

/** The write units of each command before its CPU time had a target. Less CPU time must not cost more units. */
const maxWriteUnits: Readonly<Record<CommandName, number>> = {
  approve: 10,
  receive: 13,
  inspect: 13,
  refund: 17,
  complete: 12,
};

const writeUnitVerdict = ({ what, recorded }: Measured) =>
  compareWithTarget({ what: `${what}, WCU`, maximum: maxWriteUnits[what] }, recorded.ours.metered.write);

type Report = (progress: string) => void;

/** Requests the returns of a measurement in pieces, because the preparation of many takes minutes. */
export const requestReturns = async (
  preparer: Remote<Preparer>,
  settings: Settings,
  report: Report,
): Promise<readonly Subject[]> => {
  const piece = 500;
  // One return is recorded, and each container answers one event before its rounds.
  const count = eventCount(settings) + 2;
  const subjects: Subject[] = [];
  while (subjects.length < count) {
    subjects.push(...(await preparer.call('request', { count: Math.min(piece, count - subjects.length) })));
    report(`${subjects.length} of ${count} returns requested`);
  }
  return subjects;
};

/** A measured command, and one recorded command of each candidate. */
type Measured = Case & {
  readonly what: CommandName;
  readonly recorded: { readonly ours: Recorded; readonly bare: Recorded };
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
): Promise<Measured> => {
  const event = eventOfCommand(name);
  const own = ours('standalone', name);
  const recorded = await record(own, event, first, placement);
  const bare = bareOf(recorded);
  const recordedBare = await record(bare, event, first, placement);
  if (!isDeepStrictEqual(recorded.metered.calls, recordedBare.metered.calls))
    throw new Error(`${name} makes ${callsText(recorded)}, and bare ${callsText(recordedBare)}`);
  const comparison = await measureWarm(
    {
      title: name,
      event,
      subjects,
      status: 200,
      visible: asChanged,
      candidates: [bare, own],
      metrics: ['CPU us', 'p50 us'],
    },
    placement,
    settings,
  );
  const besides = {
    'WCU, ours': String(recorded.metered.write),
    'WCU, bare': String(recordedBare.metered.write),
    'RCU, ours': String(recorded.metered.read),
    'RCU, bare': String(recordedBare.metered.read),
  };
  return { what: name, comparison, besides, recorded: { ours: recorded, bare: recordedBare } };
};

const callsText = ({ metered: { calls } }: Recorded): string =>
  Object.entries(calls)
    .map(([call, count]) => `${count} ${call}`)
    .join(', ');

/** Returns the calls of a command, and the items that both candidates write. */
const contentSection = (all: readonly Measured[]): Section => ({
  title: 'calls of ours and of bare, and bytes of the items',
  table: [
    ['', 'calls', 'bytes of the items'],
    ...all.map(({ what, recorded }) => [what, callsText(recorded.ours), recorded.ours.items.map(bytesOf).join(', ')]),
  ],
  remarks: all.map((one) => writeUnitVerdict(one).text),
  data: Object.fromEntries(
    all.map(({ what, recorded }) => [what, { ours: recorded.ours.metered, bare: recorded.bare.metered }]),
  ),
});

/** Measures the commands that take a return from its request to its end. */
export const commands: Bench = {
  summary: 'approve, receive, inspect, refund and complete, compared with a transaction of the same items',
  packages: ['@aws-sdk/lib-dynamodb'],
  defaults: { rounds: 31, warmUp: 30, invocations: 30, seed: 1 },
  describe: (settings) =>
    `warm, each of a return of its own; bare: the same reads, and a transaction of the same items\n${roundsText(settings)}; columns of ours and bare: medians`,
  run: async (settings, report) => {
    report('building');
    await buildCandidates();
    const [cpu, outsideCpu] = twoCpus() ?? [];
    await using outside = startRemote<Outside>('warm/outside.ts', { environment: process.env, cpu: outsideCpu });
    const { standalone: environment } = await outside.call('start', null);
    const placement: Placement = { environment, cpu };
    await using preparer = startRemote<Preparer>('commands/preparer.ts', placement);
    const subjects = await requestReturns(preparer, settings, report);
    const measured: Measured[] = [];
    for (const name of commandNames) {
      report(name);
      if (name === 'complete') await preparer.call('closeReceipts', { subjects });
      measured.push(await measureCommand(name, subjects, placement, settings));
    }
    return [ratioSection('a command', measured, maxima), contentSection(measured)];
  },
};
