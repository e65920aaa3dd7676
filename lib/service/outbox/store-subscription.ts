import { pauseBeforeRetry } from '../../runtime/retry.ts';
import { removeSubscription, writeSubscription, type Lease } from '../../store/events/subscriptions.ts';
import { putBlockedStream, readBlockedStreams, removeBlockedStream } from '../../store/events/blocked-streams.ts';
import { putWebhookDelivery } from '../../store/events/webhook-deliveries.ts';
import type { Session } from '../../store/engine/session.ts';
import { transact, type Write } from '../../store/engine/transact.ts';
import { advance, nextDue, type SubscriptionState } from './subscription-state.ts';

/** Another worker has the lease, so this worker must stop. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The actions of a transaction besides the subscription. The rest is reserved for the last write of a caller. */
const maxActions = 90;
const maxTries = 10;
const pauseLimits = { stepMs: 20 };

/** A lease is renewed after this time, even without changes. */
const renewedAfterMs = 20_000;

/**
 * Writes under a lease, whose condition is among the writes. Retries while other workers request a recheck.
 *
 * @returns the names of the other failed conditions
 * @throws {LeaseLost}
 */
export const writeUnderLease = async (session: Session, writes: readonly Write[]): Promise<readonly string[]> => {
  for (let tries = 1; ; tries += 1) {
    const outcome = await transact(session, writes);
    if (outcome.written) return [];
    if (outcome.failed.includes('lease')) throw new LeaseLost('another worker has the subscription');
    if (outcome.failed.length > 0) return outcome.failed;
    if (tries === maxTries) throw new Error('the subscription is never free to be written');
    await pauseBeforeRetry(tries, pauseLimits, session.signal);
  }
};

/** Returns the writes of the changes, and resets the changes. */
const collectChanges = (state: SubscriptionState, { endpointId, group }: Lease, now: number): readonly Write[] => {
  const works = [...state.works.values()].filter(({ changed, stored, attempted }) => changed && (stored || attempted));
  for (const work of works) [work.stored, work.changed] = [true, false];
  const written = new Set(works.map(({ blockedStream }) => blockedStream.stream));
  const changes = [
    ...Array.from(state.sent.values(), (delivery) => putWebhookDelivery(delivery, now)),
    ...works.map(({ blockedStream }) => putBlockedStream(endpointId, group, blockedStream)),
    ...[...state.done]
      .filter((stream) => !written.has(stream))
      .map((stream) => removeBlockedStream(endpointId, group, stream)),
  ];
  state.sent.clear();
  state.done.clear();
  return changes;
};

/**
 * Stores the progress of a subscription: first deliveries and blocked streams, then the offsets with the last of these
 * writes. A crash in between skips no event.
 *
 * @throws {LeaseLost}
 */
export const storeSubscription = async (
  session: Session,
  lease: Lease,
  state: SubscriptionState,
  now: number,
): Promise<void> => {
  // Earlier writes repeat the stored offsets: the current ones may be past events whose blocked streams are not written
  // yet.
  const before = state.lastStored.positions;
  advance(state);
  const subscription = { failing: state.failing, reachedAt: state.reachedAt, dueAt: nextDue(state) };
  const positions = [...state.positions];
  const changes = collectChanges(state, lease, now);
  const isStored =
    changes.length === 0 && state.lastStored.failing === state.failing && String(before) === String(positions);
  if (isStored && Math.abs(now - state.lastStored.at) < renewedAfterMs) return;
  const last = Math.max(0, Math.ceil(changes.length / maxActions) - 1) * maxActions;
  for (let written = 0; written < last; written += maxActions)
    await writeUnderLease(session, [
      writeSubscription(lease, { ...subscription, positions: before }, now),
      ...changes.slice(written, written + maxActions),
    ]);
  await writeUnderLease(session, [
    writeSubscription(lease, { ...subscription, positions }, now),
    ...changes.slice(last),
  ]);
  state.lastStored = { at: now, failing: state.failing, positions };
};

/** Removes the rows of a deleted endpoint's subscription. */
export const removeSubscriptionRows = async (session: Session, endpointId: string, group: number): Promise<void> => {
  const blockedStreams = await readBlockedStreams(session, endpointId, group);
  const removed = [
    removeSubscription(endpointId, group),
    ...blockedStreams.map(({ stream }) => removeBlockedStream(endpointId, group, stream)),
  ];
  for (let index = 0; index < removed.length; index += 100) await transact(session, removed.slice(index, index + 100));
};
