import { ulid } from 'ulid';
import { publishTableRecords } from '../../../lib/service/outbox/publish-events.ts';
import * as listing from '../../../lib/service/operations/events.ts';
import { openSession } from '../../../lib/store/engine/session.ts';
import { transact } from '../../../lib/store/engine/transact.ts';
import { writeDomainEvent } from '../../../lib/store/events/outbox.ts';
import { seeded } from '../../support/seeded.ts';
import { ampleDeadline } from '../../support/time.ts';
import { domainEventOf, named, returnStreamOf, streamOf } from './support.ts';
import { walker } from './walker.ts';
import type { startWorld } from './world.ts';

export type Rehearsal = { readonly seed: number; readonly writers: number; readonly changes: number };

type Record = { readonly stream: string; readonly sequence: number };

/**
 * Runs writers, publishers and a reader at the same time. The publishers receive each record twice and in no order, run
 * out of time, and send to a bus that fails some entries. In the end all dead-lettered records are published.
 *
 * @returns the written events, those that two readers read, and those that the bus accepted
 */
export const rehearse = async (
  world: Awaited<ReturnType<typeof startWorld>>,
  { seed, writers, changes }: Rehearsal,
) => {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  world.bus.decide(() => (random() < 0.05 ? ['ThrottlingException', 'MalformedDetail'][below(2)] : undefined));
  using session = openSession(ampleDeadline());

  const written: Record[] = [];
  const streamRecords: Record[] = [];
  const writing = new Set(Array.from({ length: writers }, () => returnStreamOf(ulid())));
  const write = async (stream: string) => {
    let sequence = 0;
    for (let change = 0; change < changes; change += 1) {
      const more = Array.from({ length: 1 + below(3) }, (_, index) => ({ stream, sequence: sequence + index + 1 }));
      sequence += more.length;
      await transact(
        session,
        more.map((one) => writeDomainEvent(stream, domainEventOf(one.sequence))),
      );
      written.push(...more);
      streamRecords.push(...more, ...more.filter(() => random() < 0.3));
    }
    writing.delete(stream);
  };

  const batch = () => {
    const size = 1 + below(40);
    return Array.from({ length: Math.min(size, streamRecords.length) }, () =>
      streamRecords.splice(below(streamRecords.length), 1),
    ).flat();
  };
  const publish = async (records: readonly Record[], remaining: number) => {
    const { batchItemFailures } = await publishTableRecords(streamOf(records), {
      getRemainingTimeInMillis: () => remaining,
    });
    const [first] = batchItemFailures;
    if (first !== undefined) streamRecords.push(...records.slice(Number(first.itemIdentifier) - 1000));
  };
  /** A third of its runs end within 40 ms. */
  const publisher = async () => {
    while (writing.size > 0 || streamRecords.length > 0) {
      const records = batch();
      await publish(records, 3_000 + (random() < 0.33 ? below(40) : 10_000));
      // Lets writers write where there is nothing to publish.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  const early = walker(listing, () => 1 + below(60));
  const read = async () => {
    while (writing.size > 0 || streamRecords.length > 0) {
      await early.step();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await Promise.all([...[...writing].map(write), publisher(), publisher(), publisher(), read()]);
  const late = walker(listing, () => 1 + below(200));
  await early.finish();
  await late.finish();
  const nameOf = ({ stream, sequence }: Record) => `${stream.slice('RETURN#'.length)}/${sequence}`;
  return {
    written: written.map(nameOf).toSorted(),
    early: early.events.map(named),
    late: late.events.map(named),
    taken: world.bus.taken.map(named),
    /** The sequences of each return in the order of a reader. */
    orders: [early, late].flatMap(({ events: read }) =>
      [...Map.groupBy(read, ({ subject }) => subject).values()].map((events) =>
        events.map(({ data }) => data.sequence),
      ),
    ),
  };
};
