import type { Endpoint } from '../../../domain/events/endpoint.ts';
import { maxFailures } from '../../../domain/events/retry.ts';
import { blockedStreamsPartition } from '../../../store/engine/keys.ts';
import { queryAll } from '../../../store/engine/query-pages.ts';
import { openSession, type Session } from '../../../store/engine/session.ts';
import { readEndpoints } from '../../../store/events/endpoints.ts';
import { readEndOffsets } from '../../../store/events/event-partitions.ts';
import {
  groupCount,
  partitionsOfGroup,
  readSubscriptions,
  type SubscriptionStatus,
} from '../../../store/events/subscriptions.ts';
import { type Check, failed, passed, skipped, type CheckContext, warning } from '../check.ts';
import { explainAwsFailure } from './aws-failure.ts';

/*
 * Checks the webhook endpoints, at most fifty. Reads keys, positions and times: no URL, secret or payload. Import it
 * only when TABLE_NAME is set: the store reads the variable while it loads.
 */

const callMs = 5_000;
/** Subscriptions whose blocked streams are read. Those with due retries come first. */
const maxSubscriptions = 40;
const maxBlockedStreams = 100;
/** wakeEndpoints runs every minute. */
const lateMs = 10 * 60_000;

const rows = ['webhook endpoints', 'webhook failures', 'webhook streams', 'webhook backlog'] as const;

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const disabledCheck = (endpoints: readonly Endpoint[]): Check => {
  const name = 'webhook endpoints';
  const disabled = endpoints.flatMap(({ id, disabled: why }) => (why === undefined ? [] : [{ id, ...why }]));
  const total = plural(endpoints.length, 'endpoint');
  if (disabled.length === 0) return passed(name, `${total}, none disabled`);
  const shown = disabled.slice(0, 3).map(({ id, reason }) => `${id} (${reason})`);
  const rest = disabled.length > shown.length ? ` and ${disabled.length - shown.length} more` : '';
  const detail = `${total}, ${disabled.length} disabled: ${shown.join(', ')}${rest}`;
  const byHand = disabled.every(({ reason }) => reason === 'requested');
  if (byHand) return passed(name, detail);
  return warning(
    name,
    detail,
    'Fix the receiver, then enable the endpoint with PATCH /v1/webhook-endpoints/{endpointId}.',
  );
};

const failingCheck = (subscriptions: readonly SubscriptionStatus[], now: number): Check => {
  const name = 'webhook failures';
  const failing = subscriptions.filter(({ failing: at }) => (at?.attempts ?? 0) >= maxFailures);
  const ids = [...new Set(failing.map(({ endpointId }) => endpointId))];
  if (ids.length === 0) return passed(name, 'no endpoint is failing');
  const since = Math.min(...failing.map(({ failing: at }) => at?.since ?? now));
  const hours = Math.floor(Math.max(0, now - since) / 3_600_000);
  const detail = `${ids.slice(0, 3).join(', ')}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}: no success for ${hours} h`;
  return warning(name, detail, 'Read GET /v1/webhook-endpoints/{endpointId}/deliveries. After 72 h it is disabled.');
};

type BlockedStream = { readonly since?: number; readonly attempts: number };

type Subscription = Pick<SubscriptionStatus, 'endpointId' | 'group' | 'dueAt'>;

/** The four subscriptions of each endpoint. A subscription without a first worker has no row. */
const subscriptionsOf = (
  endpoints: readonly Endpoint[],
  statuses: readonly SubscriptionStatus[],
): readonly Subscription[] => {
  const byKey = new Map(statuses.map((status) => [`${status.endpointId}#${status.group}`, status]));
  return endpoints.flatMap(({ id }) =>
    Array.from(
      { length: groupCount },
      (_, group): Subscription => ({ endpointId: id, group, dueAt: byKey.get(`${id}#${group}`)?.dueAt }),
    ),
  );
};

/** The streams of a subscription that wait for a failed event. */
const readBlockedStreams = async (
  session: Session,
  { endpointId, group }: Subscription,
): Promise<readonly BlockedStream[]> =>
  queryAll<BlockedStream>(
    session,
    {
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': blockedStreamsPartition(endpointId, group) },
    },
    maxBlockedStreams,
  );

const streamsCheck = async (session: Session, subscriptions: readonly Subscription[], now: number): Promise<Check> => {
  const name = 'webhook streams';
  const read = subscriptions
    .toSorted((a, b) => (a.dueAt ?? Infinity) - (b.dueAt ?? Infinity))
    .slice(0, maxSubscriptions);
  const blockedStreams = (await Promise.all(read.map(async (status) => readBlockedStreams(session, status)))).flat();
  const blocked = blockedStreams.filter(({ attempts }) => attempts > 0);
  const unread =
    subscriptions.length > read.length ? ` (${subscriptions.length - read.length} subscriptions not read)` : '';
  if (blocked.length === 0) return passed(name, `none is blocked${unread}`);
  const oldest = Math.min(...blocked.map(({ since }) => since ?? now));
  const detail = `${blocked.length} blocked by a failed event, the oldest for ${Math.floor((now - oldest) / 60_000)} min${unread}`;
  return warning(name, detail, 'Read GET /v1/webhook-endpoints/{endpointId}/deliveries, then fix the receiver.');
};

const backlogCheck = (
  endpoints: readonly Endpoint[],
  statuses: readonly SubscriptionStatus[],
  heads: readonly number[],
  now: number,
) => {
  const name = 'webhook backlog';
  const byKey = new Map(statuses.map((status) => [`${status.endpointId}#${status.group}`, status]));
  let behind = 0;
  for (const { id, begins } of endpoints)
    for (let group = 0; group < groupCount; group += 1) {
      const positions = byKey.get(`${id}#${group}`)?.positions;
      partitionsOfGroup(group).forEach((log, index) => {
        behind += Math.max(0, (heads[log] ?? 0) - (positions?.[index] ?? begins[log] ?? 0));
      });
    }
  const overdue = statuses.flatMap(({ dueAt, held }) => (dueAt === undefined || held ? [] : [now - dueAt]));
  const late = Math.max(0, ...overdue);
  const detail = `${plural(behind, 'event')} not read yet`;
  if (late < lateMs) return passed(name, detail);
  const remedy = 'Read the logs of wakeEndpoints and deliverEvents, and check the outbox queue.';
  return warning(name, `${detail}; a retry is ${Math.floor(late / 60_000)} min overdue`, remedy);
};

const examineEndpoints = async (session: Session, now: number): Promise<readonly Check[]> => {
  const endpoints = await readEndpoints(session);
  const enabled = endpoints.filter(({ disabled }) => disabled === undefined);
  const ids = enabled.map(({ id }) => id);
  if (ids.length === 0) return [disabledCheck(endpoints), ...skipped(rows.slice(1), 'there is no enabled endpoint')];
  const [heads, statuses] = await Promise.all([readEndOffsets(session), readSubscriptions(session, ids, now)]);
  return [
    disabledCheck(endpoints),
    failingCheck(statuses, now),
    await streamsCheck(session, subscriptionsOf(enabled, statuses), now),
    backlogCheck(enabled, statuses, heads, now),
  ];
};

/** Checks for disabled, failing, blocked and late webhook endpoints. */
export const checkEndpoints = async ({ clock, end }: CheckContext): Promise<readonly Check[]> => {
  const now = clock.now();
  using session = openSession(Math.min(end, now + callMs));
  try {
    return await examineEndpoints(session, now);
  } catch (error) {
    const { detail, remedy } = explainAwsFailure(error, { action: 'dynamodb:Query', variable: 'TABLE_NAME' });
    const [first, ...others] = rows;
    return [failed(first, `the check could not run: ${detail}`, remedy), ...skipped(others, 'no endpoint was read')];
  }
};
