import { failedBeforeEnabling, subscribesTo, type Endpoint, type WebhookDelivery } from '../events/endpoint.ts';
import { maxFailingMs, isDue, maxFailures, probeDelayMs, retryDelayMs } from '../events/retry.ts';
import type { PartitionEvent } from '../store/events/event-partitions.ts';
import type { FailureStreak, LeasedSubscription } from '../store/events/subscriptions.ts';
import type { BlockedStream } from '../store/events/blocked-streams.ts';
import type { StreamRun } from './run-stream.ts';

/*
 * What a worker knows of its feed. Events that were read from the logs become work, one for each place. Work that is
 * not done when the feed is written down next becomes a lane, and the feed goes past it; work that was not begun is
 * only remembered, and the feed stays before it.
 */

/** The work of a place. */
export type StreamWork = {
  lane: BlockedStream;
  /** Whether it has a row. */
  stored: boolean;
  /** Whether its row is not as it stands here. */
  changed: boolean;
  /** Whether an attempt was begun since the worker took the feed. */
  begun: boolean;
  busy: boolean;
};

export type SubscriptionState = {
  /** Behind which all is done or in a lane, for each log of the group. */
  positions: number[];
  /** Up to where each log was read. */
  read: number[];
  /** What was read and is ahead of the positions. */
  readonly ahead: PartitionEvent[][];
  readonly works: Map<string, StreamWork>;
  /** Places whose row is to go. */
  readonly done: Set<string>;
  /** What became of events since the feed was written down. */
  readonly sent: Map<string, WebhookDelivery>;
  failing: FailureStreak | undefined;
  /** When something was last delivered. */
  reachedAt: number | undefined;
  /** When it was written down, and what of it that is not seen from changes. */
  kept: { readonly at: number; readonly failing: FailureStreak | undefined; readonly positions: readonly number[] };
  /** Whether what is under way is the one event that a failing endpoint is asked with. */
  probing: boolean;
  /** Why the endpoint is to be sent nothing more. */
  disable: 'gone' | 'failing' | undefined;
};

/**
 * What is known of a feed that was just taken. What failed before its endpoint was enabled again is tried as if it
 * never had.
 */
export const openSubscriptionState = (
  { positions, failing, reachedAt }: LeasedSubscription,
  lanes: readonly BlockedStream[],
  endpoint: Endpoint,
  now: number,
): SubscriptionState => {
  const afresh = failedBeforeEnabling(endpoint, failing?.since, now);
  const opened = (lane: BlockedStream): StreamWork => {
    const changed = afresh || failedBeforeEnabling(endpoint, lane.since, now);
    // One attempt is enough to know that what became of it is written down somewhere.
    const again = { ...lane, attempts: Math.min(lane.attempts, 1), since: undefined, retryAt: 0 };
    return { lane: changed ? again : lane, stored: true, changed, begun: false, busy: false };
  };
  return {
    positions: [...positions],
    read: [...positions],
    ahead: positions.map(() => []),
    works: new Map(lanes.map((lane) => [lane.place, opened(lane)])),
    done: new Set(),
    sent: new Map(),
    failing: afresh ? undefined : failing,
    reachedAt,
    kept: { at: now, failing, positions },
    probing: false,
    disable: undefined,
  };
};

/** Whether the endpoint, and not this or that event, is what fails: it is asked now and then, with one event. */
export const isFailing = ({ failing }: Pick<SubscriptionState, 'failing'>): boolean =>
  (failing?.attempts ?? 0) >= maxFailures;

/** Takes in what was read of a log. */
export const addEvents = (
  state: SubscriptionState,
  index: number,
  found: readonly PartitionEvent[],
  endpoint: Endpoint,
): void => {
  for (const one of found) {
    state.read[index] = one.position;
    state.ahead[index]?.push(one);
    const work = state.works.get(one.place);
    if (!subscribesTo(endpoint, one.type)) continue;
    if (work === undefined) {
      const lane = { place: one.place, from: one.sequence, upTo: one.sequence, attempts: 0, retryAt: 0 };
      state.works.set(one.place, { lane, stored: false, changed: true, begun: false, busy: false });
    } else if (one.sequence > work.lane.upTo) {
      work.lane = { ...work.lane, upTo: one.sequence };
      work.changed = true;
    }
  }
};

const canAdvancePast = ({ works }: SubscriptionState, { place, sequence }: PartitionEvent): boolean => {
  const work = works.get(place);
  return work === undefined || work.stored || work.begun || work.lane.from > sequence;
};

/** Moves the positions past all that is done, or that a lane will hold. */
export const advance = (state: SubscriptionState): void => {
  state.ahead.forEach((ahead, index) => {
    while (ahead[0] !== undefined && canAdvancePast(state, ahead[0]))
      state.positions[index] = ahead.shift()?.position ?? 0;
  });
};

/** Forgets what was read and not begun: it is read again. */
export const dropUnstarted = (state: SubscriptionState): void => {
  advance(state);
  for (const [place, work] of state.works) if (!work.stored && !work.begun) state.works.delete(place);
  state.read = [...state.positions];
  for (const ahead of state.ahead) ahead.length = 0;
};

/** The work whose time has come, those that have waited longest first. */
export const dueWorks = ({ works }: SubscriptionState, now: number): readonly StreamWork[] =>
  [...works.values()]
    .filter(({ busy, lane }) => !busy && isDue(lane.retryAt, now))
    .toSorted((a, b) => a.lane.retryAt - b.lane.retryAt);

/**
 * What the probe of a failing endpoint comes to, or another event at its first attempt. That one event fails over and
 * over again may be its own fault.
 */
const recordFailure = (state: SubscriptionState, run: StreamRun, now: number, u: number): void => {
  const before = state.failing ?? { since: now, attempts: 0, retryAt: 0 };
  const counts = isFailing(state) ? state.probing : run.failure === 'first';
  const attempts = before.attempts + (counts ? 1 : 0);
  const retryAt = counts ? now + probeDelayMs(attempts, u, run.retryAfterMs) : before.retryAt;
  // A clock that was wrong may have written a future.
  const since = Math.min(before.since, now);
  state.failing = { since, attempts, retryAt };
  if (now - since >= maxFailingMs) state.disable = 'failing';
};

const recordSuccess = (state: SubscriptionState, now: number): void => {
  // It is there again: what waits for it need not wait longer.
  if (isFailing(state))
    for (const work of state.works.values()) {
      work.lane = { ...work.lane, retryAt: 0 };
      work.changed = true;
    }
  state.failing = undefined;
  state.reachedAt = now;
};

/** Takes in how a run ended. */
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
  const { place, upTo } = work.lane;
  work.lane = { place, upTo, from, attempts, since, retryAt: wait === 0 ? 0 : now + wait };
  work.changed = true;
  work.busy = false;
  if (from <= upTo) return;
  state.works.delete(place);
  if (work.stored) state.done.add(place);
};

/** When something is to be tried next, or nothing where nothing waits. */
export const nextDue = (state: SubscriptionState): number | undefined => {
  const waiting = Array.from(state.works.values(), ({ lane }) => lane.retryAt);
  if (waiting.length === 0) return undefined;
  return isFailing(state) ? state.failing?.retryAt : Math.min(...waiting);
};

/** Failures of this feed alone say nothing of an endpoint that took what another brought: they count from then on. */
export const resetFailuresBefore = (state: SubscriptionState, reachedAt: number, now: number): void => {
  if (state.failing === undefined || reachedAt <= state.failing.since || reachedAt > now) return;
  state.failing = { ...state.failing, since: reachedAt };
  if (state.disable === 'failing' && now - reachedAt < maxFailingMs) state.disable = undefined;
};
