import type { Context } from 'aws-lambda';
import { errorName, log } from '../../runtime/log.ts';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from '../../store/engine/checkpoint.ts';
import { endpointStream, type Key, policyPartition, returnKey, withdrawalKey } from '../../store/engine/keys.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { readEndpoints } from '../../store/events/endpoints.ts';
import { readPublishedSequences } from '../../store/events/event-partitions.ts';
import { readUnlisted } from '../../store/events/outbox.ts';
import { readCatalogue } from '../../store/policies/policies.ts';
import {
  type ChangedReturn,
  changePartitions,
  lowestPosition,
  readChanged,
} from '../../store/returns/changed-returns.ts';
import { withdrawalPartitions } from '../../store/withdrawals/withdrawal-list.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { publishStreams } from './publish-streams.ts';

/** Time reserved before the function's timeout, to report the end of the run. */
const reserveMs = 10_000;

/** Recent changes are left to the stream, which usually publishes them within seconds. */
const settlingMs = 120_000;

/** Each run rereads this period, because an index may show a change after a later one. */
const marginMs = 600_000;

const pageSize = 200;

/** Failed streams of a partition beyond which it makes no progress. */
const maxStuck = 100;

/** Thrown at the end of a run, so that the error metric of the function counts it. */
class EventsNotRepaired extends Error {
  override readonly name = 'EventsNotRepaired';
}

const repairKey = (part: string): Key => ({ pk: `REPAIR#${part}`, sk: 'CURSOR' });

/** A partition of changed subjects, the name of its progress, and the stream of a subject. */
type RepairPartition = {
  readonly part: string;
  readonly partition: string;
  readonly streamOf: (id: string) => string;
};

/** Returns the partitions of returns and of withdrawals. The progress of a partition keeps its name when others join. */
const repairPartitions = (): readonly RepairPartition[] => [
  ...changePartitions().map((partition, index) => ({
    part: String(index),
    partition,
    streamOf: (id: string) => returnKey(id).pk,
  })),
  ...withdrawalPartitions().map((partition, index) => ({
    part: `W${index}`,
    partition,
    streamOf: (id: string) => withdrawalKey(id).pk,
  })),
];

/** The progress of the repair of a partition: an `updatedKey`, and the streams before it whose publication failed. */
type RepairState = { readonly position: string; readonly stuck: readonly string[] };

const initial: RepairState = { position: lowestPosition, stuck: [] };

/** Reads the progress of a partition. */
const readRepairCheckpoint = async (session: Session, part: string): Promise<Checkpoint<RepairState>> =>
  readCheckpoint(session, repairKey(part), initial);

/** Writes the progress of a partition; undefined when another run was faster. */
const writeRepairCheckpoint = async (
  session: Session,
  part: string,
  version: number,
  state: RepairState,
): Promise<Checkpoint<RepairState> | undefined> => writeCheckpoint(session, repairKey(part), version, state);

type Repair = { compared: number; published: number; failed: number };

/** Returns an `updatedKey` before another one. */
const positionBefore = (position: string, milliseconds: number): string => {
  const [at = ''] = position.split('#');
  const time = Date.parse(at);
  return Number.isNaN(time) ? position : new Date(time - milliseconds).toISOString();
};

/** Publishes the new events of some streams. */
const publishMissing = async (session: Session, streams: readonly string[], now: number, repair: Repair) => {
  const { failed, published } = await publishStreams(session, streams, now);
  repair.published += published;
  // An aborted stream has not failed.
  session.signal.throwIfAborted();
  repair.failed += failed.size;
  for (const stream of failed) log('error', 'stream not repaired', { stream });
  return failed;
};

const findUnpublishedStreams = async (
  session: Session,
  changed: readonly ChangedReturn[],
  streamOf: RepairPartition['streamOf'],
): Promise<string[]> => {
  const versions = new Map(changed.map(({ summary }) => [streamOf(summary.id), summary.version]));
  const marks = await readPublishedSequences(session, [...versions.keys()]);
  return [...versions].filter(([stream, version]) => version > (marks.get(stream) ?? 0)).map(([stream]) => stream);
};

/** Publishes the missing events of a partition. It compares its changed subjects with the published events. */
const repairPartition = async (
  session: Session,
  { part, partition, streamOf }: RepairPartition,
  now: number,
  repair: Repair,
): Promise<void> => {
  let progress = await readRepairCheckpoint(session, part);
  let after = positionBefore(progress.position, marginMs);
  let retried = progress.stuck;
  const upTo = new Date(now - settlingMs).toISOString();
  while (after < upTo) {
    const changed = await readChanged(session, partition, { from: after, to: upTo }, pageSize);
    const behind = await findUnpublishedStreams(session, changed, streamOf);
    repair.compared += changed.length;
    const failed = await publishMissing(session, [...retried, ...behind], now, repair);
    // So many failures have a common cause: the next run repeats this page.
    const stuck = [...new Set([...progress.stuck.filter((stream) => !retried.includes(stream)), ...failed])];
    if (stuck.length > maxStuck) return;
    const last = changed.at(-1)?.position ?? '';
    const position = last > progress.position ? last : progress.position;
    if (position !== progress.position || stuck.join() !== progress.stuck.join()) {
      const written = await writeRepairCheckpoint(session, part, progress.version, { position, stuck });
      if (written === undefined) return;
      progress = written;
    }
    if (changed.length === 0) return;
    retried = [];
    after = `${last}!`;
  }
};

/** The streams of policies and endpoints. They are few, so every run checks all of them. */
const readPolicyAndEndpointStreams = async (session: Session): Promise<string[]> => [
  ...(await readCatalogue(session)).policies.map(({ id }) => policyPartition(id)),
  ...(await readEndpoints(session)).map(({ id }) => endpointStream(id)),
];

/** Streams with a single event that is not published yet. */
const readUnpublishedStreams = async (session: Session): Promise<string[]> => {
  const streams = await readUnlisted(session);
  const marks = await readPublishedSequences(session, streams, { consistent: false });
  return streams.filter((stream) => marks.get(stream) === 0);
};

/**
 * Publishes events that the stream of the table missed: it stores records for 24 hours and gives up failed ones. Events
 * that two runs publish concurrently get one offset.
 *
 * @throws {EventsNotRepaired} when the store fails, or a stream could not be published
 */
export const repairEvents = async (
  _event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<Repair> => {
  const now = Date.now();
  const repair: Repair = { compared: 0, published: 0, failed: 0 };
  using session = openSession(now + getRemainingTimeInMillis() - reserveMs);
  try {
    const others = [...(await readPolicyAndEndpointStreams(session)), ...(await readUnpublishedStreams(session))];
    await publishMissing(session, others, now, repair);
    await forEachConcurrently(repairPartitions(), 4, async (part) => repairPartition(session, part, now, repair));
  } catch (error) {
    // Out of time: the next run continues.
    if (!session.signal.aborted || repair.compared + repair.published === 0)
      throw new EventsNotRepaired(errorName(error), { cause: error });
  }
  if (repair.published > 0) log('warn', 'events repaired', repair);
  if (repair.failed > 0) throw new EventsNotRepaired(`${repair.failed} streams were not published`);
  return repair;
};
