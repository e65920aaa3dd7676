import type { Context } from 'aws-lambda';
import { errorName, log } from '../runtime/log.ts';
import { endpointStream, policyPartition, returnKey } from '../store/engine/keys.ts';
import { openSession, type Session } from '../store/engine/session.ts';
import { readEndpoints } from '../store/events/endpoints.ts';
import { readPublishedSequences } from '../store/events/event-partitions.ts';
import { readUnlisted } from '../store/events/outbox.ts';
import { readRepairCheckpoint, writeRepairCheckpoint } from '../store/events/repair-checkpoint.ts';
import { readCatalogue } from '../store/policies/policies.ts';
import { type ChangedReturn, changePartitions, readChanged } from '../store/returns/changed-returns.ts';
import { forEachConcurrently } from './for-each-concurrently.ts';
import { publishStreams } from './publish-streams.ts';

/** Kept back from the function's time, to say how the run ended. */
const reserveMs = 10_000;

/** What changed since is left to the stream, which is usually done within seconds. */
const settlingMs = 120_000;

/** Walked once more each time: an index may show a change after a later one. */
const marginMs = 600_000;

const pageSize = 200;

/** So many places of a part may fail while the others go on. */
const maxStuck = 100;

/** Thrown at the end of a run, so that the function's error metric counts it. */
class EventsNotRepaired extends Error {
  override readonly name = 'EventsNotRepaired';
}

type Repair = { compared: number; carried: number; failed: number };

/** An `updatedKey` so long before another one. */
const positionBefore = (position: string, milliseconds: number): string => {
  const [at = ''] = position.split('#');
  const time = Date.parse(at);
  return Number.isNaN(time) ? position : new Date(time - milliseconds).toISOString();
};

/** Carries what is new of some places. */
const publishMissing = async (session: Session, places: readonly string[], now: number, repair: Repair) => {
  const { failed, carried } = await publishStreams(session, places, now);
  repair.carried += carried;
  // What was cut off has not failed.
  session.signal.throwIfAborted();
  repair.failed += failed.size;
  for (const place of failed) log('error', 'place not repaired', { place });
  return failed;
};

const findUnpublishedStreams = async (session: Session, changed: readonly ChangedReturn[]): Promise<string[]> => {
  const versions = new Map(changed.map(({ summary }) => [returnKey(summary.id).pk, summary.version]));
  const marks = await readPublishedSequences(session, [...versions.keys()]);
  return [...versions].filter(([place, version]) => version > (marks.get(place) ?? 0)).map(([place]) => place);
};

/** Compares the returns of a part with their logs from where the last run was, and carries what stands in none. */
const repairPartition = async (
  session: Session,
  [part, partition]: readonly [number, string],
  now: number,
  repair: Repair,
): Promise<void> => {
  let progress = await readRepairCheckpoint(session, part);
  let after = positionBefore(progress.position, marginMs);
  let retried = progress.stuck;
  const upTo = new Date(now - settlingMs).toISOString();
  while (after < upTo) {
    const changed = await readChanged(session, partition, { from: after, to: upTo }, pageSize);
    const behind = await findUnpublishedStreams(session, changed);
    repair.compared += changed.length;
    const failed = await publishMissing(session, [...retried, ...behind], now, repair);
    // With so much that fails that it is no fault of theirs, it comes here again.
    const stuck = [...new Set([...progress.stuck.filter((place) => !retried.includes(place)), ...failed])];
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

/** What is no return and tells of itself: each is looked at in every run, since they are few. */
const readStandingStreams = async (session: Session): Promise<string[]> => [
  ...(await readCatalogue(session)).policies.map(({ id }) => policyPartition(id)),
  ...(await readEndpoints(session)).map(({ id }) => endpointStream(id)),
];

/** What happened once, in a place of its own, and stands in no log. */
const readUnpublishedStreams = async (session: Session): Promise<string[]> => {
  const places = await readUnlisted(session);
  const marks = await readPublishedSequences(session, places, { consistent: false });
  return places.filter((place) => marks.get(place) === 0);
};

/**
 * Carries what the stream did not: it keeps records for 24 hours, and gives up what it fails at. What two runs carry at once is
 * logged once.
 *
 * @throws {EventsNotRepaired} when the store failed, or a place could not be carried
 */
export const repairEvents = async (
  _event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<Repair> => {
  const now = Date.now();
  const repair: Repair = { compared: 0, carried: 0, failed: 0 };
  using session = openSession(now + getRemainingTimeInMillis() - reserveMs);
  try {
    const others = [...(await readStandingStreams(session)), ...(await readUnpublishedStreams(session))];
    await publishMissing(session, others, now, repair);
    await forEachConcurrently([...changePartitions().entries()], 4, async (part) =>
      repairPartition(session, part, now, repair),
    );
  } catch (error) {
    // Out of time: the next run goes on where this one stopped.
    if (!session.signal.aborted || repair.compared + repair.carried === 0)
      throw new EventsNotRepaired(errorName(error), { cause: error });
  }
  if (repair.carried > 0) log('warn', 'events repaired', repair);
  if (repair.failed > 0) throw new EventsNotRepaired(`${repair.failed} places cannot be carried`);
  return repair;
};
