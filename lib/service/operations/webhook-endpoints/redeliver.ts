import type { Input, Output } from '../../../contract/contract.ts';
import type { Call, Reply } from '../../../contract/port.ts';
import type { Result } from '../../../contract/result.ts';
import { fail, ok } from '../../../runtime/result.ts';
import { cursorScope, openCursor, signCursor } from '../../execution/cursor.ts';
import { executeInSteps } from '../../execution/execute.ts';
import { enqueueMessages } from '../../outbox/queue.ts';
import { errorName, log } from '../../../runtime/log.ts';
import type { Session } from '../../../store/engine/session.ts';
import { readWebhookDelivery, readWebhookDeliveries, minEventIdAt } from '../../../store/events/webhook-deliveries.ts';
import { webhookDeliveryView } from '../../views/endpoint-view.ts';
import { readEnabledEndpoint, webhookDeliveryNotFound } from './known-endpoint.ts';

const queueUnavailable = fail({
  code: 'dependency_unavailable' as const,
  detail: 'The queue cannot be reached. Try again.',
  retryAfterSeconds: 1,
});

/** Enqueues redeliveries. Nothing else stores them, so a message that is not queued is a failure. */
const enqueueRedeliveries = async (
  session: Session,
  endpointId: string,
  eventIds: readonly string[],
  { traceId }: Call,
): Promise<Result<null>> => {
  try {
    await enqueueMessages(
      eventIds.map((eventId) => ({ endpointId, eventId })),
      session.signal,
    );
    return ok(null);
  } catch (error) {
    log('error', 'redeliveries not enqueued', { traceId, endpointId, count: eventIds.length, error: errorName(error) });
    return queueUnavailable;
  }
};

const defaultLimit = 100;

/** Redelivers the events of a range to an endpoint, one page, the newest first. */
export const redeliverWebhooks = async (
  input: Input<'redeliverWebhooks'>,
  call: Call,
): Promise<Result<Reply<Output<'redeliverWebhooks'>>>> => {
  const { endpointId, limit = defaultLimit, cursor, ...range } = input;
  const { from, until, status = 'failed' } = range;
  return executeInSteps('redeliverWebhooks', input, call, async (session) => {
    const scope = cursorScope('redeliverWebhooks', call, { endpointId, ...range });
    const before = cursor === undefined ? ok(minEventIdAt(until)) : await openCursor(cursor, scope);
    if (!before.ok) return before;
    const endpoint = await readEnabledEndpoint(session, endpointId);
    if (!endpoint.ok) return endpoint;
    const bounds = { from: minEventIdAt(from), before: before.value };
    const { items, rest, last } = await readWebhookDeliveries(session, endpointId, bounds, limit, Date.now());
    const examined = items.slice(0, limit);
    const found = examined.filter((sent) => status === 'any' || sent.status === status);
    const ids = found.map(({ eventId }) => eventId);
    const queued = call.dryRun ? ok(null) : await enqueueRedeliveries(session, endpointId, ids, call);
    if (!queued.ok) return queued;
    const position = examined.length < items.length ? examined.at(-1)?.eventId : rest ? last : undefined;
    const next = position === undefined ? ok(null) : await signCursor(position, scope);
    if (!next.ok) return next;
    const body = { redelivered: found.length, looked: examined.length, nextCursor: next.value };
    return ok({ status: 200 as const, body });
  });
};

/** Redelivers an event to an endpoint. */
export const redeliverWebhook = async (
  input: Input<'redeliverWebhook'>,
  call: Call,
): Promise<Result<Reply<Output<'redeliverWebhook'>>>> =>
  executeInSteps('redeliverWebhook', input, call, async (session) => {
    const { endpointId, eventId } = input;
    const endpoint = await readEnabledEndpoint(session, endpointId);
    if (!endpoint.ok) return endpoint;
    const sent = await readWebhookDelivery(session, endpointId, eventId);
    if (sent === undefined) return fail(webhookDeliveryNotFound);
    const queued = call.dryRun ? ok(null) : await enqueueRedeliveries(session, endpointId, [eventId], call);
    return queued.ok ? ok({ status: 200 as const, body: webhookDeliveryView(sent) }) : queued;
  });
