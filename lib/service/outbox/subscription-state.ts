import {
  failedBeforeEnabling,
  subscribesTo,
  type Endpoint,
  type WebhookDelivery,
} from '../../domain/events/endpoint.ts';
import { maxFailingMs, isDue, maxFailures, probeDelayMs, retryDelayMs } from '../../domain/events/retry.ts';
import type { PartitionEvent } from '../../store/events/event-partitions.ts';
import type { FailureStreak, LeasedSubscription } from '../../store/events/subscriptions.ts';
import type { BlockedStream } from '../../store/events/blocked-streams.ts';
import type { StreamRun } from './run-stream.ts';

/*
 * The state of a worker's subscription. Events that are read from the partitions become work, one for each stream. At
 * the next store, attempted work that is not done becomes a blocked stream, and the offsets move past it. Work without
 * an attempt stays in memory only, and the offsets stay before it.
 */

/** The work of a stream. */
export type StreamWork = {
  blockedStream: BlockedStream;
  /** Whether it has a row. */
  stored: boolean;
  /** Whether its row differs from this state. */
  changed: boolean;
  /** Whether an attempt has begun since the worker took the lease. */
  attempted: boolean;
  busy: boolean;
};

export type SubscriptionState = {
  /** The offset in each partition of the group. All events before it are done or in a blocked stream. */
  positions: number[];
  /** The offset up to which each partition was read. */
  read: number[];
  /** The read events after the offsets. */
  readonly ahead: PartitionEvent[][];
  readonly works: Map<string, StreamWork>;
  /** The streams whose row must be deleted. */
  readonly done: Set<string>;
  /** The deliveries since the last store. */
  readonly sent: Map<string, WebhookDelivery>;
  failing: FailureStreak | undefined;
  /** The time of the last delivery. */
  reachedAt: number | undefined;
  /** The time and the values of the last store. */
  lastStored: {
    readonly at: number;
    readonly failing: FailureStreak | undefined;
    readonly positions: readonly number[];
  };
  /** Whether the running attempt is the probe of a failing endpoint. */
  probing: boolean;
  /** The reason to disable the endpoint. */
  disable: 'gone' | 'failing' | undefined;
};

/** Returns the state of a leased subscription. Failures before the endpoint was enabled again do not count. */
export const openSubscriptionState = (
  { positions, failing, reachedAt }: LeasedSubscription,
  blockedStreams: readonly BlockedStream[],
  endpoint: Endpoint,
  now: number,
): SubscriptionState => {
  const afresh = failedBeforeEnabling(endpoint, failing?.since, now);
  const opened = (blockedStream: BlockedStream): StreamWork => {
    const changed = afresh || failedBeforeEnabling(endpoint, blockedStream.since, now);
    // One attempt stays, so that the stored delivery is read before the next attempt.
    const again = { ...blockedStream, attempts: Math.min(blockedStream.attempts, 1), since: undefined, retryAt: 0 };
    return { blockedStream: changed ? again : blockedStream, stored: true, changed, attempted: false, busy: false };
  };
  return {
    positions: [...positions],
    read: [...positions],
    ahead: positions.map(() => []),
    works: new Map(blockedStreams.map((blockedStream) => [blockedStream.stream, opened(blockedStream)])),
    done: new Set(),
    sent: new Map(),
    failing: afresh ? undefined : failing,
    reachedAt,
    lastStored: { at: now, failing, positions },
    probing: false,
    disable: undefined,
  };
};

/** Whether the endpoint itself fails, and not single events. Then it is probed with one event from time to time. */
export const isFailing = ({ failing }: Pick<SubscriptionState, 'failing'>): boolean =>
  (failing?.attempts ?? 0) >= maxFailures;

/** Adds the events that were read of a partition. */
export const addEvents = (
  state: SubscriptionState,
  index: number,
  found: readonly PartitionEvent[],
  endpoint: Endpoint,
): void => {
  for (const event of found) {
    const { stream, sequence } = event;
    state.read[index] = event.position;
    state.ahead[index]?.push(event);
    const work = state.works.get(stream);
    if (!subscribesTo(endpoint, event.type)) continue;
    if (work === undefined) {
      const blockedStream = { stream, from: sequence, upTo: sequence, attempts: 0, retryAt: 0 };
      state.works.set(stream, { blockedStream, stored: false, changed: true, attempted: false, busy: false });
    } else if (sequence > work.blockedStream.upTo) {
      work.blockedStream = { ...work.blockedStream, upTo: sequence };
      work.changed = true;
    }
  }
};

const canAdvanceOver = ({ works }: SubscriptionState, { stream, sequence }: PartitionEvent): boolean => {
  const work = works.get(stream);
  return work === undefined || work.stored || work.attempted || work.blockedStream.from > sequence;
};

/** Moves the offsets past all events that are done, or that a blocked stream will hold. */
export const advance = (state: SubscriptionState): void => {
  state.ahead.forEach((ahead, index) => {
    while (ahead[0] !== undefined && canAdvanceOver(state, ahead[0]))
      state.positions[index] = ahead.shift()?.position ?? 0;
  });
};

/** Drops events without an attempt. They are read again. */
export const dropUnstarted = (state: SubscriptionState): void => {
  advance(state);
  for (const [stream, work] of state.works) if (!work.stored && !work.attempted) state.works.delete(stream);
  state.read = [...state.positions];
  for (const ahead of state.ahead) ahead.length = 0;
};

/** Returns the due work, the longest waiting first. */
export const dueWorks = ({ works }: SubscriptionState, now: number): readonly StreamWork[] =>
  [...works.values()]
    .filter(({ busy, blockedStream }) => !busy && isDue(blockedStream.retryAt, now))
    .toSorted((a, b) => a.blockedStream.retryAt - b.blockedStream.retryAt);

/**
 * Records a failed probe of a failing endpoint, or a failed first attempt of an event. Repeated failures of a single
 * event may be caused by that event.
 */
const recordFailure = (state: SubscriptionState, run: StreamRun, now: number, u: number): void => {
  const before = state.failing ?? { since: now, attempts: 0, retryAt: 0 };
  const counts = isFailing(state) ? state.probing : run.failure === 'first';
  const attempts = before.attempts + (counts ? 1 : 0);
  const retryAt = counts ? now + probeDelayMs(attempts, u, run.retryAfterMs) : before.retryAt;
  // A wrong clock may have written a future time.
  const since = Math.min(before.since, now);
  state.failing = { since, attempts, retryAt };
  if (now - since >= maxFailingMs) state.disable = 'failing';
};

const recordSuccess = (state: SubscriptionState, now: number): void => {
  // The endpoint is available again, so waiting events are due at once.
  if (isFailing(state))
    for (const work of state.works.values()) {
      work.blockedStream = { ...work.blockedStream, retryAt: 0 };
      work.changed = true;
    }
  state.failing = undefined;
  state.reachedAt = now;
};

/** Applies the result of a run. */
export const applyRun = (
  state: SubscriptionState,
  work: StreamWork,
  run: StreamRun,
  now: number,
  random: () => number,
): void => {
  for (const sent of run.sent) state.sent.set(sent.eventId, sent);
  if (run.delivered) recordSuccess(state, now);
  if (run.failure !== undefined) recordFailure(state, run, now, random());
  if (run.gone === true) state.disable = 'gone';
  const { from, attempts, since } = run;
  const failures = run.failure === 'given up' ? 1 : attempts;
  const wait = run.failure === undefined ? 0 : retryDelayMs(failures, random(), run.retryAfterMs);
  const { stream, upTo } = work.blockedStream;
  work.blockedStream = { stream, upTo, from, attempts, since, retryAt: wait === 0 ? 0 : now + wait };
  work.changed = true;
  work.busy = false;
  if (from <= upTo) return;
  state.works.delete(stream);
  if (work.stored) state.done.add(stream);
};

/** Returns the time of the next attempt; undefined when no event waits. */
export const nextDue = (state: SubscriptionState): number | undefined => {
  const waiting = Array.from(state.works.values(), ({ blockedStream }) => blockedStream.retryAt);
  if (waiting.length === 0) return undefined;
  return isFailing(state) ? state.failing?.retryAt : Math.min(...waiting);
};

/** Resets the failure streak to the last delivery of another subscription: then the endpoint itself was available. */
export const resetFailuresBefore = (state: SubscriptionState, reachedAt: number, now: number): void => {
  if (state.failing === undefined || reachedAt <= state.failing.since || reachedAt > now) return;
  state.failing = { ...state.failing, since: reachedAt };
  if (state.disable === 'failing' && now - reachedAt < maxFailingMs) state.disable = undefined;
};
