import { eventPartitionCount } from '../../../lib/store/events/event-partitions.ts';
import { streamsOfRow } from '../../../lib/service/outbox/publish-streams.ts';
import { commandUnits } from '../../support/command-units.ts';
import { assumptions, capacityOf, limits, loads, type Capacity, type Load } from './model.ts';

/* The table of test/bench/capacity.md. A test compares it with the model; `npm run cost -- --computed` writes it. */

const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0, useGrouping: true });

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const rows: readonly (readonly [string, (load: Load, capacity: Capacity) => string])[] = [
  ['write units of a command, at most', () => number(commandUnits.write)],
  ['partitions of the log', () => number(eventPartitionCount)],
  ['ms from the read of an end offset to its move', () => number(assumptions.moveSeconds * 1_000)],
  ['window of a batch, s', ({ windowSeconds }) => number(windowSeconds)],
  ['maximum of a batch, events', ({ batchSize }) => number(batchSize)],
  ['partitions of the table, shards, publishers', (_, { partitions }) => number(partitions)],
  ['write units of commands a second', ({ events }) => number(events * commandUnits.write)],
  ['write units of the log, an event', (_, { logUnits }) => number(logUnits)],
  ['**write units a second**', (_, { units }) => `**${number(units)}**`],
  ['events of a batch', (_, { batch }) => number(batch)],
  ['log partitions that a batch touches', (_, { touched }) => number(touched)],
  [`events of a transaction, at most ${streamsOfRow}`, (_, { together }) => number(together)],
  ['moves of an end offset a second', (_, { moves }) => number(moves)],
  ['of these repeated', (_, { repeated }) => percent(repeated)],
  [
    `write units a second of an end offset and its row, at most ${number(limits.writeUnitsOfPartition)}`,
    (_, { keyUnits }) => number(keyUnits),
  ],
  ['events are later by, s on average', ({ windowSeconds }) => number(windowSeconds / 2)],
  ['**it holds**', (_, { holds }) => (holds ? '**yes**' : '**no**: the end offsets move too often')],
];

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Returns the table in Markdown. */
export const capacityTable = (): string => {
  const columns = loads.map((load) => ({ load, capacity: capacityOf(load) }));
  return [
    row(['events a second', ...columns.map(({ load }) => number(load.events))]),
    row(['---', ...columns.map(() => '---:')]),
    ...rows.map(([name, cell]) => row([name, ...columns.map(({ load, capacity }) => cell(load, capacity))])),
  ].join('\n');
};
