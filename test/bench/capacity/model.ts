import { consumerRows } from '../../../lib/tools/template/functions/consumers.ts';
import { streamsOfRow } from '../../../lib/service/outbox/publish-streams.ts';
import { eventPartitionCount } from '../../../lib/store/events/event-partitions.ts';
import { commandUnits } from '../../support/command-units.ts';

/*
 * The capacity of the event log on paper, from the settings of the code and documented limits of AWS. It is pure.
 * Each event is the only new one of its return: the worst case for the log.
 */

/** What the code cannot know. */
export const assumptions = {
  /** Seconds from the read of a partition's end offset to its move. */
  moveSeconds: 0.015,
} as const;

/**
 * Documented limits of a partition of the table, and of a batch of Lambda.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 * https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-params.html
 */
export const limits = { writeUnitsOfPartition: 1_000, batchSize: 10_000 } as const;

/** The write units of a small item in a transaction. */
const itemUnits = 2;

/** Events a second, and how the stream feeds its publishers. */
export type Load = { readonly events: number; readonly windowSeconds: number; readonly batchSize: number };

const deployed = consumerRows.publishEvents.trigger.mapping;

/** The loads of the page: the deployed settings at two rates, and settings for higher rates. */
export const loads: readonly Load[] = [
  ...[1_000, 10_000].map((events) => ({
    events,
    windowSeconds: deployed.MaximumBatchingWindowInSeconds,
    batchSize: deployed.BatchSize,
  })),
  { events: 10_000, windowSeconds: 10, batchSize: 1_000 },
  { events: 50_000, windowSeconds: 45, batchSize: limits.batchSize },
];

/** Computes the capacity for a given number of partitions of the table. */
const withPartitions = ({ events, windowSeconds, batchSize }: Load, partitions: number) => {
  const batch = Math.min(batchSize, (events * windowSeconds) / partitions);
  const batches = events / batch;
  const touched = eventPartitionCount * (1 - (1 - 1 / eventPartitionCount) ** batch);
  const together = batch / touched;
  const transactions = Math.ceil(together / streamsOfRow);
  const moves = (batches * touched * transactions) / eventPartitionCount;
  const repeated = 1 - Math.exp(-assumptions.moveSeconds * moves);
  const shared = (2 * itemUnits * transactions) / together;
  const logUnits = (shared + itemUnits) * (1 + repeated);
  return {
    /** Partitions of the table: each has a shard of the stream, and each shard one publisher. */
    partitions,
    /** Events that a publisher gets at once, partitions of the log that they touch, and events of one transaction. */
    batch,
    touched,
    together,
    /** Moves of one end offset in a second, and the share of them that meet another move, and are repeated. */
    moves,
    repeated,
    logUnits,
    /** Write units of a second: commands and the log. */
    units: events * (commandUnits.write + logUnits),
    /** Write units of the busiest key in a second. */
    keyUnits: moves * (1 + repeated) * 2 * itemUnits,
    // Half of the time an end offset is free, so a repeated move succeeds soon.
    holds: moves * assumptions.moveSeconds < 0.5,
  };
};

export type Capacity = ReturnType<typeof withPartitions>;

/** Computes the capacity. The log's write units depend on the partitions, and the partitions on the write units. */
export const capacityOf = (load: Load): Capacity => {
  let capacity = withPartitions(load, Math.ceil((load.events * commandUnits.write) / limits.writeUnitsOfPartition));
  for (let step = 0; step < 10; step += 1)
    capacity = withPartitions(load, Math.ceil(capacity.units / limits.writeUnitsOfPartition));
  return capacity;
};
