import { eventPartitionCount } from '../../../lib/store/events/event-partitions.ts';
import { streamsOfRow } from '../../../lib/service/outbox/publish-streams.ts';
import { commandUnits } from '../../support/command-units.ts';
import { assumptions, capacityOf, limits, loads, type Capacity, type Load } from './model.ts';

/* The page test/bench/capacity.md. A test compares it with the model, and `npm run cost -- --computed` writes it. */

const number = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0, useGrouping: true });

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const rows: readonly (readonly [string, (load: Load, capacity: Capacity) => string])[] = [
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

/** Returns the page in Markdown. */
export const capacityPage = (): string => {
  const columns = loads.map((load) => ({ load, capacity: capacityOf(load) }));
  return `# Capacity of the event log

This page is for engineers who expect more than 1,000 events a second. Afterwards, you can choose the settings of
\`publishEvents\`, and you know the write units that the table needs.

\`npm run cost -- --computed\` computes it from the settings of the code. Nothing was measured on AWS.

- A command takes at most ${commandUnits.write} write units, as
  [capacity.test.ts](../store/capacity.test.ts) limits. Each event belongs to another return.
- The log has ${eventPartitionCount} partitions. One transaction writes an end offset, a row, and a mark for each return.
- A publisher needs ${assumptions.moveSeconds * 1_000} ms from the read of an end offset to its move. The share of moves
  that meet another one is 1 - e^(-${assumptions.moveSeconds} s x moves a second).
- A partition of the table takes ${number(limits.writeUnitsOfPartition)} write units a second, and has one shard of the stream.

${[
  row(['events a second', ...columns.map(({ load }) => number(load.events))]),
  row(['---', ...columns.map(() => '---:')]),
  ...rows.map(([name, cell]) => row([name, ...columns.map(({ load, capacity }) => cell(load, capacity))])),
].join('\n')}

The first two columns have the deployed settings.
`;
};
