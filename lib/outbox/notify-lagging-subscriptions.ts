import type { Context } from 'aws-lambda';
import { failedBeforeEnabling, type Endpoint } from '../events/endpoint.ts';
import { isDue, maxFailures } from '../events/retry.ts';
import { log } from '../runtime/log.ts';
import { readEndpoints } from '../store/events/endpoints.ts';
import { readEndOffsets } from '../store/events/event-partitions.ts';
import {
  groupCount,
  partitionsOfGroup,
  readSubscriptions,
  type SubscriptionStatus,
} from '../store/events/subscriptions.ts';
import { openSession } from '../store/engine/session.ts';
import { enqueueMessages } from './queue.ts';

/** Kept back from the function's time, to say how the run ended. */
const reserveMs = 2_000;

/** Whether a feed needs a worker that nobody may have sent. */
const needsNotification = (
  endpoint: Endpoint,
  group: number,
  feed: SubscriptionStatus | undefined,
  heads: readonly number[],
  now: number,
) => {
  if (feed?.held === true) return false;
  if (failedBeforeEnabling(endpoint, feed?.failing?.since, now)) return true;
  if (feed?.left === true || (feed?.dueAt !== undefined && isDue(feed.dueAt, now))) return true;
  // A failing endpoint is asked at its time, however much there is for it.
  if ((feed?.failing?.attempts ?? 0) >= maxFailures && feed?.dueAt !== undefined) return false;
  return partitionsOfGroup(group).some((logNumber, index) => {
    const position = feed?.positions[index] ?? endpoint.begins[logNumber] ?? 0;
    return position < (heads[logNumber] ?? 0);
  });
};

/**
 * Wakes the feeds that lag behind their logs, have something to try again, or were left by a worker that died. Two runs
 * at once wake a feed twice, and the second worker finds nothing to do.
 *
 * @throws when the store or the queue failed
 */
export const notifyLaggingSubscriptions = async (
  _event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ readonly woken: number }> => {
  const now = Date.now();
  using session = openSession(now + getRemainingTimeInMillis() - reserveMs);
  const endpoints = (await readEndpoints(session)).filter(({ disabled }) => disabled === undefined);
  if (endpoints.length === 0) return { woken: 0 };
  const ids = endpoints.map(({ id }) => id);
  const [heads, feeds] = await Promise.all([readEndOffsets(session), readSubscriptions(session, ids, now)]);
  const byKey = new Map(feeds.map((feed) => [`${feed.endpointId}#${feed.group}`, feed]));
  const groups = Array.from({ length: groupCount }, (_, group) => group);
  const messages = endpoints.flatMap((endpoint) =>
    groups
      .filter((group) => needsNotification(endpoint, group, byKey.get(`${endpoint.id}#${group}`), heads, now))
      .map((group) => ({ endpointId: endpoint.id, group })),
  );
  await enqueueMessages(messages, session.signal);
  if (messages.length > 0) log('info', 'feeds woken', { woken: messages.length });
  return { woken: messages.length };
};
