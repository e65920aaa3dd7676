import { randomUUID } from 'node:crypto';
import type { Origin } from '../../domain/events/cloud-event.ts';
import type { Endpoint } from '../../domain/events/endpoint.ts';
import { isDue } from '../../domain/events/retry.ts';
import { errorName, log } from '../../runtime/log.ts';
import { sum } from '../../runtime/sum.ts';
import type { Session } from '../../store/engine/session.ts';
import { readEndpoint, readEndpointSecrets } from '../../store/events/endpoints.ts';
import { readEventPartition } from '../../store/events/event-partitions.ts';
import {
  type Lease,
  partitionsOfGroup,
  readLastDeliveredAt,
  releaseSubscription,
  leaseSubscription,
  type LeasedSubscription,
  writeSubscription,
} from '../../store/events/subscriptions.ts';
import { readBlockedStreams } from '../../store/events/blocked-streams.ts';
import {
  addEvents,
  dropUnstarted,
  isFailing,
  nextDue,
  openSubscriptionState,
  dueWorks,
  resetFailuresBefore,
} from './subscription-state.ts';
import { storeSubscription, LeaseLost, removeSubscriptionRows, writeUnderLease } from './store-subscription.ts';
import { disableEndpoint, enqueueMessages } from './queue.ts';
import type { StreamRunOptions, DeliveryTarget } from './run-stream.ts';
import type { SendEvent } from './send.ts';
import { openRunners } from './stream-runners.ts';

/** The input of a worker. */
export type SubscriptionRun = {
  readonly session: Session;
  readonly endpointId: string;
  readonly group: number;
  readonly sendEvent: SendEvent;
  readonly origin: Origin;
  /** Whether the time is too short to begin more work. */
  readonly isOver: () => boolean;
  /** Aborts running attempts. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly random: () => number;
};

/**
 * `idle`: no work is left. `unfinished`: the time ran out. `held`: another worker has the lease and will check again.
 * `stopped`: the endpoint is deleted or disabled.
 */
export type SubscriptionRunEnd = 'idle' | 'unfinished' | 'held' | 'stopped';

/** Events that are sent concurrently. */
const maxAtOnce = 16;
/** Blocked streams of a subscription beyond which it reads no further events. */
const maxBlockedStreams = 100;
/** Events that are read of a partition at once, and waiting events beyond which none are read. */
const partitionPageSize = 12;
const maxAhead = 64;
/** Events of a stream that are sent before other streams have their turn. */
const maxEventsPerStream = 20;
/** The subscription does not wait longer than this for a slow stream. */
const runnersTimeoutMs = 2_000;

type Worker = SubscriptionRun & { readonly lease: Lease; readonly state: ReturnType<typeof openSubscriptionState> };

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
      if (gap) log('warn', 'expired events skipped', { endpointId, log: logNumber, after });
      return found;
    }),
  );
  pages.forEach((found, index) => addEvents(state, index, found, endpoint));
  return pages.some((found) => found.length > 0);
};

type Running = { readonly sending: StreamRunOptions; readonly runners: ReturnType<typeof openRunners> };

/**
 * Probes a failing endpoint with one event. The oldest waiting event and a new one alternate, so that neither alone
 * decides.
 */
const probe = async (worker: Worker, endpoint: Endpoint, { sending, runners }: Running): Promise<boolean> => {
  const { state, now } = worker;
  if (!isDue(state.failing?.retryAt ?? 0, now())) return false;
  await readNewEvents(worker, endpoint);
  const works = [...state.works.values()].toSorted((a, b) => a.blockedStream.retryAt - b.blockedStream.retryAt);
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

/** Runs one round of work. Returns whether more work may follow at once. */
const runRound = async (worker: Worker, endpoint: Endpoint, running: Running): Promise<boolean> => {
  const { state, now } = worker;
  const { sending, runners } = running;
  if (isFailing(state)) {
    await runners.wait(runnersTimeoutMs);
    // The subscription is stored meanwhile, which extends the lease.
    if (runners.running.size > 0) return true;
    dropUnstarted(state);
    return probe(worker, endpoint, running);
  }
  const newEvents = await readNewEvents(worker, endpoint);
  let startedRuns = 0;
  const fill = (): void => {
    if (isFailing(state) || sending.signal.aborted || sending.target() === undefined) return;
    for (const work of dueWorks(state, now()).slice(0, maxAtOnce - runners.running.size)) {
      startedRuns += 1;
      runners.begin(sending, work, maxEventsPerStream, fill);
    }
  };
  fill();
  const underWay = runners.running.size > 0;
  await runners.wait(runnersTimeoutMs);
  return newEvents || underWay || startedRuns > 0;
};

/**
 * Disables the endpoint, resets its failures and emits the event, in one transaction. Does nothing if the endpoint has
 * changed.
 */
const disable = async (worker: Worker, endpoint: Endpoint): Promise<void> => {
  const { session, lease, state, now } = worker;
  const { disable: reason } = state;
  if (reason === undefined) return;
  state.failing = undefined;
  const subscription = { positions: state.positions, reachedAt: state.reachedAt, dueAt: nextDue(state) };
  const unmet = await writeUnderLease(session, [
    writeSubscription(lease, subscription, now()),
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
    // An endpoint without secrets was deleted in between.
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

/** The maximum delay of the queue. The schedule notifies later retries (lib/service/outbox/notify-lagging-subscriptions.ts). */
const maxDelayMs = 900_000;

/** Enqueues a worker for the next due retry, unless one is enqueued. Returns the time of the next worker. */
const notifyWhenDue = async (
  { session, endpointId, group, state, now }: Worker,
  { wakeAt: notifyAt = 0 }: LeasedSubscription,
): Promise<number> => {
  const [dueAt, at] = [nextDue(state), now()];
  const comes = notifyAt > at ? notifyAt : 0;
  if (dueAt === undefined || dueAt > at + maxDelayMs || (comes > 0 && comes <= dueAt + 1_000)) return comes;
  const delaySeconds = Math.max(1, Math.ceil((dueAt - at) / 1000));
  try {
    await enqueueMessages([{ endpointId, group, delaySeconds }], session.signal);
    return at + delaySeconds * 1000;
  } catch (error) {
    log('warn', 'subscription not notified', { endpointId, group, error: errorName(error) });
    return comes;
  }
};

const runUntilReleased = async (worker: Worker, taken: LeasedSubscription): Promise<SubscriptionRunEnd> => {
  let { wanted } = taken;
  for (;;) {
    const end = await work(worker);
    const notifyAt = end === 'idle' ? await notifyWhenDue(worker, taken) : taken.wakeAt;
    const released = await releaseSubscription(worker.session, worker.lease, wanted, notifyAt);
    if (released === 'released') return end;
    if (released === 'lost') return 'held';
    wanted = released;
  }
};

/**
 * Sends an endpoint the events of a group of partitions, and those of its blocked streams. Events of a stream are sent
 * in order, streams concurrently. A failed event blocks only its own stream.
 *
 * @throws when the store fails: the next worker continues where the subscription was last stored
 */
export const runSubscription = async (subscriptionRun: SubscriptionRun): Promise<SubscriptionRunEnd> => {
  const { session, endpointId, group, now } = subscriptionRun;
  const endpoint = await readEndpoint(session, endpointId);
  if (endpoint === undefined) await removeSubscriptionRows(session, endpointId, group);
  if (endpoint === undefined || endpoint.disabled !== undefined) return 'stopped';
  const lease: Lease = { endpointId, group, owner: randomUUID() };
  const taken = await leaseSubscription(session, lease, endpoint.begins, now());
  if (taken === 'held') return 'held';
  const state = openSubscriptionState(taken, await readBlockedStreams(session, endpointId, group), endpoint, now());
  const ending = new AbortController();
  const signal = AbortSignal.any([subscriptionRun.signal, ending.signal]);
  try {
    return await runUntilReleased({ ...subscriptionRun, signal, lease, state }, taken);
  } catch (error) {
    if (error instanceof LeaseLost) return 'held';
    throw error;
  } finally {
    ending.abort();
  }
};
