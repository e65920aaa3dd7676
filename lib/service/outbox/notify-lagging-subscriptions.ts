import type { Context } from 'aws-lambda';
import { failedBeforeEnabling, type Endpoint } from '../../domain/events/endpoint.ts';
import { isDue, maxFailures } from '../../domain/events/retry.ts';
import { log } from '../../runtime/log.ts';
import { readEndpoints } from '../../store/events/endpoints.ts';
import { readEndOffsets } from '../../store/events/event-partitions.ts';
import {
  groupCount,
  partitionsOfGroup,
  readSubscriptions,
  type SubscriptionStatus,
} from '../../store/events/subscriptions.ts';
import { openSession } from '../../store/engine/session.ts';
import { enqueueMessages } from './queue.ts';

/** Time reserved before the function's timeout, to report the end of the run. */
const reserveMs = 2_000;

/** Whether a subscription needs a worker and may have no message in the queue. */
const needsNotification = (
  endpoint: Endpoint,
  group: number,
  subscription: SubscriptionStatus | undefined,
  heads: readonly number[],
  now: number,
) => {
  if (subscription?.held === true) return false;
  if (failedBeforeEnabling(endpoint, subscription?.failing?.since, now)) return true;
  if (subscription?.left === true || (subscription?.dueAt !== undefined && isDue(subscription.dueAt, now))) return true;
  // A failing endpoint is called only at its retry time.
  if ((subscription?.failing?.attempts ?? 0) >= maxFailures && subscription?.dueAt !== undefined) return false;
  return partitionsOfGroup(group).some((logNumber, index) => {
    const position = subscription?.positions[index] ?? endpoint.begins[logNumber] ?? 0;
    return position < (heads[logNumber] ?? 0);
  });
};

/**
 * Notifies subscriptions that lag behind their partitions, have due retries, or lost their worker. Two concurrent runs
 * notify a subscription twice, and the second worker has no work.
 *
 * @throws when the store or the queue fails
 */
export const notifyLaggingSubscriptions = async (
  _event: unknown,
  { getRemainingTimeInMillis }: Pick<Context, 'getRemainingTimeInMillis'>,
): Promise<{ readonly notified: number }> => {
  const now = Date.now();
  using session = openSession(now + getRemainingTimeInMillis() - reserveMs);
  const endpoints = (await readEndpoints(session)).filter(({ disabled }) => disabled === undefined);
  if (endpoints.length === 0) return { notified: 0 };
  const ids = endpoints.map(({ id }) => id);
  const [heads, subscriptions] = await Promise.all([readEndOffsets(session), readSubscriptions(session, ids, now)]);
  const byKey = new Map(
    subscriptions.map((subscription) => [`${subscription.endpointId}#${subscription.group}`, subscription]),
  );
  const groups = Array.from({ length: groupCount }, (_, group) => group);
  const messages = endpoints.flatMap((endpoint) =>
    groups
      .filter((group) => needsNotification(endpoint, group, byKey.get(`${endpoint.id}#${group}`), heads, now))
      .map((group) => ({ endpointId: endpoint.id, group })),
  );
  await enqueueMessages(messages, session.signal);
  if (messages.length > 0) log('info', 'subscriptions notified', { notified: messages.length });
  return { notified: messages.length };
};
