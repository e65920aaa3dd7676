import { describe, expect, it } from 'vitest';
import { unpack } from '../../../lib/store/engine/pack.ts';
import type { Item } from '../../support/audit/stored.ts';
import { openPublisher } from './published.ts';
import { longHistoryOf, seedOf } from './seeds.ts';
import { nameTable } from '../../support/environment.ts';

nameTable();

type Pointer = readonly [place: string, sequence: number, type: string];

const isRow = ({ sk }: Item) => sk.startsWith('AT#');

/** Returns the events of a partition in order, after a check that each row continues the previous one. */
const eventsOf = (rows: readonly Item[]): Pointer[] =>
  rows
    .toSorted((one, other) => (one.sk < other.sk ? -1 : 1))
    .reduce<Pointer[]>((before, { first, value, sk }) => {
      const events = before.concat(unpack(value as Uint8Array) as Pointer[]);
      expect(first).toBe(before.length + 1);
      expect(Number(sk.slice('AT#'.length))).toBe(events.length);
      return events;
    }, []);

describe('openPublisher', () => {
  const seeds = [seedOf(0), seedOf(1), longHistoryOf(2, 250)];
  const publisher = openPublisher();
  const items = seeds.flatMap(({ returns }) => publisher.publish(returns));
  const partitions = Map.groupBy(items.filter(isRow), ({ pk }) => pk);
  const published = [...partitions.values()].flatMap(eventsOf);

  it('publishes every event once, and those of a return in order', () => {
    const entries = seeds.flatMap(({ returns }) => returns.flatMap((grown) => grown.entries));
    expect(published).toHaveLength(entries.length);
    for (const { state, entries: own } of seeds.flatMap(({ returns }) => returns)) {
      const ofReturn = published.filter(([place]) => place === `RETURN#${state.id}`);
      expect(ofReturn.map(([, sequence, type]) => [sequence, type])).toEqual(
        own.map((one) => [one.sequence, one.type]),
      );
      const [mark] = items.filter(({ pk, sk }) => pk === `RETURN#${state.id}` && sk === 'PROJECTED').slice(-1);
      expect(mark?.['version']).toBe(own.length);
    }
  });

  it('ends each partition after its last event', () => {
    const ends = publisher.ends().map(({ pk, version }) => [pk, version]);
    const lengths = Array.from(partitions, ([pk, rows]) => [pk, eventsOf(rows).length]);
    expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(lengths));
  });

  it('never writes an item twice in one publication', () => {
    const [long] = longHistoryOf(3, 250).returns;
    const keys = openPublisher()
      .publish(long === undefined ? [] : [long])
      .map(({ pk, sk }) => `${pk} ${sk}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
