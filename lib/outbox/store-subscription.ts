import { pauseBeforeRetry } from '../runtime/retry.ts';
import { writeSubscription, type Lease } from '../store/events/subscriptions.ts';
import { putBlockedStream, removeBlockedStream } from '../store/events/blocked-streams.ts';
import { putWebhookDelivery } from '../store/events/webhook-deliveries.ts';
import type { Session } from '../store/engine/session.ts';
import { transact, type Write } from '../store/engine/transact.ts';
import { advance, nextDue, type SubscriptionState } from './subscription-state.ts';

/** Another worker has the feed: this one has nothing to say any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Actions of a transaction beside the feed's own; some are left for what is written with the last of them. */
const maxActions = 90;
const maxTries = 10;
const pauseLimits = { stepMs: 20 };

/** A lease is written again after so long, though nothing has changed. */
const renewedAfterMs = 20_000;

/**
 * Writes under a lease, which is among the writes, once those who come to ask for the feed have gone.
 *
 * @returns what else did not hold
 * @throws {LeaseLost}
 */
export const writeUnderLease = async (session: Session, writes: readonly Write[]): Promise<readonly string[]> => {
  for (let tries = 1; ; tries += 1) {
    const outcome = await transact(session, writes);
    if (outcome.written) return [];
    if (outcome.failed.includes('lease')) throw new LeaseLost('another worker has the feed');
    if (outcome.failed.length > 0) return outcome.failed;
    if (tries === maxTries) throw new Error('the feed is never free to be written');
    await pauseBeforeRetry(tries, pauseLimits, session.signal);
  }
};

/** What is to be written. What happens from here on is of the next time. */
const collectChanges = (state: SubscriptionState, { endpointId, group }: Lease, now: number): readonly Write[] => {
  const works = [...state.works.values()].filter(({ changed, stored, begun }) => changed && (stored || begun));
  for (const work of works) [work.stored, work.changed] = [true, false];
  const kept = new Set(works.map(({ lane }) => lane.place));
  const changes = [
    ...Array.from(state.sent.values(), (one) => putWebhookDelivery(one, now)),
    ...works.map(({ lane }) => putBlockedStream(endpointId, group, lane)),
    ...[...state.done]
      .filter((place) => !kept.has(place))
      .map((place) => removeBlockedStream(endpointId, group, place)),
  ];
  state.sent.clear();
  state.done.clear();
  return changes;
};

/**
 * Writes down how far a feed has come: first what became of events and what waits in lanes, and last, with what is left
 * of these, the positions. Whoever dies in between leaves nothing out.
 *
 * @throws {LeaseLost}
 */
export const storeSubscription = async (
  session: Session,
  lease: Lease,
  state: SubscriptionState,
  now: number,
): Promise<void> => {
  // Not where the feed is by now: somebody may have gone past what only these writes will hold.
  const before = state.kept.positions;
  advance(state);
  const feed = { failing: state.failing, reachedAt: state.reachedAt, dueAt: nextDue(state) };
  const positions = [...state.positions];
  const changes = collectChanges(state, lease, now);
  const isKept = changes.length === 0 && state.kept.failing === state.failing && String(before) === String(positions);
  if (isKept && Math.abs(now - state.kept.at) < renewedAfterMs) return;
  const last = Math.max(0, Math.ceil(changes.length / maxActions) - 1) * maxActions;
  for (let written = 0; written < last; written += maxActions)
    await writeUnderLease(session, [
      writeSubscription(lease, { ...feed, positions: before }, now),
      ...changes.slice(written, written + maxActions),
    ]);
  await writeUnderLease(session, [writeSubscription(lease, { ...feed, positions }, now), ...changes.slice(last)]);
  state.kept = { at: now, failing: state.failing, positions };
};
