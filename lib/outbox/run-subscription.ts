import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Origin } from '../events/cloud-event.ts';
import type { Endpoint } from '../events/endpoint.ts';
import { isDue } from '../events/retry.ts';
import { errorName, log } from '../runtime/log.ts';
import { sum } from '../runtime/sum.ts';
import type { Session } from '../store/engine/session.ts';
import { transact } from '../store/engine/transact.ts';
import { readEndpoint, readEndpointSecrets } from '../store/events/endpoints.ts';
import { readEventPartition } from '../store/events/event-partitions.ts';
import {
  type Lease,
  partitionsOfGroup,
  readLastDeliveredAt,
  releaseSubscription,
  removeSubscription,
  leaseSubscription,
  type LeasedSubscription,
  writeSubscription,
} from '../store/events/subscriptions.ts';
import { readBlockedStreams, removeBlockedStream } from '../store/events/blocked-streams.ts';
import {
  addEvents,
  dropUnstarted,
  isFailing,
  nextDue,
  openSubscriptionState,
  dueWorks,
  applyRun,
  resetFailuresBefore,
  type StreamWork,
} from './subscription-state.ts';
import { storeSubscription, LeaseLost, writeUnderLease } from './store-subscription.ts';
import { disableEndpoint, enqueueMessages } from './queue.ts';
import { runStream, type StreamRunOptions, type DeliveryTarget } from './run-stream.ts';
import type { SendEvent } from './send.ts';

/** What a worker goes by. */
export type SubscriptionRun = {
  readonly session: Session;
  readonly endpointId: string;
  readonly group: number;
  readonly sendEvent: SendEvent;
  readonly origin: Origin;
  /** Whether it begins nothing more: its time is short. */
  readonly isOver: () => boolean;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly random: () => number;
};

/**
 * `idle`: nothing is left to do for now. `unfinished`: time ran out. `held`: another worker is on it, and will look again.
 * `stopped`: the endpoint is gone or disabled.
 */
export type SubscriptionRunEnd = 'idle' | 'unfinished' | 'held' | 'stopped';

/** As many events are under way at once. */
const maxAtOnce = 16;
/** As many lanes as a feed may have until it goes no further: those who wait are then the endpoint's to let through. */
const maxBlockedStreams = 100;
/** As many happenings of a log are read at once, and no more while so many wait. */
const partitionPageSize = 12;
const maxAhead = 64;
/** As many events of a place are sent until the others have their turn. */
const maxEventsPerStream = 20;
/** Who takes longer than this is left to itself, and the feed goes past it. */
const runnersTimeoutMs = 2_000;

type Worker = SubscriptionRun & { readonly lease: Lease; readonly state: ReturnType<typeof openSubscriptionState> };

/** Ends with the last of those that run, and of those that were begun meanwhile. */
const waitForAll = async (running: ReadonlySet<Promise<void>>): Promise<void> => {
  while (running.size > 0) await Promise.all(running);
};

/** What is under way of a worker. */
const openRunners = ({ state, now, random }: Worker) => {
  const running = new Set<Promise<void>>();
  let broken: unknown;
  const begin = (sending: StreamRunOptions, runRounds: StreamWork, limit: number, then: () => void): void => {
    [runRounds.busy, runRounds.begun] = [true, true];
    const run = runStream(sending, runRounds.lane, limit)
      .then((ended) => applyRun(state, runRounds, ended, now(), random))
      .catch((error: unknown) => {
        broken ??= error;
      })
      .finally(() => {
        running.delete(run);
        then();
      });
    running.add(run);
  };
  return {
    running,
    begin,
    /** Waits for all that is under way, at most so long; fails as one of them has failed. */
    wait: async (ms?: number): Promise<void> => {
      const cancel = new AbortController();
      const late = ms === undefined ? [] : [pause(ms, undefined, { signal: cancel.signal }).catch(() => undefined)];
      await Promise.race([waitForAll(running), ...late]);
      cancel.abort();
      if (broken !== undefined) throw broken;
    },
  };
};

const readNewEvents = async (
  { session, group, state, now, endpointId }: Worker,
  endpoint: Endpoint,
): Promise<boolean> => {
  const waiting = sum(state.ahead.map(({ length }) => length));
  if (waiting >= maxAhead || state.works.size >= maxBlockedStreams) return false;
  const pages = await Promise.all(
    partitionsOfGroup(group).map(async (logNumber, index) => {
      const after = state.read[index] ?? 0;
      const { found, gap } = await readEventPartition(session, logNumber, after, partitionPageSize, now());
      if (gap) log('warn', 'events that were kept no longer are left out', { endpointId, log: logNumber, after });
      return found;
    }),
  );
  pages.forEach((found, index) => addEvents(state, index, found, endpoint));
  return pages.some((found) => found.length > 0);
};

type Running = { readonly sending: StreamRunOptions; readonly runners: ReturnType<typeof openRunners> };

/** Asks a failing endpoint with one event: in turn one that waits longest, and a new one, so that none of them decides alone. */
const probe = async (worker: Worker, endpoint: Endpoint, { sending, runners }: Running): Promise<boolean> => {
  const { state, now } = worker;
  if (!isDue(state.failing?.retryAt ?? 0, now())) return false;
  await readNewEvents(worker, endpoint);
  const works = [...state.works.values()].toSorted((a, b) => a.lane.retryAt - b.lane.retryAt);
  const fresh = works.find(({ stored }) => !stored);
  const old = works.find(({ stored }) => stored);
  const [first, second] = (state.failing?.attempts ?? 0) % 2 === 0 ? [old, fresh] : [fresh, old];
  const work = first ?? second;
  if (work === undefined) return false;
  state.probing = true;
  runners.begin(sending, work, 1, () => undefined);
  await runners.wait();
  state.probing = false;
  return true;
};

/** One round of work. Says whether there may be more at once. */
const runRound = async (worker: Worker, endpoint: Endpoint, running: Running): Promise<boolean> => {
  const { state, now } = worker;
  const { sending, runners } = running;
  if (isFailing(state)) {
    await runners.wait(runnersTimeoutMs);
    // The feed is written down meanwhile: whoever does not keeps no lease.
    if (runners.running.size > 0) return true;
    dropUnstarted(state);
    return probe(worker, endpoint, running);
  }
  const news = await readNewEvents(worker, endpoint);
  let begun = 0;
  const fill = (): void => {
    if (isFailing(state) || sending.signal.aborted || sending.target() === undefined) return;
    for (const work of dueWorks(state, now()).slice(0, maxAtOnce - runners.running.size)) {
      begun += 1;
      runners.begin(sending, work, maxEventsPerStream, fill);
    }
  };
  fill();
  const underWay = runners.running.size > 0;
  await runners.wait(runnersTimeoutMs);
  return news || underWay || begun > 0;
};

/** The endpoint is disabled, its failures forgotten, and that is told, all at once; not where somebody has changed it. */
const disable = async (worker: Worker, endpoint: Endpoint): Promise<void> => {
  const { session, lease, state, now } = worker;
  const { disable: reason } = state;
  if (reason === undefined) return;
  state.failing = undefined;
  const feed = { positions: state.positions, reachedAt: state.reachedAt, dueAt: nextDue(state) };
  const unmet = await writeUnderLease(session, [
    writeSubscription(lease, feed, now()),
    ...disableEndpoint(endpoint, reason, now()),
  ]);
  state.disable = undefined;
  if (unmet.length === 0) log('error', 'endpoint disabled', { endpointId: endpoint.id, reason });
};

const work = async (worker: Worker): Promise<SubscriptionRunEnd> => {
  const { session, endpointId, state, lease, now, isOver, signal } = worker;
  const runners = openRunners(worker);
  let read: DeliveryTarget | undefined;
  const target = () => (isOver() || state.disable !== undefined ? undefined : read);
  const running = { runners, sending: { ...worker, target } };
  for (;;) {
    const endpoint = await readEndpoint(session, endpointId);
    const secrets = await readEndpointSecrets(session, endpointId);
    // Without secrets it was deleted in between.
    const isOpen = endpoint !== undefined && endpoint.disabled === undefined && secrets.length > 0;
    read = isOpen ? { endpoint, secrets } : undefined;
    if (!isOpen || isOver() || signal.aborted) {
      await runners.wait();
      dropUnstarted(state);
      if (endpoint !== undefined) await storeSubscription(session, lease, state, now());
      return isOpen ? 'unfinished' : 'stopped';
    }
    const more = await runRound(worker, endpoint, running);
    if (state.disable !== undefined) {
      await runners.wait();
      dropUnstarted(state);
    }
    if (state.disable === 'failing') resetFailuresBefore(state, await readLastDeliveredAt(session, endpointId), now());
    await storeSubscription(session, lease, state, now());
    await disable(worker, endpoint);
    if (!more && runners.running.size === 0 && !signal.aborted) return 'idle';
  }
};

/** The queue brings nothing later than that; what is due later the schedule wakes (lib/outbox/notify-lagging-subscriptions.ts). */
const maxDelayMs = 900_000;

/** Sees to it that somebody comes when something is due, where nobody will: says when. */
const notifyWhenDue = async (
  { session, endpointId, group, state, now }: Worker,
  { wakeAt = 0 }: LeasedSubscription,
): Promise<number> => {
  const [dueAt, at] = [nextDue(state), now()];
  const comes = wakeAt > at ? wakeAt : 0;
  if (dueAt === undefined || dueAt > at + maxDelayMs || (comes > 0 && comes <= dueAt + 1_000)) return comes;
  const delaySeconds = Math.max(1, Math.ceil((dueAt - at) / 1000));
  try {
    await enqueueMessages([{ endpointId, group, delaySeconds }], session.signal);
    return at + delaySeconds * 1000;
  } catch (error) {
    log('warn', 'feed left to the schedule', { endpointId, group, error: errorName(error) });
    return comes;
  }
};

const runUntilReleased = async (worker: Worker, taken: LeasedSubscription): Promise<SubscriptionRunEnd> => {
  let { wanted } = taken;
  for (;;) {
    const end = await work(worker);
    const wakeAt = end === 'idle' ? await notifyWhenDue(worker, taken) : taken.wakeAt;
    const released = await releaseSubscription(worker.session, worker.lease, wanted, wakeAt);
    if (released === 'released') return end;
    if (released === 'lost') return 'held';
    wanted = released;
  }
};

/** A feed of an endpoint that is gone. */
const removeSubscriptionRows = async (session: Session, endpointId: string, group: number): Promise<void> => {
  const lanes = await readBlockedStreams(session, endpointId, group);
  const removed = [
    removeSubscription(endpointId, group),
    ...lanes.map(({ place }) => removeBlockedStream(endpointId, group, place)),
  ];
  for (let index = 0; index < removed.length; index += 100) await transact(session, removed.slice(index, index + 100));
};

/**
 * Sends an endpoint what stands in a group of logs, and what waits in its lanes: each place in its order, places beside
 * each other. One event that fails keeps back those of its place alone.
 *
 * @throws where the store failed: whoever comes next goes on where the feed was last written down
 */
export const runSubscription = async (given: SubscriptionRun): Promise<SubscriptionRunEnd> => {
  const { session, endpointId, group, now } = given;
  const endpoint = await readEndpoint(session, endpointId);
  if (endpoint === undefined) await removeSubscriptionRows(session, endpointId, group);
  if (endpoint === undefined || endpoint.disabled !== undefined) return 'stopped';
  const lease: Lease = { endpointId, group, owner: randomUUID() };
  const taken = await leaseSubscription(session, lease, endpoint.begins, now());
  if (taken === 'held') return 'held';
  const state = openSubscriptionState(taken, await readBlockedStreams(session, endpointId, group), endpoint, now());
  const ending = new AbortController();
  const signal = AbortSignal.any([given.signal, ending.signal]);
  try {
    return await runUntilReleased({ ...given, signal, lease, state }, taken);
  } catch (error) {
    if (error instanceof LeaseLost) return 'held';
    throw error;
  } finally {
    ending.abort();
  }
};
