import { returnKey } from '../../../lib/store/engine/keys.ts';
import {
  eventPartitionCount,
  eventPartitionOf,
  type UnpublishedEvents,
  writeEvents,
} from '../../../lib/store/events/event-partitions.ts';
import type { Item } from '../../support/audit/stored.ts';
import { itemIn } from './items.ts';
import type { Grown } from './seeds.ts';

/** The publisher reads at most this number of events of a stream at once. */
const maxEvents = 100;

/** Rows of events expire. This time of publication is so late that a stored table stays usable. */
const publishedAt = Date.parse('2100-01-01T00:00:00Z');

/** Returns the events of a return in the pieces that the publisher makes. */
const unpublished = ({ state, entries }: Grown): UnpublishedEvents[] => {
  const stream = returnKey(state.id).pk;
  const logged = entries.map(({ sequence, type }) => ({ stream, sequence, type }));
  return Array.from({ length: Math.ceil(logged.length / maxEvents) }, (_, index) => ({
    stream,
    before: index * maxEvents,
    logged: logged.slice(index * maxEvents, (index + 1) * maxEvents),
  }));
};

/** Publishes the events of returns in all partitions. */
export const openPublisher = () => {
  const offsets = new Map<number, { readonly end: number; readonly item: Item }>();
  // A later item replaces an earlier one with the same key: a return whose events are published in pieces has one mark.
  const publish = (log: number, unpublishedEvents: readonly UnpublishedEvents[]): Item[] => {
    const before = offsets.get(log)?.end ?? 0;
    const [head, ...others] = writeEvents(log, before, unpublishedEvents, publishedAt).flatMap(itemIn);
    if (head === undefined) return others;
    offsets.set(log, {
      end: before + unpublishedEvents.reduce((sum, { logged }) => sum + logged.length, 0),
      item: head,
    });
    return others;
  };
  return {
    /** Returns the items of a publication of these returns, without the end offsets. */
    publish: (returns: readonly Grown[]): Item[] => {
      const pieces = returns.map(unpublished);
      const rounds = Math.max(0, ...pieces.map(({ length }) => length));
      const items = new Map<string, Item>();
      for (let round = 0; round < rounds; round += 1) {
        const unpublishedEvents = Map.groupBy(
          pieces.flatMap((all) => all.slice(round, round + 1)),
          ({ stream }) => eventPartitionOf(stream),
        );
        for (const [log, some] of unpublishedEvents)
          for (const item of publish(log, some)) items.set(`${item.pk} ${item.sk}`, item);
      }
      return [...items.values()];
    },
    /** Returns the end offsets of all partitions with events. */
    ends: (): Item[] =>
      Array.from({ length: eventPartitionCount }, (_, log) => offsets.get(log)?.item).filter(
        (item) => item !== undefined,
      ),
  };
};
