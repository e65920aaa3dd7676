import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Origin } from '../../domain/events/cloud-event.ts';
import { systemClock } from '../../access/net/clock.ts';
import { deadline } from '../../access/net/deadline.ts';
import { eventsConfig } from '../../runtime/configuration/config.ts';
import { configured } from '../../runtime/container.ts';
import { errorName, log } from '../../runtime/log.ts';
import { openSession, type Session } from '../../store/engine/session.ts';
import { readEndpoint, readEndpointSecrets } from '../../store/events/endpoints.ts';
import { readDomainEvents } from '../../store/events/outbox.ts';
import { readWebhookDelivery, updateWebhookDelivery } from '../../store/events/webhook-deliveries.ts';
import { type OutboxMessage, parseMessage, enqueueMessages } from './queue.ts';
import { runSubscription } from './run-subscription.ts';
import { eventBody, addAttempt } from './run-stream.ts';
import { attemptMs, openSender, type SendEvent } from './send.ts';

type Redelivery = {
  readonly session: Session;
  readonly endpointId: string;
  readonly eventId: string;
  readonly sendEvent: SendEvent;
  readonly origin: Origin;
  readonly signal: AbortSignal;
  readonly now: () => number;
};

/**
 * Redelivers an event on request: at once, independent of other deliveries to the endpoint, and without the order of
 * its return. There are no retries. A failure does not change the status of the event.
 *
 * @returns the outcome; `unknown` when the endpoint or the delivery no longer exists
 * @throws when the store fails
 */
const redeliver = async (options: Redelivery): Promise<'delivered' | 'failed' | 'unknown'> => {
  const { session, endpointId, eventId, sendEvent, origin, signal, now } = options;
  const [endpoint, sent] = await Promise.all([
    readEndpoint(session, endpointId),
    readWebhookDelivery(session, endpointId, eventId),
  ]);
  if (endpoint === undefined || endpoint.disabled !== undefined || sent === undefined) return 'unknown';
  const { place: stream, sequence, type } = sent;
  const [domainEvent] = await readDomainEvents(session, stream, sequence - 1, sequence);
  if (domainEvent === undefined) return 'unknown';
  const secrets = await readEndpointSecrets(session, endpointId);
  const event = { id: eventId, body: eventBody(stream, domainEvent, origin) };
  const outcome = await sendEvent(endpoint, secrets, event, attemptMs, signal);
  const redelivery = { ...outcome, redelivery: true as const };
  await updateWebhookDelivery(
    session,
    sent,
    (before = sent) =>
      addAttempt(
        before,
        { endpointId, eventId, place: stream, sequence, type },
        redelivery,
        outcome.ok ? 'delivered' : before.status,
      ),
    now(),
  );
  log('info', 'webhook redelivered', { endpointId, eventId, ok: outcome.ok });
  return outcome.ok ? 'delivered' : 'failed';
};

const origin = configured(eventsConfig);

/** Time reserved for attempts that have begun, and for the record of their outcome. */
const reserveMs = attemptMs + 10_000;
/** Running attempts are aborted this long before the end. */
const lastMs = 5_000;

const { now } = Date;
const { random } = Math;

const processMessage = async (
  session: Session,
  message: OutboxMessage,
  leftMs: number,
  sendEvent: SendEvent,
): Promise<string> => {
  const { endpointId } = message;
  const stop = performance.now() + leftMs - reserveMs;
  using limit = deadline(systemClock, leftMs - lastMs);
  const context = { session, endpointId, sendEvent, origin: origin(), now, signal: limit.signal };
  if ('eventId' in message) return await redeliver({ ...context, eventId: message.eventId });
  const { group } = message;
  const end = await runSubscription({ ...context, group, random, isOver: () => performance.now() >= stop });
  // Sent before this message is deleted: a worker that dies in between leaves two messages, and one of them has no
  // work.
  if (end === 'unfinished') await enqueueMessages([{ endpointId, group }], session.signal);
  return end;
};

/** Returns whether the message is processed. A failed message is retried, then goes to the dead-letter queue. */
const handleRecord = async ({ body, messageId }: SQSRecord, leftMs: number, sendEvent: SendEvent): Promise<boolean> => {
  const message = parseMessage(body);
  if (message === undefined) {
    log('error', 'outbox message malformed', { messageId });
    return false;
  }
  using session = openSession(now() + leftMs - 1_000);
  try {
    const end = await processMessage(session, message, leftMs, sendEvent);
    log('info', 'webhooks sent', { ...message, end });
    return true;
  } catch (error) {
    log('error', 'webhooks not sent', { ...message, error: errorName(error) });
    return false;
  }
};

/**
 * Sends events to webhook endpoints: those of a subscription, or one redelivery.
 *
 * @returns the failed messages, for an event source with ReportBatchItemFailures
 */
export const deliverEvents = async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
  const batchItemFailures: { itemIdentifier: string }[] = [];
  // One sender per invocation: closing a shared one would abort attempts of a concurrent invocation.
  const { sendEvent, end } = openSender();
  try {
    for (const record of event.Records) {
      const handled = await handleRecord(record, context.getRemainingTimeInMillis(), sendEvent);
      if (!handled) batchItemFailures.push({ itemIdentifier: record.messageId });
    }
  } finally {
    // No request may continue while the container is frozen.
    await end();
  }
  return { batchItemFailures };
};
