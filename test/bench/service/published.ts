import { returnKey } from '../../../lib/store/engine/keys.ts';
import { eventPartitionOf, type UnpublishedEvents, writeEvents } from '../../../lib/store/events/event-partitions.ts';
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
  return Array.from({ length: Math.ceil(logged.length / maxEvents) }, (_, index) => {
    const before = index * maxEvents;
    return { stream, before, logged: logged.slice(before, before + maxEvents) };
  });
};

/** Publishes the events of returns in all partitions. */
export const openPublisher = () => {
  const offsets = new Map<number, { readonly end: number; readonly item: Item }>();
  const publish = (log: number, pieces: readonly UnpublishedEvents[]): Item[] => {
    const before = offsets.get(log)?.end ?? 0;
    const [item, ...others] = writeEvents(log, before, pieces, publishedAt).flatMap(itemIn);
    const end = before + pieces.reduce((sum, { logged }) => sum + logged.length, 0);
    if (item !== undefined) offsets.set(log, { end, item });
    return others;
  };
  return {
    /** Returns the items of a publication of these returns, without the end offsets. */
    publish: (returns: readonly Grown[]): Item[] => {
      const pieces = returns.map(unpublished);
      // A later item replaces an earlier one with the same key: a return published in pieces has one mark.
      const items = new Map<string, Item>();
      for (let round = 0; pieces.some(({ length }) => length > round); round += 1) {
        const some = pieces.flatMap((all) => all.slice(round, round + 1));
        for (const [log, ofLog] of Map.groupBy(some, ({ stream }) => eventPartitionOf(stream)))
          for (const item of publish(log, ofLog)) items.set(`${item.pk} ${item.sk}`, item);
      }
      return [...items.values()];
    },
    /** Returns the end offsets of all partitions with events. */
    ends: (): Item[] => Array.from(offsets.values(), ({ item }) => item),
  };
};
